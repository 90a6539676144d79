/**
 * Files at Together AI: resources/files.ts and lib/upload.ts of together-ai 0.52.0 (npm), lib/resources/files.py of together 3.1.1
 * (PyPI), read 2026-11-24. A place to put the file is asked for first: the answer is a redirect to a signed address, which gets no key.
 */
import { InvalidRequest, UpstreamInvalid } from '#kit'
import {
  type FileHost,
  filesBy,
  type KeptFile,
  objectsIn,
  partOfItems,
  secondsOf,
  translatedInput,
  translateLine,
  wordOf,
} from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

/** Kinds of call that its batches have and Weir translates; those of sounds are forms, and no JSON. */
export const URLS = ['/v1/chat/completions'] as const

/** Its words for what files are for, where they are not OpenAI's. */
const PURPOSES: readonly (readonly [theirs: string, ours: string])[] = [
  ['batch-api', 'batch'],
  ['eval', 'evals'],
]

const TYPES = ['jsonl', 'csv', 'parquet']

/** Bytes of the largest file that goes up in one piece (`MULTIPART_THRESHOLD_GB`). */
const MAX_BYTES = 5 * 1024 ** 3

const toFile = (file: Fields): KeptFile => {
  const id = wordOf(file.id)
  if (id === undefined) throw new UpstreamInvalid('The provider answered with a file without an id.')
  const purpose = String(file.purpose ?? '')
  const state = file.processing_status
  return {
    id,
    bytes: typeof file.bytes === 'number' ? file.bytes : 0,
    createdAt: secondsOf(file.created_at) ?? 0,
    filename: String(file.filename ?? ''),
    purpose: PURPOSES.find(([theirs]) => theirs === purpose)?.[1] ?? purpose,
    status: state === 'FAILED' || state === 'INVALID_FORMAT' ? 'error' : 'processed',
  }
}

/** @throws InvalidRequest for a file of another type than those that it takes */
const typeOf = (filename: string): string => {
  const type = TYPES.find((each) => filename.toLowerCase().endsWith(`.${each}`))
  if (type !== undefined) return type
  throw new InvalidRequest(`The name of the file must end in one of: ${TYPES.map((each) => `.${each}`).join(', ')}.`, {
    param: 'file',
  })
}

const create: FileHost['create'] = async ({ file, purpose }, { contentOf, send, translate }) => {
  const isInput = purpose === 'batch'
  const type = isInput ? 'jsonl' : typeOf(file.filename)
  const content = isInput
    ? (
        await translatedInput(() => contentOf(file).stream, {
          param: 'file',
          make: (line) => ({
            custom_id: line.customId,
            body: translateLine(line, { translate, urls: URLS, param: 'file' }).body,
          }),
        })
      ).open()
    : contentOf(file)
  if ((content.length ?? 0) > MAX_BYTES) {
    throw new InvalidRequest(`The file is larger than ${MAX_BYTES} bytes.`, { param: 'file' })
  }
  const fields = new URLSearchParams({
    purpose: PURPOSES.find(([, ours]) => ours === purpose)?.[0] ?? purpose,
    file_name: file.filename || 'file.jsonl',
    file_type: type,
  })
  const placed = await send({
    method: 'POST',
    url: `/files?${fields}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: fields.toString(),
    sees: [302],
  })
  const [place, id] = [placed.headers.get('location'), placed.headers.get('x-together-file-id')]
  placed.body.cancel()
  if (!place || !id) throw new UpstreamInvalid('The provider gave no place for the file.')
  const headers = { 'content-type': 'application/octet-stream' }
  await (await send({ method: 'PUT', url: place, headers, body: content, withoutKey: true })).text()
  return toFile(await (await send({ method: 'POST', url: `/files/${encodeURIComponent(id)}/preprocess` })).json())
}

export const files = filesBy({
  create,
  read: async ({ send, segment }) => toFile(await (await send({ method: 'GET', url: `/files/${segment}` })).json()),
  remove: async ({ send, segment }) => {
    await (await send({ method: 'DELETE', url: `/files/${segment}` })).text()
  },
  // Lists come whole.
  async list(query, { send }) {
    const all = objectsIn(await (await send({ method: 'GET', url: '/files' })).json(), 'data').map(toFile)
    const items = all
      .filter(({ purpose }) => query.purpose === undefined || purpose === query.purpose)
      .toSorted((one, other) => other.createdAt - one.createdAt)
    return partOfItems(Promise.resolve({ items }), query)
  },
  content: async ({ send, segment }) =>
    (await send({ method: 'GET', url: `/files/${segment}/content`, passes: true })).body,
})
