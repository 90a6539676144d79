import { InvalidRequest } from '../../errors/gateway-error.ts'
import { isRecord } from '../json/record.ts'
import { FileText, FormFile } from './form-file.ts'
import type { Segment } from './segments.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * An object as JSON, with the contents of files where they are named (`base64Of`, `dataUrlOf`).
 * @param token stands for them meanwhile: letters that nobody can guess, so that they stand nowhere else
 */
export const jsonSegments = (body: Fields, token: string): readonly Segment[] => {
  const texts: FileText[] = []
  const json = JSON.stringify(body, function (this: Fields, key: string, value: unknown) {
    const original = Array.isArray(this) ? this[Number(key)] : this[key]
    if (original instanceof FormFile) throw new Error('an adapter puts a file itself into JSON')
    if (!(original instanceof FileText)) return value
    texts.push(original)
    return `${original.prefix}${token}`
  })
  return json.split(token).flatMap((piece, index): readonly Segment[] => {
    const before = texts[index - 1]?.file
    return before === undefined ? [piece] : [{ from: before.start, to: before.end, coding: 'base64' as const }, piece]
  })
}

/** How a list is written: `name[]` for each element, as clients of OpenAI do, or the name again and again. */
export type ListStyle = 'brackets' | 'repeated'

/**
 * An object as the parts of a form, each with a boundary in front of it. Lists are several parts, objects in them are JSON.
 * @throws InvalidRequest for a value that the boundary stands in
 */
export const partSegments = (fields: Fields, boundary: string, style: ListStyle): readonly Segment[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    valuesOf(name, value, style).flatMap(([key, each]): readonly Segment[] => {
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(key)}"`
      if (each instanceof FormFile) {
        const type = each.type || 'application/octet-stream'
        const named = `${head}; filename="${quoted(each.filename || 'file')}"\r\nContent-Type: ${type}\r\n\r\n`
        return [named, { from: each.start, to: each.end }, '\r\n']
      }
      return [`${head}\r\n\r\n`, valueSegment(name, each, boundary), '\r\n']
    }),
  )

/** The text of a field. @throws InvalidRequest when the boundary stands in it */
export const valueSegment = (name: string, value: unknown, boundary: string): string => {
  const text = asText(value)
  if (!text.includes(`--${boundary}`)) return text
  throw new InvalidRequest(`\`${name}\` holds the boundary of the form.`, { param: name })
}

/** A whole form. @param boundary that nobody can guess */
export const formSegments = (fields: Fields, boundary: string): readonly Segment[] => [
  ...partSegments(fields, boundary, 'repeated'),
  `--${boundary}--\r\n`,
]

const valuesOf = (name: string, value: unknown, style: ListStyle): (readonly [string, string | FormFile])[] => {
  if (value === undefined || value === null) return []
  if (value instanceof FormFile) return [[name, value]]
  if (Array.isArray(value)) {
    const key = style === 'brackets' ? `${name}[]` : name
    return value.map((item: unknown) => [key, item instanceof FormFile ? item : asText(item)])
  }
  if (style === 'brackets' && isRecord(value)) {
    return Object.entries(value).flatMap(([key, item]) => valuesOf(`${name}[${key}]`, item, style))
  }
  return [[name, asText(value)]]
}

const asText = (value: unknown): string => {
  if (value instanceof FileText) throw new Error('an adapter puts the text of a file into a form')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

/** As browsers write it (HTML standard, multipart/form-data encoding algorithm, read 2026-11-22). */
const quoted = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('\\', '_')
