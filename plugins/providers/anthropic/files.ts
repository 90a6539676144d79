/**
 * Files at Anthropic: resources/beta/files of @anthropic-ai/sdk 1.12.0 (npm), read 2026-11-24; its changelog says that the beta header
 * `files-api-2025-04-14` is needed no more and gives lists of an older form. What a file is for is nothing that it knows.
 */
import { defined, InvalidRequest, UpstreamInvalid } from '#kit'
import {
  type FileHost,
  fileForm,
  filesBy,
  type KeptCallOf,
  type KeptFile,
  type ListPage,
  objectsIn,
  partOfItems,
  secondsOf,
  wordOf,
} from '#kit/provider'
import { isBatchId, outputOf, readBatch } from './batches.ts'

type Fields = Readonly<Record<string, unknown>>

/** Seconds that a file may be kept at least and at most (`expires_in_seconds`). */
const LEAST_SECONDS = 3_600
const MOST_SECONDS = 7_776_000

/** @param purpose that the client says, where it does */
const toFile = (file: Fields, purpose = 'user_data'): KeptFile => {
  const id = wordOf(file.id)
  if (id === undefined) throw new UpstreamInvalid('The provider answered with a file without an id.')
  return {
    id,
    bytes: typeof file.size_bytes === 'number' ? file.size_bytes : 0,
    createdAt: secondsOf(file.created_at) ?? 0,
    filename: String(file.filename ?? ''),
    purpose,
    expiresAt: secondsOf(file.expires_at),
  }
}

const create: FileHost['create'] = async ({ file, purpose, expiresAfter: seconds }, { contentOf, send }) => {
  if (seconds !== undefined && (seconds < LEAST_SECONDS || seconds > MOST_SECONDS)) {
    throw new InvalidRequest(`\`expires_after[seconds]\` must be from ${LEAST_SECONDS} to ${MOST_SECONDS}.`, {
      param: 'expires_after[seconds]',
    })
  }
  const fields = defined({ expires_in_seconds: seconds === undefined ? undefined : String(seconds) })
  const { body, type } = fileForm(fields, { filename: file.filename, type: file.type, content: contentOf(file) })
  const headers = { 'content-type': type }
  return toFile(await (await send({ method: 'POST', url: '/files', headers, body })).json(), purpose)
}

const PAGE = 100

const page = async ({ send }: Pick<KeptCallOf, 'send'>, behind = ''): Promise<ListPage<KeptFile>> => {
  const answer = await (await send({ method: 'GET', url: `/files?limit=${PAGE}${behind}` })).json()
  const items = objectsIn(answer, 'data').map((file) => toFile(file))
  const [token, last] = [wordOf(answer.next_page), answer.has_more === true ? wordOf(answer.last_id) : undefined]
  const query =
    token === undefined ? last && `&after_id=${encodeURIComponent(last)}` : `&page=${encodeURIComponent(token)}`
  return { items, next: query === undefined ? undefined : () => page({ send }, query) }
}

export const files = filesBy({
  expires: true,
  create,
  read: async ({ send, segment }) => toFile(await (await send({ method: 'GET', url: `/files/${segment}` })).json()),
  remove: async ({ send, segment }) => {
    await (await send({ method: 'DELETE', url: `/files/${segment}` })).text()
  },
  list: (query, call) => partOfItems(page(call), query),
  // Results are no file there: the id of their batch stands for them.
  content: async (call) =>
    isBatchId(call.id)
      ? outputOf(await readBatch(call), call)
      : (await call.send({ method: 'GET', url: `/files/${call.segment}/content`, passes: true })).body,
})
