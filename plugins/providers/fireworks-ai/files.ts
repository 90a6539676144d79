/**
 * Files at Fireworks: datasets of an account. Sources: lib/dataset_upload.py, resources/datasets.py and types of fireworks-ai 1.2.30
 * (PyPI), "Upload Dataset Files" and "Batch inference" of docs.fireworks.ai, read 2026-11-25; what answers look like is recorded in a
 * public research note of OpenRouter's (2026-08-30). A dataset has no purpose and no size, and holds JSON Lines alone.
 */
import { defined, FileNotFound, InvalidRequest, isRecord, nextPiece, type ReadyStream, UpstreamInvalid } from '#kit'
import {
  type FileHost,
  inputOfOneModel,
  type KeptCallOf,
  type KeptFile,
  type ListPage,
  leftOut,
  type NewKeptFile,
  objectsIn,
  partOfItems,
  secondsOf,
  wordOf,
} from '#kit/provider'
import { lastOf, neededAccount } from './account.ts'

type Fields = Readonly<Record<string, unknown>>

/** The one kind of call that its batches have. */
export const URL = '/v1/chat/completions'

/** Below its control plane. @throws InvalidHeader without an account */
export const placeOf = ({ context: { settings } }: Pick<KeptCallOf, 'context'>): string =>
  `/accounts/${neededAccount(settings, 'Batch inference')}`

/** Characters of a display name, as far as any page tells of one. */
const MAX_NAME = 63

/** What a dataset is called: purpose and name of its file. */
const TAG = /^weir ([\w-]{1,40}) (.*)$/s

/** @throws InvalidRequest for what no dataset can be called */
export const datasetId = (id: string, param: string): string => {
  const bare = lastOf(id)
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(bare)) return bare
  throw new InvalidRequest('Files of Fireworks are datasets, with names of letters, digits and hyphens.', { param })
}

const toFile = (dataset: Fields): KeptFile => {
  const name = wordOf(dataset.name)
  if (name === undefined) throw new UpstreamInvalid('The provider answered with a dataset without a name.')
  const called = wordOf(dataset.displayName) ?? ''
  const [, purpose, filename] = TAG.exec(called) ?? []
  const isOutput = jobOf(dataset) !== undefined
  return {
    id: lastOf(name),
    bytes: 0,
    createdAt: secondsOf(dataset.createTime) ?? 0,
    filename: filename ?? (called === '' ? lastOf(name) : called),
    purpose: isOutput ? 'batch_output' : (purpose ?? 'user_data'),
    status: dataset.state === 'UPLOADING' ? 'uploaded' : 'processed',
  }
}

/** Id of the batch that a dataset is the output of. */
const jobOf = ({ sourceJobName: name }: Fields): string | undefined =>
  typeof name === 'string' && name.includes('/batchInferenceJobs/') ? lastOf(name) : undefined

const NEWLINE = 10

/** Lines are counted and not held: nothing is asked of what is in them. */
const linesIn = async (stream: ReadyStream): Promise<number> => {
  let lines = 0
  let last = NEWLINE
  for (let piece = await nextPiece(stream); piece !== undefined; piece = await nextPiece(stream)) {
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) lines++
    last = piece.at(-1) ?? last
  }
  return last === NEWLINE ? lines : lines + 1
}

/** A model as the name of a file, in letters, digits and hyphens. */
const nameOfModel = (model: string): string =>
  model.replace(/[^a-zA-Z0-9-]/gu, (letter) => `_${Buffer.from(letter).toString('hex')}.`)

const modelOfName = (name: string): string =>
  name.replace(/_([0-9a-f]+)\./g, (_match, hex: string) => Buffer.from(hex, 'hex').toString())

const OF_BATCH = /^weir-(.+)\.jsonl$/

interface Content {
  readonly name: string
  readonly lines: number
  readonly body: ReturnType<KeptCallOf['contentOf']>
  readonly details?: string | undefined
}

/** What goes out. The model of the lines of a batch is said beside them: it stands in the name of the file. */
const contentOf = async ({ file, purpose }: NewKeptFile, call: KeptCallOf): Promise<Content> => {
  if (purpose !== 'batch') {
    if (!file.filename.endsWith('.jsonl')) {
      throw new InvalidRequest('The name of the file must end in `.jsonl`.', { param: 'file' })
    }
    const lines = await linesIn(call.contentOf(file).stream)
    if (lines === 0) throw new InvalidRequest('The file has no lines.', { param: 'file' })
    return { name: 'data.jsonl', lines, body: call.contentOf(file) }
  }
  const input = await inputOfOneModel({ file }, call, {
    urls: [URL],
    write({ customId, translated }) {
      const { model: _model, ...body } = translated.body
      return { custom_id: customId, body }
    },
  })
  const name = `weir-${nameOfModel(input.model)}.jsonl`
  return { name, lines: input.lines, body: input.open(), details: leftOut(input) }
}

