import { describe, expect, test } from 'bun:test'
import { BodyTimeout, BodyTooLarge, InvalidRequest } from '../errors/gateway-error.ts'
import { readBody } from './read-body.ts'

const LIMITS = { maxBytes: 10, timeoutMs: 1_000 }

interface Source {
  readonly request: Request
  readonly cancelled: () => boolean
}

/** A request whose body comes in these pieces, and then ends, breaks or hangs. */
const source = (
  pieces: readonly string[],
  then: 'end' | 'break' | 'hang' = 'end',
  headers: Readonly<Record<string, string>> = {},
): Source => {
  let cancelled = false
  const left = [...pieces]
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = left.shift()
      if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece))
      else if (then === 'end') controller.close()
      else if (then === 'break') controller.error(new Error('the socket is gone'))
      else await new Promise(() => undefined)
    },
    cancel() {
      cancelled = true
    },
  })
  return { request: new Request('http://x/', { method: 'POST', body, headers }), cancelled: () => cancelled }
}

describe('the body of a request', () => {
  test('is put together as it came', async () => {
    const { request } = source(['ab', '', 'cd', 'e'])
    expect(new TextDecoder().decode(await readBody(request, LIMITS))).toBe('abcde')
  })

  test('may be missing', async () => {
    expect(await readBody(new Request('http://x/'), LIMITS)).toHaveLength(0)
  })

  test('may be as large as the limit, and not one byte larger', async () => {
    expect(await readBody(source(['12345', '67890']).request, LIMITS)).toHaveLength(10)
    const { request, cancelled } = source(['12345', '67890', '1'], 'hang')
    await expect(readBody(request, LIMITS)).rejects.toThrow(BodyTooLarge)
    expect(cancelled()).toBe(true)
  })

  test('that is declared larger is refused unread', async () => {
    const { request } = source([], 'hang', { 'content-length': '11' })
    await expect(readBody(request, LIMITS)).rejects.toThrow(BodyTooLarge)
  })

  test('that does not come is refused in time', async () => {
    await expect(readBody(source(['ab'], 'hang').request, { ...LIMITS, timeoutMs: 20 })).rejects.toThrow(BodyTimeout)
  })

  test('that breaks off is refused without the words of the runtime', async () => {
    const failure = await readBody(source(['ab'], 'break').request, LIMITS).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(InvalidRequest)
    expect(String(failure)).not.toContain('socket')
  })

  test('that is compressed is refused by name', async () => {
    for (const encoding of ['gzip', 'br', 'GZIP', 'identity, gzip']) {
      const { request } = source(['x'], 'end', { 'content-encoding': encoding })
      await expect(readBody(request, LIMITS)).rejects.toMatchObject({ options: { param: 'content-encoding' } })
    }
    expect(await readBody(source(['x'], 'end', { 'content-encoding': 'Identity' }).request, LIMITS)).toHaveLength(1)
  })
})
