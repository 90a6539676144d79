import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chat, type Probe, startProbe } from '../faults/support/probe.ts'
import { eventually, expectNothingInternal, openWire, requestHead } from '../faults/support/wire.ts'

const MAX_BODY_BYTES = 10_000
const BODY_TIMEOUT_MS = 400

let probe: Probe
beforeAll(async () => {
  probe = await startProbe({ config: { server: { maxBodyBytes: MAX_BODY_BYTES, bodyTimeoutMs: BODY_TIMEOUT_MS } } })
})
afterAll(() => probe.close())

/** Sends a head and pieces of a body as they are, and gives what came back until the answer is complete. */
const send = async (
  headers: Readonly<Record<string, string>>,
  pieces: Iterable<string | Uint8Array>,
): Promise<string> => {
  const wire = await openWire(probe.port)
  wire.write(`${requestHead(headers)}\r\n\r\n`)
  for (const piece of pieces) wire.write(piece)
  await wire.until((received) => /\r\n\r\n.*\}$/s.test(received))
  wire.leave()
  expectNothingInternal(wire.received)
  return wire.received
}

const jsonOfLength = (length: number): string => {
  const frame = JSON.stringify(chat({}, { user: '' }))
  return JSON.stringify(chat({}, { user: 'x'.repeat(length - frame.length) }))
}
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

describe('a body larger than the limit is 413, and nothing of it reaches the provider', () => {
  test('declared', async () => {
    const before = probe.upstream.counters.received
    const body = jsonOfLength(MAX_BODY_BYTES + 1)
    const answer = await send({ 'content-length': String(body.length) }, [body])
    expect(answer).toStartWith('HTTP/1.1 413 ')
    expect(answer).toContain('"code":"body_too_large"')
    expect(probe.upstream.counters.received).toBe(before)
  })

  test('declared, and never sent', async () => {
    expect(await send({ 'content-length': '1000000000000' }, [])).toStartWith('HTTP/1.1 413 ')
  })

  test('in chunks, as soon as it has grown too large', async () => {
    const before = probe.upstream.counters.received
    const piece = chunk('x'.repeat(MAX_BODY_BYTES / 4))
    // The last chunk never comes.
    const answer = await send({ 'transfer-encoding': 'chunked' }, [piece, piece, piece, piece, piece])
    expect(answer).toStartWith('HTTP/1.1 413 ')
    expect(probe.upstream.counters.received).toBe(before)
  })

  test.each(['99999999999999999999999', '-1', '1e3', '0x10', '+5', '5 5', 'abc'])(
    'a length of %p is refused, and the connection with it',
    async (length) => {
      const before = probe.upstream.counters.received
      const wire = await openWire(probe.port)
      wire.write(`${requestHead({ 'content-length': length })}\r\n\r\n{}`)
      await wire.closed()
      expect(wire.received).toMatch(/^$|^HTTP\/1\.1 4\d\d /)
      expect(probe.upstream.counters.received).toBe(before)
    },
  )
})

describe('a body of exactly the limit is read', () => {
  test.each(['declared', 'chunked'])('%s', async (framing) => {
    const body = jsonOfLength(MAX_BODY_BYTES)
    expect(body).toHaveLength(MAX_BODY_BYTES)
    const answer =
      framing === 'declared'
        ? await send({ 'content-length': String(body.length) }, [body])
        : await send({ 'transfer-encoding': 'chunked' }, [chunk(body.slice(0, 77)), chunk(body.slice(77)), '0\r\n\r\n'])
    expect(answer).toStartWith('HTTP/1.1 200 ')
  })
})

describe('a body that comes too slowly is 408', () => {
  test.each([
    ['declared', { 'content-length': '500' }, '{"model":'],
    ['chunked', { 'transfer-encoding': 'chunked' }, '5\r\n{"mod\r\n'],
  ] as const)('%s', async (_framing, headers, piece) => {
    const before = probe.gateway.records.length
    const answer = await send(headers, [piece])
    expect(answer).toStartWith('HTTP/1.1 408 ')
    expect(answer).toContain('"code":"body_timeout"')
    expect(probe.gateway.records.slice(before)).toHaveLength(1)
    expect(probe.gateway.records.at(-1)).toMatchObject({ outcome: 'failed', status: 408 })
  })

  test('however many bytes drip in between', async () => {
    const wire = await openWire(probe.port)
    wire.write(`${requestHead({ 'content-length': '500' })}\r\n\r\n`)
    const drip = setInterval(() => wire.write(' '), 50)
    await wire.until((received) => received.startsWith('HTTP/1.1 408 '))
    clearInterval(drip)
    wire.leave()
  })
})

test('a stranger cannot make the gateway hold a body', async () => {
  const wire = await openWire(probe.port)
  wire.write(`${requestHead({ 'x-gateway-api-key': 'nobody', 'content-length': '9000' })}\r\n\r\n`)
  // Refused before a byte of the body came.
  await wire.until((received) => received.startsWith('HTTP/1.1 401 '))
  wire.leave()
  await eventually(() => probe.gateway.gateway.calls.running === 0, 'no call runs')
})

test('a compressed body is refused by name', async () => {
  const body = Bun.gzipSync(JSON.stringify(chat()))
  const answer = await send({ 'content-encoding': 'gzip', 'content-length': String(body.length) }, [body])
  expect(answer).toStartWith('HTTP/1.1 400 ')
  expect(answer).toContain('"param":"content-encoding"')
})
