import { InvalidRequest } from '../../errors/gateway-error.ts'
import { parseJson } from '../json/json-depth.ts'
import { isRecord } from '../json/record.ts'
import { plainName, readTwice } from './form-fields.ts'
import { FormFile } from './form-file.ts'
import type { FormPart } from './form-reader.ts'
import { kindsOf, schemaOf } from './form-schema.ts'

type Fields = Readonly<Record<string, unknown>>

/** What is known of a form before it comes: JSON Schema of its fields, and the names of its files. */
export interface KnownForm {
  readonly schema: object
  readonly files: Readonly<Record<string, object>>
}

/** `timestamp_granularities[]`, `chunking_strategy[type]`: how clients write lists and objects. */
const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/

/** Longest way into an object: `a[b][c]`. */
const MAX_DEPTH = 4

/** One part under its name: the keys of the object that it belongs to, or `['']` for an element of a list. */
interface Entry {
  readonly keys: readonly string[]
  readonly part: FormPart
}

/**
 * The parameters that a form stands for: its fields, read as their schema says (`2` as a number, `name[]` as a list,
 * `name[key]` as an object), and its files. Fields without a schema are texts.
 * @throws InvalidRequest naming a field that can be read in two ways
 */
export const formParams = (parts: readonly FormPart[], known: KnownForm): Fields => {
  const { properties } = known.schema as { readonly properties?: Readonly<Record<string, unknown>> }
  const names = new Set([...Object.keys(properties ?? {}), ...Object.keys(known.files)])
  const entries = new Map<string, Entry[]>()
  for (const part of parts) {
    const [name, keys] = placeOf(part.name)
    const meant = plainName(part.name)
    if (name !== meant && names.has(meant)) throw readTwice(meant)
    const of = entries.get(name) ?? []
    of.push({ keys, part })
    entries.set(name, of)
  }
  // From entries, as a client may well name a field `__proto__`.
  return Object.fromEntries(
    [...entries].map(([name, of]) => [
      name,
      of.some(({ part }) => part.isFile) || Object.hasOwn(known.files, name)
        ? filesIn(name, of)
        : fieldOf(name, of, Object.hasOwn(properties ?? {}, name) ? properties?.[name] : undefined),
    ]),
  )
}

const placeOf = (written: string): readonly [name: string, keys: readonly string[]] => {
  const [, name, rest] = NAME.exec(written) ?? []
  if (name === undefined || rest === undefined) return [written, []]
  return [name, rest === '' ? [] : rest.slice(1, -1).split('][')]
}

const filesIn = (name: string, entries: readonly Entry[]): FormFile | readonly FormFile[] => {
  const files = entries.map(({ keys, part }) => {
    if (!part.isFile) throw refused(name, 'must be sent as a file, with a file name')
    if (keys.length > 1 || !/^\d*$/.test(keys[0] ?? '')) throw readTwice(name)
    return fileOf(part)
  })
  const [only] = files
  return files.length === 1 && only !== undefined ? only : files
}

const fileOf = ({ filename, contentType, start, end = start }: FormPart): FormFile =>
  new FormFile({
    filename: filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1),
    type: contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '',
    start,
    end,
  })

const fieldOf = (name: string, entries: readonly Entry[], schema: unknown): unknown => {
  const kinds = kindsOf(schema)
  const isObject = entries.some(({ keys }) => keys.some((key) => !/^\d*$/.test(key)))
  if (isObject) {
    if (schema !== undefined && !kinds.has('object')) throw readTwice(name)
    return objectOf(name, entries, schema)
  }
  const texts = entries.map(({ keys, part }) => {
    if (keys.length > 1) throw readTwice(name)
    return textOf(name, part)
  })
  const isList = entries.length > 1 || entries.some(({ keys }) => keys.length > 0)
  if (isList && schema !== undefined && !kinds.has('array')) throw readTwice(name)
  const [only = ''] = texts
  if (isList || (kinds.has('array') && !kinds.has('string'))) {
    const items = schemaOf(schema, 'array')?.items
    return texts.map((text) => scalar(text, items))
  }
  return scalar(only, schema)
}

const objectOf = (name: string, entries: readonly Entry[], schema: unknown): Fields => {
  const whole: Record<string, unknown> = Object.create(null)
  for (const { keys, part } of entries) {
    if (keys.length === 0 || keys.length > MAX_DEPTH) throw readTwice(name)
    let object = whole
    let inner: unknown = schema
    for (const [index, key] of keys.entries()) {
      const { properties } = schemaOf(inner, 'object') ?? {}
      inner = isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined
      if (index === keys.length - 1) {
        if (key in object) throw readTwice(name)
        object[key] = scalar(textOf(name, part), inner)
      } else {
        const next: unknown = object[key] ?? Object.create(null)
        if (typeof next !== 'object' || next === null) throw readTwice(name)
        object[key] = next
        object = next as Record<string, unknown>
      }
    }
  }
  return whole
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Content types of a part that is one text for every reader. */
const PLAIN = /^(?:(?:text\/plain|application\/json)(?:;[ \t]*charset=(?:"utf-8"|utf-8|us-ascii))?)?$/i

const textOf = (name: string, { content, contentType }: FormPart): string => {
  if (!PLAIN.test(contentType.trim())) throw readTwice(name)
  try {
    return decoder.decode(content)
  } catch {
    throw refused(name, 'must be text in UTF-8')
  }
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** What a text stands for. One that does not fit its schema stays a text, which the check refuses then. */
const scalar = (text: string, schema: unknown): unknown => {
  const kinds = kindsOf(schema)
  if ((kinds.has('number') || kinds.has('integer')) && NUMBER.test(text)) return Number(text)
  if (kinds.has('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (kinds.has('object') && text.startsWith('{')) {
    try {
      return parseJson(text)
    } catch {
      return text
    }
  }
  return text
}

const refused = (name: string, problem: string): InvalidRequest =>
  new InvalidRequest(`\`${name}\` ${problem}.`, { param: name })
