/**
 * Files of the Gemini API in OpenAI's form. Sources, read 2026-11-24: @google/genai 2.32.0 (`fetchUploadUrl`, `uploadBlob`, `File`,
 * `files/{name}:download`) and the page "Files" of the API reference at ai.google.dev. A file belongs to its project and is gone after
 * 48 hours. It has no purpose there, so that stands in its name; and only files that Gemini made can be downloaded.
 */
import { type ReadyStream, UpstreamInvalid } from '#kit'
import {
  type FileHost,
  type FormFile,
  inputOfOneModel,
  type KeptCallOf,
  type KeptFile,
  type ListPage,
  leftOut,
  type NewKeptFile,
  type OneModelLine,
  objectsIn,
  partOfItems,
  secondsOf,
  wordOf,
} from '#kit/provider'
import { type Fields, fieldsIn, refuse, unreadable, wholeOf } from './json.ts'

/** What stands in front of the name of a file: its purpose, and kind of call and model of the lines of a batch. */
interface Tag {
  readonly purpose: string
  readonly url?: string | undefined
  readonly model?: string | undefined
  readonly filename: string
}

const TAG = /^weir ([\w-]{1,40}) (\S{1,40}) (\S{1,200}) (.*)$/s
/** Characters of a `displayName` (`File` of @google/genai). */
const MAX_NAME = 512

const writeTag = ({ purpose, url = '-', model = '-', filename }: Tag): string =>
  `weir ${purpose} ${url} ${model} ${filename}`.slice(0, MAX_NAME)

const readTag = (name: string): Tag => {
  const [, purpose, url = '', model = '', filename = ''] = TAG.exec(name) ?? []
  if (purpose === undefined) return { purpose: 'user_data', filename: name }
  return url === '-' ? { purpose, filename } : { purpose, url, model, filename }
}

/** `files/abc-1` is `files-abc-1` to clients. */
const FILE = /^files-([a-z0-9][a-z0-9-]{0,127})$/
/** The results of a batch, which are translated as they are read. */
const OUTPUT = /^output-([a-zA-Z0-9-]{1,128})$/

export const outputIdOf = (batch: string): string => `output-${batch}`

const batchOfOutput = (id: string): string | undefined => OUTPUT.exec(id)?.[1]

export const fileIdOf = (name: string): string => name.replace('/', '-')

/** @throws InvalidRequest for an id that is none of a file of Gemini */
export const fileNameOf = (id: string, param: string): string => {
  const [, name] = FILE.exec(id) ?? []
  if (name === undefined) throw refuse(param, 'Files of Gemini have ids such as `files-abc123`.')
  return `files/${name}`
}

const toFile = (file: Fields): KeptFile => {
  const name = wordOf(file.name)
  if (name === undefined) throw unreadable('a file has no name')
  const { purpose, filename } = readTag(wordOf(file.displayName) ?? name)
  return {
    id: fileIdOf(name),
    bytes: wholeOf(file.sizeBytes) ?? 0,
    createdAt: secondsOf(file.createTime) ?? 0,
    expiresAt: secondsOf(file.expirationTime),
    filename: filename === '' ? name : filename,
    purpose: file.source === 'GENERATED' ? 'batch_output' : purpose,
    status: file.state === 'FAILED' ? 'error' : file.state === 'PROCESSING' ? 'uploaded' : 'processed',
    details: wordOf(fieldsIn(file, 'error').message),
  }
}

type Send = Pick<KeptCallOf, 'send'>

/** A file as Gemini tells of it. */
export const readFile = async ({ send }: Send, name: string): Promise<Fields> =>
  (await send({ method: 'GET', url: `/${name}` })).json()

/** Kind of call and model of the lines of a file, as they stand in its name. */
export const linesOf = (file: Fields): Pick<Tag, 'url' | 'model'> => readTag(wordOf(file.displayName) ?? '')

/** A file that Gemini made. */
export const download = async ({ send }: Send, name: string): Promise<ReadyStream> =>
  (await send({ method: 'GET', url: `/${name}:download?alt=media`, passes: true })).body

/** The upload is beside the version: `/upload/v1beta/files`. */
const uploadURL = (baseURL: string): string => {
  const url = new URL(baseURL)
  const [, before = '', version = ''] = /^(.*?)(\/v\d\w*)?\/?$/.exec(url.pathname) ?? []
  url.pathname = `${before}/upload${version}/files`
  return url.href
}

interface Upload {
  readonly displayName: string
  readonly mimeType: string
  readonly content: { readonly stream: ReadyStream; readonly length: number | undefined }
}

