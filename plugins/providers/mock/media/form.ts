import { MockRefusal } from '../refusal.ts'

/** A file of a form. */
export interface MockFile {
  readonly filename: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** Fields and files of a request, by their names without `[]`; what comes several times is a list. */
export interface MockForm {
  readonly fields: Readonly<Record<string, unknown>>
  readonly files: ReadonlyMap<string, readonly MockFile[]>
}

/**
 * Reads a `multipart/form-data` body: what goes on from a gateway is well formed, and tests send the rest.
 * @throws MockRefusal for what is none
 */
export const readForm = (body: Uint8Array, contentType: string): MockForm => {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType)?.slice(1).find(Boolean)
  if (boundary === undefined) throw new MockRefusal(400, 'The mock takes `multipart/form-data` here.')
  const parts = Buffer.from(body).toString('latin1').split(`--${boundary}`).slice(1, -1)
  const fields = new Map<string, unknown>()
  const files = new Map<string, MockFile[]>()
  for (const part of parts) {
    const end = part.indexOf('\r\n\r\n')
    const head = part.slice(0, end)
    const content = part.slice(end + 4, -2)
    const name = /;\s*name="([^"]*)"/i.exec(head)?.[1]?.replace(/\[\d*\]$/, '')
    if (end === -1 || name === undefined) throw new MockRefusal(400, 'The form cannot be read.')
    const filename = /;\s*filename="([^"]*)"/i.exec(head)?.[1]
    if (filename === undefined) addTo(fields, name, Buffer.from(content, 'latin1').toString())
    else {
      const type = /content-type:\s*([^\r\n;]+)/i.exec(head)?.[1]?.trim() ?? ''
      files.set(name, [...(files.get(name) ?? []), { filename, type, bytes: Buffer.from(content, 'latin1') }])
    }
  }
  return { fields: Object.fromEntries(fields), files }
}

const addTo = (fields: Map<string, unknown>, name: string, text: string): void => {
  const before = fields.get(name)
  const list: readonly unknown[] = Array.isArray(before) ? before : [before]
  fields.set(name, before === undefined ? text : [...list, text])
}
