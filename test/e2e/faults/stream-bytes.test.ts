import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { FaultName } from '../../../plugins/providers/mock/faults.ts'
import type { Plan } from '../../../plugins/providers/mock/plan.ts'
import { rawCall } from '../../../plugins/providers/mock/test-support/raw-client.ts'
import { dataOf, events, text } from '../../../plugins/providers/mock/test-support/stream.ts'
import { delta, ENDING, gate, streamPlan } from './support/gated.ts'
import { chat, type Probe, startProbe } from './support/probe.ts'
import { openCall } from './support/wire.ts'

const WITH_USAGE = { stream: true, stream_options: { include_usage: true } }

let probe: Probe
/** Answers the next calls instead of the mock, when a test sets it. */
let own: (() => Plan) | undefined
beforeAll(async () => {
  probe = await startProbe({
    upstream: { answer: () => own?.() },
    config: {
      server: { keepAliveMs: 40 },
      plugins: [{ route: { firstEventPatienceMs: 40 } }],
    },
  })
})
afterAll(() => probe.close())

describe('the bytes of a stream', () => {
  const kinds: readonly (FaultName | undefined)[] = [
    undefined,
    'split-utf8',
    'newline-cr',
    'newline-crlf',
    'newline-mixed',
    'comments',
    'empty-data',
    'multi-line-data',
    'unknown-fields',
    'tool-name-split',
    'done-in-content',
    'deep-json',
  ]
  const splits = [1, 2, 7, 1024]
  test.each(kinds.flatMap((fault) => splits.map((chunkBytes) => [fault ?? 'no fault', chunkBytes] as const)))(
    'come out as they went in: %s, cut every %d bytes',
    async (name, chunkBytes) => {
      const fault = name === 'no fault' ? {} : { fault: name }
      const small = name === 'deep-json' ? { depth: 200 } : {}
      const body = chat(
        { ...fault, ...small, chunkBytes },
        { ...WITH_USAGE, messages: [{ role: 'user', content: 'Grüße, 漢字 🙂 e\u0301' }] },
      )
      own = undefined
      const direct = await rawCall({ port: probe.upstream.port, body })
      const through = await probe.call(body)
      expect([through.status, through.terminated]).toEqual([200, true])
      expect(withoutKeepAlives(text(through))).toBe(text(direct))
      // The request went on byte by byte too.
      expect(Buffer.from(probe.upstream.requests.at(-1)?.body ?? '').toString()).toBe(JSON.stringify(body))
    },
  )

  test('lose only a leading byte order mark', async () => {
    const body = chat({ fault: 'byte-order-mark', chunkBytes: 1 }, WITH_USAGE)
    const direct = await rawCall({ port: probe.upstream.port, body })
    expect(direct.body[0]).toBe(0xef)
    const through = await probe.call(body)
    expect(withoutKeepAlives(text(through))).toBe(direct.body.subarray(3).toString())
  })

  test('lose only the usage chunk that the client did not ask for, and the log has it', async () => {
    const asked = chat({ chunkBytes: 3 }, WITH_USAGE)
    const direct = dataOf(await rawCall({ port: probe.upstream.port, body: asked }))
    const through = await probe.call(chat({ chunkBytes: 3 }, { stream: true }))
    const isUsage = (data: string): boolean => data.includes('"choices":[]')
    expect(direct.filter(isUsage)).toHaveLength(1)
    const withoutId = (data: readonly string[]) => data.map((item) => item.replace(/chatcmpl-mock-[0-9a-f]+/, 'id'))
    expect(withoutId(dataOf(through))).toEqual(withoutId(direct.filter((data) => !isUsage(data))))
    const record = await probe.recordOf(through)
    expect(record).toMatchObject({
      outcome: 'completed',
      stream: true,
      usage: { input_tokens: 4, output_tokens: 7, total_tokens: 11 },
    })
  })
})

describe('the pace of a stream', () => {
  test('every event goes out before the next one exists', async () => {
    const gates = Array.from({ length: 12 }, gate)
    own = () =>
      streamPlan(
        (async function* () {
          for (const [index, { opened }] of gates.entries()) {
            yield delta(`word-${index}`)
            await opened
          }
          yield* ENDING
        })(),
      )
    const client = await openCall(probe.port, chat({}, { stream: true }))
    for (const [index, { open }] of gates.entries()) {
      await client.until((received) => received.includes(`word-${index}"`))
      expect(client.received).not.toContain(`word-${index + 1}"`)
      open()
    }
    await client.until((received) => received.includes('data: [DONE]'))
    client.leave()
  })

  test('a silent model is bridged by comments, before the first event and between two', async () => {
    const first = gate()
    const second = gate()
    own = () =>
      streamPlan(
        (async function* () {
          // The head only goes out with the first bytes; a comment is no event.
          yield ': thinking\n\n'
          await first.opened
          yield delta('one')
          await second.opened
          yield delta('two')
          yield* ENDING
        })(),
      )
    const keepAlives = (received: string): number => received.split(': keep-alive\n\n').length - 1
    const client = await openCall(probe.port, chat({}, { stream: true }))
    await client.until((received) => keepAlives(received) >= 2)
    expect(client.received).toStartWith('HTTP/1.1 200 OK\r\n')
    first.open()
    await client.until((received) => received.includes('"one"'))
    const before = keepAlives(client.received)
    await client.until((received) => keepAlives(received) >= before + 2)
    second.open()
    await client.until((received) => received.endsWith('0\r\n\r\n'))
    const body = client.received.slice(client.received.indexOf('\r\n\r\n') + 4)
    const unchunked = body.replace(/^[0-9a-f]+\r\n|\r\n[0-9a-f]+\r\n/g, '')
    expect(events(Buffer.from(unchunked, 'latin1')).map(({ data }) => data)).toHaveLength(4)
    client.leave()
  })

  test('a connection that breaks after an event was seen becomes an error event, and no terminator follows', async () => {
    for (const ending of ['reset', 'close', 'end'] as const) {
      const seen = gate()
      own = () =>
        streamPlan(
          (async function* () {
            yield delta('alpha')
            await seen.opened
            yield delta('omega').slice(0, 40)
          })(),
          ending,
        )
      const client = await openCall(probe.port, chat({}, { stream: true }))
      await client.until((received) => received.includes('alpha'))
      seen.open()
      await client.until((received) => received.endsWith('0\r\n\r\n'))
      expect(client.received).toContain('"stream_truncated"')
      expect(client.received).not.toContain('[DONE]')
      // A half event is never passed on.
      expect(client.received).not.toContain(
        'chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"omega',
      )
      client.leave()
    }
  })
})

const withoutKeepAlives = (stream: string): string => stream.replaceAll(': keep-alive\n\n', '')