/** Says what comes, and sends it to the address that Gemini names, which is signed. */
const upload = async ({ send, baseURL }: KeptCallOf, { displayName, mimeType, content }: Upload): Promise<Fields> => {
  const length = String(content.length)
  const { headers } = await send({
    method: 'POST',
    url: uploadURL(baseURL),
    headers: {
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-length': length,
      'x-goog-upload-header-content-type': mimeType,
    },
    body: { file: { displayName, mimeType, sizeBytes: length } },
  })
  const place = headers.get('x-goog-upload-url') ?? ''
  if (!URL.canParse(place)) throw new UpstreamInvalid('The provider named no address for the upload.')
  const answer = await send({
    method: 'POST',
    url: place,
    headers: { 'x-goog-upload-command': 'upload, finalize', 'x-goog-upload-offset': '0', 'content-type': mimeType },
    body: content,
    withoutKey: true,
  })
  return fieldsIn(await answer.json(), 'file')
}

/** Kinds of call of `batchGenerateContent` and `asyncBatchEmbedContent`; completions are asked as chats. */
const URLS = ['/v1/chat/completions', '/v1/completions', '/v1/embeddings']

/** A line of their files (page "Batch API" of ai.google.dev, read 2026-11-24). */
const write = ({ customId, url, translated: { body } }: OneModelLine): Fields => {
  if (url !== '/v1/embeddings') return { key: customId, request: body }
  const [request, ...more] = objectsIn(body, 'requests')
  if (request === undefined || more.length > 0) {
    throw refuse('input', '`body.input` may be one text only: write a line for each.')
  }
  const { model: _model, ...asked } = request
  return { key: customId, request: asked }
}

const ENDINGS: Readonly<Record<string, string>> = {
  jsonl: 'application/jsonl',
  pdf: 'application/pdf',
  txt: 'text/plain',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
}

const typeOf = ({ type, filename }: FormFile): string =>
  (type === 'application/octet-stream' ? '' : type) ||
  (ENDINGS[filename.slice(filename.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream')

const create = async ({ file, purpose }: NewKeptFile, call: KeptCallOf): Promise<KeptFile> => {
  if (!/^[\w-]{1,40}$/.test(purpose)) throw refuse('purpose', '`purpose` must be a word such as `batch`.')
  const filename = file.filename === '' ? 'file' : file.filename
  if (purpose !== 'batch') {
    const displayName = writeTag({ purpose, filename })
    return toFile(await upload(call, { displayName, mimeType: typeOf(file), content: call.contentOf(file) }))
  }
  const input = await inputOfOneModel({ file }, call, { urls: URLS, write })
  const displayName = writeTag({ purpose, url: input.url, model: input.model, filename })
  const made = toFile(await upload(call, { displayName, mimeType: 'application/jsonl', content: input.open() }))
  return { ...made, details: leftOut(input) }
}

/** Files of a page: as many as there may be (`ListFilesRequest` of the API reference). */
const PAGE = 100

const page = async ({ send }: Send, purpose: string | undefined, token = ''): Promise<ListPage<KeptFile>> => {
  const behind = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`
  const answer = await (await send({ method: 'GET', url: `/files?pageSize=${PAGE}${behind}` })).json()
  const next = wordOf(answer.nextPageToken)
  return {
    items: objectsIn(answer, 'files')
      .map(toFile)
      .filter((file) => purpose === undefined || file.purpose === purpose),
    next: next === undefined ? undefined : () => page({ send }, purpose, next),
  }
}

/** What becomes of an id that stands for the results of a batch. */
export interface OutputFiles {
  /** Name of the file that they are in. @throws FileNotFound where there is none */
  nameOf(call: KeptCallOf, batch: string): Promise<string>
  open(call: KeptCallOf, batch: string): Promise<ReadyStream>
}

/** @param outputs how results of batches are found */
export const filesWith = (outputs: OutputFiles): FileHost => {
  const nameOf = async (call: KeptCallOf): Promise<string> => {
    const batch = batchOfOutput(call.id)
    return batch === undefined ? fileNameOf(call.id, 'file_id') : await outputs.nameOf(call, batch)
  }
  return {
    create,
    list: (query, call) => partOfItems(page(call, query.purpose), query),
    async read(call) {
      const file = toFile(await readFile(call, await nameOf(call)))
      return call.id === file.id ? file : { ...file, id: call.id, purpose: 'batch_output' }
    },
    async remove(call) {
      await call.send({ method: 'DELETE', url: `/${await nameOf(call)}` })
    },
    async content(call) {
      const batch = batchOfOutput(call.id)
      return batch === undefined
        ? await download(call, fileNameOf(call.id, 'file_id'))
        : await outputs.open(call, batch)
    },
  }
}
