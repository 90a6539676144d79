/**
 * Files at Mistral: files.py, createfileresponse.py, fileschema.py and listfilesresponse.py of mistralai 3.7.0 (PyPI), read 2026-11-24.
 * A batch has one model for all of its lines (createbatchjobrequest.py), so that those of a file must agree.
 */
import { defined, InvalidRequest, UpstreamInvalid } from '#kit'
import {
  type FileHost,
  fileForm,
  filesBy,
  type InputLine,
  type KeptCallOf,
  type KeptFile,
  type ListPage,
  objectsIn,
  partOfItems,
  secondsOf,
  translatedInput,
  translateLine,
  wordOf,
} from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

/** Kinds of call that its batches have and the reference has too (apiendpoint.py). */
export const URLS = ['/v1/chat/completions', '/v1/embeddings', '/v1/moderations'] as const

const toFile = (file: Fields): KeptFile => {
  const id = wordOf(file.id)
  if (id === undefined) throw new UpstreamInvalid('The provider answered with a file without an id.')
  return {
    id,
    bytes: typeof file.bytes === 'number' ? file.bytes : 0,
    createdAt: secondsOf(file.created_at) ?? 0,
    filename: String(file.filename ?? ''),
    purpose: String(file.purpose ?? ''),
    expiresAt: secondsOf(file.expires_at),
  }
}

/** Makes the lines of a batch Mistral's. */
const linesFor = ({ translate }: KeptCallOf): ((line: InputLine) => Fields) => {
  let first: { readonly model: unknown; readonly number: number } | undefined
  return (line) => {
    const { body } = translateLine(line, { translate, urls: URLS, param: 'file' })
    if (first === undefined) first = { model: body.model, number: line.number }
    else if (first.model !== body.model) {
      throw new InvalidRequest(
        `Line ${line.number}: the provider runs a batch with one model, and line ${first.number} names another.`,
        { param: 'file' },
      )
    }
    return { custom_id: line.customId, body }
  }
}

const create: FileHost['create'] = async ({ file, purpose }, call) => {
  const isInput = purpose === 'batch'
  const content = isInput
    ? (await translatedInput(() => call.contentOf(file).stream, { param: 'file', make: linesFor(call) })).open()
    : call.contentOf(file)
  const { body, type } = fileForm({ purpose }, { filename: file.filename, type: file.type, content })
  const headers = { 'content-type': type }
  return toFile(await (await call.send({ method: 'POST', url: '/files', headers, body })).json())
}

const PAGE = 100

const page = async (
  { send }: Pick<KeptCallOf, 'send'>,
  purpose: string | undefined,
  number: number,
): Promise<ListPage<KeptFile>> => {
  const query = new URLSearchParams(defined({ page: String(number), page_size: String(PAGE), purpose }))
  const found = objectsIn(await (await send({ method: 'GET', url: `/files?${query}` })).json(), 'data').map(toFile)
  return {
    items: found.toSorted((one, other) => other.createdAt - one.createdAt),
    next: found.length < PAGE ? undefined : () => page({ send }, purpose, number + 1),
  }
}

export const files = filesBy({
  create,
  read: async ({ send, segment }) => toFile(await (await send({ method: 'GET', url: `/files/${segment}` })).json()),
  remove: async ({ send, segment }) => {
    await (await send({ method: 'DELETE', url: `/files/${segment}` })).text()
  },
  list: (query, call) => partOfItems(page(call, query.purpose, 0), query),
  content: async ({ send, segment }) =>
    (await send({ method: 'GET', url: `/files/${segment}/content`, passes: true })).body,
})
