/**
 * Names of the objects that files of a bucket lie in. A bucket knows neither what a file is for nor what it was called, so that its name
 * says it, and begins so that the newest come first in a list, which is by name.
 */
import { endpointOfLines } from './input.ts'

/** What stands in the name of an object. */
export interface ObjectTag {
  /** `batch`, `fine-tune`, … */
  readonly purpose: string
  readonly filename: string
  /** Of the lines of a batch: the path of their calls, and their model. */
  readonly lines?: { readonly url: string; readonly model: string } | undefined
}

/** In front of the names of all files that Weir puts into buckets: it touches no others there. */
export const FILES_PREFIX = 'weir-files/'

/** In front of what batches write, where the call names no other place. */
export const OUTPUTS_PREFIX = 'weir-batches/'

const LAST_SECOND = 9_999_999_999
const MAX_FILENAME = 200

/** Letters that URIs of S3 may have at Bedrock (`S3Uri` of botocore 1.44.8, read 2026-11-25), but for those with a meaning here. */
const ESCAPED = /^\.|[^A-Za-z0-9._-]/gu

const toPart = (text: string): string =>
  text.replace(ESCAPED, (letter) =>
    Array.from(Buffer.from(letter), (byte) => `!${byte.toString(16).padStart(2, '0')}`).join(''),
  )

const fromPart = (text: string): string =>
  text.replace(/(?:![0-9a-f]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('!', ''), 'hex').toString())

/** @param id nobody else's @param createdAt seconds since 1970 */
export const nameObject = (
  { purpose, filename, lines }: ObjectTag,
  { id, createdAt }: { readonly id: string; readonly createdAt: number },
): string => {
  const ofLines = lines === undefined ? [] : [lines.url.replace('/v1/', '').replaceAll('/', '.'), lines.model]
  const parts = [...ofLines, filename.slice(-MAX_FILENAME)]
  const age = String(LAST_SECOND - createdAt).padStart(10, '0')
  return `${FILES_PREFIX}${age}-${id}/${[purpose, ...parts].map(toPart).join('/')}`
}

const NAME = /^weir-files\/\d{10}-[A-Za-z0-9-]{1,64}\/([^/]+)\/(?:([^/]+)\/([^/]+)\/)?([^/]+)$/

/** @returns undefined for an object that is none of these */
export const readObjectName = (name: string): ObjectTag | undefined => {
  const [, purpose, kind, model, filename] = NAME.exec(name) ?? []
  if (purpose === undefined || filename === undefined) return undefined
  const said = { purpose: fromPart(purpose), filename: fromPart(filename) }
  if (kind === undefined || model === undefined) return said
  const url = `/v1/${kind.replaceAll('.', '/')}`
  return endpointOfLines(url) === undefined ? undefined : { ...said, lines: { url, model: fromPart(model) } }
}
