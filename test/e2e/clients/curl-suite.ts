import { describe, expect, test } from 'bun:test'
import type { Door } from './support/door.ts'

interface CurlResult {
  readonly exitCode: number
  readonly status: number
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Plain HTTP/1.1 as anybody types it into a terminal. */
export const curlSuite = (door: () => Door): void => {
  describe('curl', () => {
    const curl = async (path: string, args: readonly string[], body?: unknown): Promise<CurlResult> => {
      const data = body === undefined ? [] : ['--json', JSON.stringify(body)]
      const command = ['curl', '--silent', '--no-buffer', '--include', '--max-time', '20', ...args, ...data]
      const child = Bun.spawn([...command, `${door().url}${path}`], { stdin: 'ignore', stdout: 'pipe' })
      const [text, exitCode] = await Promise.all([new Response(child.stdout).text(), child.exited])
      const end = text.indexOf('\r\n\r\n')
      const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
      const pairs = lines.map((line): [string, string] => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      })
      return { exitCode, status: Number(statusLine.split(' ')[1]), headers: new Map(pairs), body: text.slice(end + 4) }
    }
    const call = (body: unknown, ...args: string[]): Promise<CurlResult> =>
      curl(
        '/v1/chat/completions',
        ['-H', `authorization: Bearer ${door().apiKey}`, '-H', 'x-gateway-provider: mock', ...args],
        body,
      )
    const messages = [{ role: 'user', content: 'Hello' }]

    test('chats', async () => {
      const { status, headers, body, exitCode } = await call({ model: 'mock', messages })
      expect([exitCode, status]).toEqual([0, 200])
      expect(headers.get('content-type')).toBe('application/json')
      expect(headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
      expect(JSON.parse(body).choices[0].message.content).toBe('Mock answer to: Hello')
    })

    test('streams events that end as the reference ends them', async () => {
      const { status, headers, body, exitCode } = await call({ model: 'mock', messages, stream: true })
      expect([exitCode, status]).toEqual([0, 200])
      expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
      expect(headers.get('transfer-encoding')).toBe('chunked')
      expect(headers.has('content-length')).toBe(false)
      const events = body.split('\n\n')
      expect(events.slice(-2)).toEqual(['data: [DONE]', ''])
      expect(events.slice(0, -1).every((event) => event.startsWith('data: '))).toBe(true)
      const text = events.slice(0, -2).map((event) => JSON.parse(event.slice(6)).choices[0]?.delta.content ?? '')
      expect(text.join('')).toBe('Mock answer to: Hello')
    })

    test('sends a body without a length, in chunks', async () => {
      const { status, body } = await call({ model: 'mock', messages }, '-H', 'transfer-encoding: chunked')
      expect(status).toBe(200)
      expect(JSON.parse(body).choices[0].message.content).toBe('Mock answer to: Hello')
    })

    test('sees an error as one envelope', async () => {
      const { status, headers, body } = await curl('/v1/chat/completions', [], { model: 'mock', messages })
      expect(status).toBe(401)
      expect(headers.get('content-type')).toBe('application/json')
      expect(JSON.parse(body)).toEqual({
        status: 'failure',
        message: expect.any(String),
        error: { message: expect.any(String), type: 'authentication_error', param: null, code: '03' },
      })
    })

    test('is told which method a path has', async () => {
      const { status, headers } = await curl('/v1/chat/completions', [])
      expect(status).toBe(405)
      expect(headers.get('allow')).toBe('POST')
    })

    test('sees that the gateway is alive and ready, without a key', async () => {
      const alive = await curl('/healthz', [])
      expect([alive.status, JSON.parse(alive.body)]).toEqual([200, { status: 'ok' }])
      const ready = await curl('/readyz', [])
      expect([ready.status, JSON.parse(ready.body).ready]).toEqual([200, true])
    })
  })
}
