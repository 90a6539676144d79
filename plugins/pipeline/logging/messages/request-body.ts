import { describe } from '#calls/messages/media'
import type { FormBody } from '#core/bodies/body'
import type { CallRequest } from '#kit'
import { typeOfBytes } from './content-type.ts'
import { type KeptBody, noteOf } from './kept-stream.ts'

/** What is kept of the request of the client: its bytes as they are here already, or a note of what is never held. */
export const requestBodyOf = ({ body, headers }: CallRequest): KeptBody | undefined => {
  const type = typeOfBytes(headers, 'text')
  // One that was refused for its type has no boundary, and no parts.
  if (body.kind === 'form') return body.isRead && body.boundary !== '' ? formOf(body) : undefined
  if (body.kind === 'streamed') return { note: noteOf(body.length, type ?? 'text'), isTruncated: !body.isRead }
  const bytes = body.received
  if (bytes === undefined || bytes.length === 0) return undefined
  return type === undefined ? { bytes, isTruncated: false } : { note: describe(bytes, type), isTruncated: false }
}

/** The fields of a form by their names, and a note of each file, as JSON. */
const formOf = ({ parts, bytes }: FormBody): KeptBody => {
  const fields = parts.map(({ name, isFile, filename, contentType, content, start, end = start }) => ({
    name,
    ...(isFile
      ? { filename, ...noteOf(bytes?.subarray(start, end) ?? end - start, contentType || 'application/octet-stream') }
      : { value: textOf(content ?? bytes?.subarray(start, end)) }),
  }))
  return { bytes: Buffer.from(JSON.stringify({ form: fields })), isTruncated: false }
}

const textOf = (content: Uint8Array | undefined): string | undefined =>
  content === undefined ? undefined : Buffer.from(content).toString()
