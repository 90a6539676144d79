import { begun, contentOf, jsonAnswer, limitOf, workspaceOf } from '#calls/kept-call'
import { FormFile } from '#core/forms/form-file'
import { HeaderList } from '#core/header-fields'
import { type Answer, type Call, defined, FileNotFound, InvalidRequest, isRecord } from '#kit'
import type { OwnFile, OwnFiles } from '#kit/own-files'
import { principal } from '#kit/slots'
import { createFile, deleteFile, downloadFile, listFiles, readFile } from './endpoints.ts'
import { readRange } from './range.ts'

/** What Weir's own files are for. */
const PURPOSES = ['batch', 'fine-tune', 'assistants', 'vision', 'user_data'] as const

/** Seconds that a file may be kept at least and at most, where it says ("Upload file" of OpenAI's reference, read 2026-11-22). */
const LEAST_SECONDS = 3_600
const MOST_SECONDS = 2_592_000

/** Files of a list, where the call says nothing, and at most (the same reference). */
const LISTED = 10_000

type OwnAnswer = (call: Call, files: OwnFiles) => Promise<Answer>

const create: OwnAnswer = async (call, files) => {
  const { endpoint, params } = call
  if (endpoint.body.kind === 'multipart') endpoint.body.check(params)
  const { file } = params
  if (!(file instanceof FormFile)) throw new Error('a form was let through without its file')
  const { organisationId, keyId, isForeign } = call.get(principal)
  const { stream, length } = contentOf(call, file)
  const kept = await files.create(
    {
      organisationId,
      workspaceId: workspaceOf(call),
      filename: file.filename === '' ? 'file' : file.filename,
      purpose: purposeOf(params.purpose),
      bytes: length,
      ...defined({
        contentType: file.type === '' ? undefined : file.type,
        expiresAfterSeconds: secondsOf(params.expires_after),
        apiKeyId: isForeign === true ? undefined : keyId,
      }),
    },
    stream,
    call.cancellation,
  )
  return jsonAnswer(show(kept))
}

const purposeOf = (value: unknown): string => {
  const purpose = PURPOSES.find((each) => each === value)
  if (purpose !== undefined) return purpose
  throw new InvalidRequest(`\`purpose\` must be one of: ${PURPOSES.join(', ')}.`, { param: 'purpose' })
}

/** `expires_after[anchor]` and `expires_after[seconds]`. */
const secondsOf = (value: unknown): number | undefined => {
  if (value === undefined || value === null) return undefined
  const { anchor, seconds } = isRecord(value) ? value : {}
  if (anchor !== 'created_at') {
    throw new InvalidRequest('`expires_after[anchor]` must be `created_at`.', { param: 'expires_after[anchor]' })
  }
  const number = typeof seconds === 'string' && /^\d{1,9}$/.test(seconds) ? Number(seconds) : seconds
  const isSound = typeof number === 'number' && Number.isInteger(number)
  if (isSound && number >= LEAST_SECONDS && number <= MOST_SECONDS) return number
  throw new InvalidRequest(
    `\`expires_after[seconds]\` must be a whole number from ${LEAST_SECONDS} to ${MOST_SECONDS}.`,
    { param: 'expires_after[seconds]' },
  )
}

const list: OwnAnswer = async (call, files) => {
  const { query } = call.request
  const order = query.get('order') || 'desc'
  if (order !== 'asc' && order !== 'desc') {
    throw new InvalidRequest('`order` must be one of: asc, desc.', { param: 'order' })
  }
  const found = await files.list(workspaceOf(call), {
    limit: limitOf(query, LISTED, LISTED),
    order,
    purpose: query.get('purpose') || undefined,
    after: query.get('after') || undefined,
  })
  const data = found.files.map(show)
  return jsonAnswer({
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: found.hasMore,
  })
}

const find = async (call: Call, files: OwnFiles): Promise<OwnFile> => {
  const id = idOf(call)
  const file = await files.find(workspaceOf(call), id)
  if (file === undefined) throw notFound(id)
  return file
}

const idOf = ({ request: { params } }: Call): string => params.file_id ?? ''

const notFound = (id: string): FileNotFound =>
  new FileNotFound(`No such File object: ${id.slice(0, MAX_ID_CHARACTERS)}`, { param: 'id' })

/** An id is the client's own word: a sentence of an error shall not be longer for it. */
const MAX_ID_CHARACTERS = 100

const read: OwnAnswer = async (call, files) => jsonAnswer(show(await find(call, files)))

const remove: OwnAnswer = async (call, files) => {
  const id = idOf(call)
  if (!(await files.delete(workspaceOf(call), id))) throw notFound(id)
  return jsonAnswer({ id, object: 'file', deleted: true })
}

const download: OwnAnswer = async (call, files) => {
  const file = await find(call, files)
  const etag = `"${file.sha256}"`
  const range = readRange(call.request.headers, file.bytes, etag)
  const headers = new HeaderList()
  headers.set('content-type', 'application/octet-stream')
  headers.set('accept-ranges', 'bytes')
  headers.set('etag', etag)
  headers.set('x-content-type-options', 'nosniff')
  headers.set('content-disposition', `attachment; filename*=UTF-8''${encodeName(file.filename)}`)
  if (range === 'none') {
    headers.set('content-range', `bytes */${file.bytes}`)
    return { status: 416, headers, body: new Uint8Array(0) }
  }
  if (range !== undefined) headers.set('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`)
  const status = range === undefined ? 200 : 206
  return { status, headers, verbatim: true, opaque: true, body: await begun(files.open(file, range)) }
}

/** RFC 8187, section 3.2.1. */
const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)

const seconds = (ms: number): number => Math.floor(ms / 1000)

/** A file as clients see it. */
const show = (file: OwnFile) => ({
  id: file.id,
  object: 'file',
  bytes: file.bytes,
  created_at: seconds(file.createdAtMs),
  expires_at: file.expiresAtMs === undefined ? null : seconds(file.expiresAtMs),
  filename: file.filename,
  purpose: file.purpose,
  status: 'processed',
  status_details: null,
})

/** By id of the endpoint. */
export const OWN_ANSWERS: ReadonlyMap<string, OwnAnswer> = new Map([
  [createFile.id, create],
  [listFiles.id, list],
  [readFile.id, read],
  [deleteFile.id, remove],
  [downloadFile.id, download],
])