const create = async (asked: NewKeptFile, call: KeptCallOf): Promise<KeptFile> => {
  if (!/^[\w-]{1,40}$/.test(asked.purpose)) {
    throw new InvalidRequest('`purpose` must be a word such as `batch`.', { param: 'purpose' })
  }
  const { context, send } = call
  const place = placeOf(call)
  const { name, lines, body, details } = await contentOf(asked, call)
  const id = `weir-${context.callId}`
  const displayName = `weir ${asked.purpose} ${asked.file.filename || 'file.jsonl'}`.slice(0, MAX_NAME)
  const dataset = { displayName, userUploaded: {}, exampleCount: String(lines) }
  const url = `${place}/datasets`
  const made = await (await send({ method: 'POST', url, body: { datasetId: id, dataset } })).json()
  try {
    const size = String(body.length)
    const asks = {
      method: 'POST',
      url: `${url}/${id}:getUploadEndpoint`,
      body: { filenameToSize: { [name]: size } },
    } as const
    const address = signedURLs(await (await send(asks)).json())[0]?.url
    if (address === undefined) throw new UpstreamInvalid('The provider gave no place for the file.')
    // Both are part of the signature of the address.
    const headers = { 'content-type': 'application/octet-stream', 'x-goog-content-length-range': `${size},${size}` }
    await (await send({ method: 'PUT', url: address, headers, body, withoutKey: true })).text()
    await (await send({ method: 'POST', url: `${url}/${id}:validateUpload`, body: {} })).text()
  } catch (thrown) {
    await send({ method: 'DELETE', url: `${url}/${id}` }).catch(() => undefined)
    throw thrown
  }
  return defined({ ...toFile(made), bytes: body.length ?? 0, status: 'processed' as const, details })
}

interface Signed {
  /** As it was uploaded. */
  readonly name: string
  readonly url: string
}

const signedURLs = ({ filenameToSignedUrls: urls }: Fields): readonly Signed[] =>
  isRecord(urls)
    ? Object.entries(urls).flatMap(([name, url]) => (typeof url === 'string' ? [{ name: lastOf(name), url }] : []))
    : []

/** What is in a dataset, each with an address that lasts for some minutes. */
export const contentsOf = async (call: Pick<KeptCallOf, 'context' | 'send'>, id: string): Promise<readonly Signed[]> =>
  signedURLs(
    await (await call.send({ method: 'GET', url: `${placeOf(call)}/datasets/${id}:getDownloadEndpoint` })).json(),
  )

/** The model of the lines of a dataset, where it was uploaded through Weir. */
export const modelOfInput = async (call: KeptCallOf, id: string): Promise<string | undefined> => {
  const [, model] = OF_BATCH.exec((await contentsOf(call, id))[0]?.name ?? '') ?? []
  return model === undefined ? undefined : modelOfName(model)
}

export const download = async ({ send }: Pick<KeptCallOf, 'send'>, { url }: Signed): Promise<ReadyStream> =>
  (await send({ method: 'GET', url, withoutKey: true, passes: true })).body

const PAGE = 200

const page = async (
  call: Pick<KeptCallOf, 'context' | 'send'>,
  purpose: string | undefined,
  token = '',
): Promise<ListPage<KeptFile>> => {
  const behind = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`
  const url = `${placeOf(call)}/datasets?pageSize=${PAGE}&orderBy=${encodeURIComponent('create_time desc')}${behind}`
  const answer = await (await call.send({ method: 'GET', url })).json()
  const next = wordOf(answer.nextPageToken)
  return {
    items: objectsIn(answer, 'datasets')
      .map(toFile)
      .filter((file) => purpose === undefined || file.purpose === purpose),
    next: next === undefined ? undefined : () => page(call, purpose, next),
  }
}

const shown = async (call: KeptCallOf): Promise<Fields> =>
  (await call.send({ method: 'GET', url: `${placeOf(call)}/datasets/${datasetId(call.id, 'file_id')}` })).json()

/** @param outputOf results of a batch, by its id, in the reference form */
export const filesWith = (outputOf: (call: KeptCallOf, batch: string) => Promise<ReadyStream>): FileHost => ({
  create,
  list: (query, call) => partOfItems(page(call, query.purpose), query),
  read: async (call) => toFile(await shown(call)),
  async remove(call) {
    await call.send({ method: 'DELETE', url: `${placeOf(call)}/datasets/${datasetId(call.id, 'file_id')}` })
  },
  async content(call) {
    const batch = jobOf(await shown(call))
    if (batch !== undefined) return await outputOf(call, batch)
    const [first] = await contentsOf(call, datasetId(call.id, 'file_id'))
    if (first === undefined) throw new FileNotFound('Nothing is in the dataset.')
    return await download(call, first)
  },
})
