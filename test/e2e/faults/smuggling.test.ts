import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { CALL_HEADERS, chat, type Probe, startProbe } from './support/probe.ts'
import { expectNothingInternal, openWire } from './support/wire.ts'

let probe: Probe
beforeAll(async () => {
  probe = await startProbe()
})
afterAll(() => probe.close())

const CRLF = '\r\n'
const FIXED = Object.entries(CALL_HEADERS).map(([name, value]) => `${name}: ${value}`)
const BODY = JSON.stringify(chat())
const head = (lines: readonly string[], first = 'POST /v1/chat/completions HTTP/1.1'): string =>
  [first, 'host: gateway.test', ...FIXED, ...lines, '', ''].join(CRLF)
/** A request that a body would have to be taken for: it asks for the list of models of nobody. */
const SMUGGLED = `GET /smuggled HTTP/1.1${CRLF}host: gateway.test${CRLF}${CRLF}`
const CANARY = `GET /healthz HTTP/1.1${CRLF}host: gateway.test${CRLF}connection: close${CRLF}${CRLF}`
const chunked = (text: string, size = text.length.toString(16)): string => `${size}${CRLF}${text}${CRLF}0${CRLF}${CRLF}`

/**
 * Each attack is sent with a canary right behind it on the same connection. Whatever the server makes of the attack, it
 * may answer it once and then the canary, or close; it may never answer what was hidden in the attack.
 */
const ATTACKS: Readonly<Record<string, string>> = {
  'length and chunked': head([`content-length: ${BODY.length}`, 'transfer-encoding: chunked']) + BODY + SMUGGLED,
  'chunked and length': head(['transfer-encoding: chunked', 'content-length: 5']) + chunked(BODY) + SMUGGLED,
  'length shorter than the chunked body': `${head(['content-length: 4', 'transfer-encoding: chunked'])}0${CRLF}${CRLF}${SMUGGLED}`,
  'two lengths': head([`content-length: ${BODY.length}`, 'content-length: 3']) + BODY + SMUGGLED,
  'two lengths, the short one first': head(['content-length: 3', `content-length: ${BODY.length}`]) + BODY + SMUGGLED,
  'a list of lengths': head([`content-length: ${BODY.length}, 3`]) + BODY + SMUGGLED,
  'a signed length': head([`content-length: +${BODY.length}`]) + BODY + SMUGGLED,
  'a length in hex': head([`content-length: 0x${BODY.length.toString(16)}`]) + BODY + SMUGGLED,
  'a negative length': head(['content-length: -1']) + BODY + SMUGGLED,
  'a length with a space inside': head(['content-length: 1 0']) + BODY + SMUGGLED,
  'a space before the colon': head([`content-length : ${BODY.length}`]) + BODY + SMUGGLED,
  'a folded header': head(['transfer-encoding:', ' chunked']) + chunked(BODY) + SMUGGLED,
  'an unknown encoding': head(['transfer-encoding: xchunked']) + chunked(BODY) + SMUGGLED,
  'an encoding hidden by a tab': head(['transfer-encoding:\tchunked', 'content-length: 4']) + chunked(BODY) + SMUGGLED,
  'chunked twice': head(['transfer-encoding: chunked', 'transfer-encoding: chunked']) + chunked(BODY) + SMUGGLED,
  'chunked not last': head(['transfer-encoding: chunked, identity']) + chunked(BODY) + SMUGGLED,
  'chunked and a stranger': head(['transfer-encoding: chunked', 'transfer-encoding: cow']) + chunked(BODY) + SMUGGLED,
  'a vertical tab in the encoding':
    head(['transfer-encoding: \u000bchunked', 'content-length: 4']) + chunked(BODY) + SMUGGLED,
  'a chunk size that is no number': head(['transfer-encoding: chunked']) + chunked(BODY, 'zz') + SMUGGLED,
  'a chunk size with a sign':
    head(['transfer-encoding: chunked']) + chunked(BODY, `+${BODY.length.toString(16)}`) + SMUGGLED,
  'a chunk size with a prefix':
    head(['transfer-encoding: chunked']) + chunked(BODY, `0x${BODY.length.toString(16)}`) + SMUGGLED,
  'a chunk size beyond 64 bits': head(['transfer-encoding: chunked']) + chunked(BODY, 'fffffffffffffffff') + SMUGGLED,
  'a chunk size that wraps around':
    head(['transfer-encoding: chunked']) + chunked(BODY, `1${'0'.repeat(15)}5`) + SMUGGLED,
  'a chunk that is longer than it says':
    head(['transfer-encoding: chunked']) + chunked(`${BODY}xx`, BODY.length.toString(16)) + SMUGGLED,
  'bare line feeds': head(['transfer-encoding: chunked']).replaceAll(CRLF, '\n') + chunked(BODY) + SMUGGLED,
  'a NUL in a header': head(['x-a: b\u0000c', `content-length: ${BODY.length}`]) + BODY + SMUGGLED,
  'a carriage return in a header':
    head([`x-a: b\rcontent-length: 0`, `content-length: ${BODY.length}`]) + BODY + SMUGGLED,
  'a header without a colon': head(['transfer-encoding chunked', `content-length: ${BODY.length}`]) + BODY + SMUGGLED,
  'a header without a name': head([': chunked', `content-length: ${BODY.length}`]) + BODY + SMUGGLED,
  'two hosts': head(['host: other.test', `content-length: ${BODY.length}`]) + BODY + SMUGGLED,
  'an unknown version':
    head([`content-length: ${BODY.length}`], 'POST /v1/chat/completions HTTP/9.9') + BODY + SMUGGLED,
  'a space in the target':
    head([`content-length: ${BODY.length}`], 'POST /v1/chat/completions x HTTP/1.1') + BODY + SMUGGLED,
  'a very long header': head([`x-a: ${'a'.repeat(200_000)}`, `content-length: ${BODY.length}`]) + BODY + SMUGGLED,
  'a thousand headers':
    head([...Array.from({ length: 1_000 }, (_, index) => `x-${index}: a`), `content-length: ${BODY.length}`]) +
    BODY +
    SMUGGLED,
}

