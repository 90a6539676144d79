/** One request as it came over the socket. */
export interface SeenRequest {
  /** Milliseconds that never step back. */
  readonly atMs: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The bytes of the body, as text. */
  readonly text: string
  /** The body as JSON. */
  readonly body: Readonly<Record<string, unknown>>
}

const HEAD_END = '\r\n\r\n'

/** Takes the first whole request from what a socket has received. The client declares its lengths. */
export const takeRequest = (
  received: Buffer,
  atMs: number,
): { readonly request: SeenRequest; readonly rest: Buffer } | undefined => {
  const headEnd = received.indexOf(HEAD_END)
  if (headEnd === -1) return undefined
  const [first = '', ...lines] = received.subarray(0, headEnd).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const start = headEnd + HEAD_END.length
  const end = start + Number(headers['content-length'] ?? 0)
  if (received.length < end) return undefined
  const text = received.subarray(start, end).toString()
  const [method = '', path = ''] = first.split(' ')
  const body = text === '' ? {} : JSON.parse(text)
  return { request: { atMs, method, path, headers, text, body }, rest: received.subarray(end) }
}
