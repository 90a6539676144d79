import { InvalidRequest } from '../../errors/gateway-error.ts'
import { foldedName } from '../json/known-fields.ts'
import type { FormPart } from './form-reader.ts'

/** A field of a form or a query: what it is called, and its value. */
type Field = readonly [name: string, value: string]

/** Fields that an urlencoded form may have: each takes a decoder of its own, a million of them seconds. */
const MAX_FIELDS = 10_000

/**
 * The value of one field of a query or of an urlencoded form.
 * @param text without a `?`
 * @throws InvalidRequest when some reader would find another value: twice, in another case, behind a semicolon; for too many
 * fields
 */
export const urlencodedField = (text: string, name: string): string | undefined => {
  const fields: Field[] = []
  const pieces = text.split('&')
  const separators = pieces.length - 1 + (text.match(/;/g)?.length ?? 0)
  if (separators >= MAX_FIELDS) throw new InvalidRequest(`The form has more than ${MAX_FIELDS} fields.`)
  for (const piece of pieces) {
    for (const [index, part] of piece.split(';').entries()) {
      const [key = '', value = ''] = new URLSearchParams(part).entries().next().value ?? []
      // Behind a semicolon begins a field for some readers, and none for others.
      if (index === 0) fields.push([key, piece === part ? value : `${value};`])
      else if (plainName(key) === name) throw readTwice(name)
    }
  }
  return onlyField(fields, name)
}

/**
 * The text of one field of a multipart form.
 * @throws InvalidRequest when some reader would find another: twice, in another case, as a file, in another encoding
 */
export const multipartField = (parts: readonly FormPart[], name: string): string | undefined =>
  onlyField(
    parts
      .filter((part) => isNamed(part, name))
      .map((part): Field => {
        const isPlain = /^(?:text\/plain(?:;[ \t]*charset=(?:"utf-8"|utf-8|us-ascii))?)?$/i.test(
          part.contentType.trim(),
        )
        if (part.isFile || !isPlain) throw readTwice(name)
        return [part.name, new TextDecoder().decode(part.content)]
      }),
    name,
  )

/** The form with another value for a field that it has once, in plain letters; all else stays as it was written. */
export const withUrlencodedField = (text: string, name: string, value: string): string =>
  text
    .split('&')
    .map((piece) => (new URLSearchParams(piece).has(name) ? `${name}=${encodeURIComponent(value)}` : piece))
    .join('&')

/** The bytes of a form with another value for a field that it has once; all else stays as it was written. */
export const withMultipartField = (
  form: Uint8Array,
  parts: readonly FormPart[],
  name: string,
  value: string,
): Uint8Array => {
  const part = parts.find((each) => each.name === name)
  if (part?.content === undefined) return form
  return Buffer.concat([
    form.subarray(0, part.start),
    Buffer.from(value),
    form.subarray(part.start + part.content.length),
  ])
}

const onlyField = (fields: readonly Field[], name: string): string | undefined => {
  const meant = fields.filter(([key]) => plainName(key) === name)
  const [only] = meant
  if (only === undefined) return undefined
  const [key, value] = only
  if (meant.length > 1 || key !== name || value !== value.trim() || value.endsWith(';')) throw readTwice(name)
  return value
}

/** Whether some reader takes a part for the field of this name. */
export const isNamed = (part: Pick<FormPart, 'name'>, name: string): boolean => plainName(part.name) === name

/** Name that the most lenient reader takes it for: without regard to case, blanks, NULs, or what makes it a list. */
export const plainName = (name: string): string => foldedName(name).replace(/[\s\0]+|\[.*$/gs, '')

export const readTwice = (name: string): InvalidRequest =>
  new InvalidRequest(`The field \`${name}\` can be read in more than one way: send it once, as plain text.`, {
    param: name,
  })
