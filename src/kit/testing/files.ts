import { FileText, FormFile } from '../../core/forms/form-file.ts'
import { isRecord } from '../../core/json/record.ts'

const contents = new WeakMap<FormFile, string>()

/** A file of a form as a case writes it: `{"$file": {"filename": "a.wav", "type": "audio/wav", "content": "RIFF"}}`. */
const fileOf = (value: unknown): FormFile | undefined => {
  const said = isRecord(value) && Object.keys(value).length === 1 ? value.$file : undefined
  if (!isRecord(said)) return undefined
  const { filename, type, content } = said
  if (typeof filename !== 'string' || typeof type !== 'string' || typeof content !== 'string') return undefined
  const file = new FormFile({ filename, type, start: 0, end: Buffer.byteLength(content) })
  contents.set(file, content)
  return file
}

/** The request of a case, with its files as an adapter gets them. */
export const withFiles = (value: unknown): unknown => {
  const file = fileOf(value)
  if (file !== undefined) return file
  if (Array.isArray(value)) return value.map(withFiles)
  if (!isRecord(value)) return value
  const copy: Record<string, unknown> = Object.create(Object.getPrototypeOf(value))
  for (const [name, field] of Object.entries(value)) {
    Object.defineProperty(copy, name, { value: withFiles(field), enumerable: true, writable: true, configurable: true })
  }
  return copy
}

/** As a case writes it: files that are sent as they are, contents in Base64, and bytes in Base64. */
export const written = (value: unknown): unknown => {
  if (value instanceof FormFile) {
    const { filename, type } = value
    return { $file: { filename, type, content: contents.get(value) ?? '' } }
  }
  if (value instanceof FileText) {
    return `${value.prefix}${Buffer.from(contents.get(value.file) ?? '').toString('base64')}`
  }
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}