const statuses = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

/** What reached the provider is the body as a whole, with a length of its own and nothing of the framing. */
const expectCleanUpstream = (from: number): void => {
  for (const request of probe.upstream.requests.slice(from)) {
    expect(Buffer.from(request.body).toString()).toBe(BODY)
    expect(request.headers.get('content-length')).toBe(String(BODY.length))
    expect(request.headers.has('transfer-encoding')).toBe(false)
  }
}

describe('raw requests that two parsers could read differently', () => {
  test.each(Object.entries(ATTACKS))('%s, in one go', async (_name, attack) => {
    const before = probe.upstream.requests.length
    const wire = await openWire(probe.port)
    wire.write(attack + CANARY)
    // A server that waits for the rest of a body gets none.
    const closed = wire.closed()
    setTimeout(() => wire.socket.end(), 150)
    const received = await closed
    expectNothingInternal(received)
    const seen = statuses(received)
    const refused = seen.length <= 1 && (seen[0] ?? 400) >= 400
    // Read as one whole call: then what follows are two requests of their own, each answered in its place.
    const inOrder = seen.length > 1 && seen.at(-1) === 200 && received.trimEnd().endsWith('{"status":"ok"}')
    expect({ seen, ok: refused || inOrder }).toEqual({ seen, ok: true })
    expectCleanUpstream(before)
  })

  test.each(Object.entries(ATTACKS))('%s, and the next request after its answer', async (_name, attack) => {
    const before = probe.upstream.requests.length
    const wire = await openWire(probe.port)
    wire.write(attack.endsWith(SMUGGLED) ? attack.slice(0, -SMUGGLED.length) : attack)
    await Promise.race([wire.until((received) => received.includes('}')), Bun.sleep(100)]).catch(() => undefined)
    const closed = wire.closed()
    wire.write(CANARY)
    setTimeout(() => wire.socket.end(), 150)
    const received = await closed
    expectNothingInternal(received)
    const seen = statuses(received)
    const refused = seen.length <= 1 && (seen[0] ?? 400) >= 400
    const answered = seen.length === 2 && received.trimEnd().endsWith('{"status":"ok"}')
    expect({ seen, ok: refused || answered }).toEqual({ seen, ok: true })
    expectCleanUpstream(before)
  })

  test('a connection that was attacked harms nobody else', async () => {
    const answer = await probe.call(chat())
    expect(answer.status).toBe(200)
    expect(probe.gateway.gateway.calls.running).toBe(0)
  })

  test('a plain call and the next one on the same connection are both answered', async () => {
    const wire = await openWire(probe.port)
    wire.write(head([`content-length: ${BODY.length}`]) + BODY)
    await wire.until((received) => received.includes('Mock answer'))
    wire.write(CANARY)
    expect(statuses(await wire.closed())).toEqual([200, 200])
  })

  test('calls that are sent without waiting are answered in order, or not at all', async () => {
    const wire = await openWire(probe.port)
    const call = (word: string): string => {
      const body = JSON.stringify(chat({}, { messages: [{ role: 'user', content: word }] }))
      return head([`content-length: ${body.length}`]) + body
    }
    wire.write(call('first') + call('second') + CANARY)
    const received = await wire.closed()
    // Bun 1.4.5 closes such a connection.
    const words = [...received.matchAll(/answer to: (\w+)|"status":"(ok)"/g)].map(([, word, ok]) => word ?? ok)
    expect(['first', 'second', 'ok'].slice(0, words.length)).toEqual(words as string[])
  })
})
