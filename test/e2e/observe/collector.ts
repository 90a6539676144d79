import { gunzipSync } from 'node:zlib'

/** What a collector was sent in one request. */
export interface Received {
  readonly path: string
  readonly headers: Headers
  /** Unpacked. */
  readonly body: Uint8Array
}

/** A receiver of OTLP over HTTP, as a collector has one. */
export interface TestCollector {
  readonly url: string
  readonly received: readonly Received[]
  /** Bodies that came to a path, as JSON. */
  json(path: string): readonly unknown[]
  /** Texts in the messages that came to a path, however deep. */
  texts(path: string): readonly string[]
  close(): Promise<void>
}

/** @param status what it answers with */
export const startCollector = (status: () => number = () => 200): TestCollector => {
  const received: Received[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const headers = new Headers(request.headers)
      const sent = new Uint8Array(await request.arrayBuffer())
      const body = headers.get('content-encoding') === 'gzip' ? new Uint8Array(gunzipSync(sent)) : sent
      received.push({ path: new URL(request.url).pathname, headers, body })
      const isJson = headers.get('content-type')?.includes('json') === true
      return new Response(isJson ? '{}' : new Uint8Array(0), {
        status: status(),
        headers: { 'content-type': isJson ? 'application/json' : 'application/x-protobuf' },
      })
    },
  })
  const at = (path: string): readonly Received[] => received.filter((each) => each.path === path)
  return {
    url: `http://127.0.0.1:${server.port}`,
    received,
    json: (path) => at(path).map(({ body }) => JSON.parse(new TextDecoder().decode(body))),
    texts: (path) => at(path).flatMap(({ body }) => textsOf(body)),
    close: () => server.stop(true),
  }
}

const strict = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a message of Protocol Buffers without its description: each field of bytes is a text if it is one, and a message
 * if it can be read as one.
 */
const textsOf = (bytes: Uint8Array): readonly string[] => {
  const texts: string[] = []
  for (const field of fieldsOf(bytes) ?? []) {
    try {
      texts.push(strict.decode(field))
    } catch {
      // A message with numbers in it.
    }
    texts.push(...textsOf(field))
  }
  return texts
}

/** The fields of bytes of a message; nothing for what is none. */
const fieldsOf = (bytes: Uint8Array): readonly Uint8Array[] | undefined => {
  const fields: Uint8Array[] = []
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]
      if (byte === undefined) return Number.NaN
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const tag = varint()
    const type = tag % 8
    if (type === 0) varint()
    else if (type === 1) at += 8
    else if (type === 5) at += 4
    else if (type === 2) {
      const length = varint()
      if (!(at + length <= bytes.length)) return undefined
      fields.push(bytes.subarray(at, at + length))
      at += length
    } else return undefined
  }
  return at === bytes.length ? fields : undefined
}
