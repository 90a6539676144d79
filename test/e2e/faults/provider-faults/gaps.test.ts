import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { healthy, LAST_CHUNK, streamed, whole } from '../../../support/fault-server/answers.ts'
import { retryHints } from '../../../support/fault-server/faults.ts'
import type { SeenRequest } from '../../../support/fault-server/request.ts'
import { type Play, startFaultServer } from '../../../support/fault-server/server.ts'
import { WIRES } from '../../../support/fault-server/wires.ts'
import { expectWhole } from './support/client.ts'
import { ask, expectedBody, type Scene, startScene } from './support/scene.ts'

/** Milliseconds that the first back-off takes at most, and no hint asks for. */
const BACK_OFF_MS = 80

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ retryBaseMs: BACK_OFF_MS })
})
afterAll(() => scene.close())

/** Milliseconds between the requests. */
const gaps = (requests: readonly SeenRequest[]): number[] =>
  requests.slice(1).map(({ atMs }, index) => atMs - (requests[index]?.atMs ?? 0))

const atFirst = (failing: Play, then: Play): Play =>
  (() => {
    let asked = 0
    return (request) => (asked++ === 0 ? failing(request) : then(request))
  })()

/** Least wait for each spelling; those that are no hint leave the back-off. A date has whole seconds. */
const WAITS: Readonly<Record<string, number>> = {
  none: BACK_OFF_MS / 2,
  seconds: 1_000,
  date: 900,
  milliseconds: 250,
  'x-ms milliseconds': 250,
  'a past date': BACK_OFF_MS / 2,
  'no time at all': BACK_OFF_MS / 2,
}

describe.each(WIRES)('a busy $provider', (wire) => {
  test.each(Object.entries(WAITS))(
    'is asked again, with the same, no sooner than it asks for: %s',
    async (hint, ms) => {
      const busy: Play = () => [
        whole(wire.error('rate_limit_error', 'Busy.'), { status: 429, headers: retryHints(Date.now())[hint] ?? {} }),
      ]
      const target = { retry: { attempts: 2, use_retry_after_header: true } }
      const reply = await ask(scene, { fault: atFirst(busy, healthy(wire)), wire, stream: true, target })
      expectWhole(reply, true)
      expect(reply.primary.map(({ body }) => body)).toEqual([expectedBody(wire, true), expectedBody(wire, true)])
      const [gap = 0] = gaps(reply.primary)
      // A timer may be a little early.
      expect(gap).toBeGreaterThanOrEqual(ms - 5)
      expect(gap).toBeLessThan(ms + 3_000)
      expect(reply.headers.get('x-gateway-retry-attempt-count')).toBe('1')
    },
  )

  test('is not waited for when it asks for too long: the answer is its refusal', async () => {
    const busy: Play = () => [
      whole(wire.error('rate_limit_error', 'Busy.'), { status: 429, headers: { 'retry-after': '31536000' } }),
    ]
    const target = { retry: { attempts: 2, use_retry_after_header: true } }
    const reply = await ask(scene, { fault: busy, wire, stream: true, target })
    expect([reply.status, reply.primary.length]).toEqual([429, 1])
  })
})

describe.each(WIRES)('retries of $provider', (wire) => {
  test('wait longer each time, and end', async () => {
    const failing: Play = () => [whole(wire.error('api_error', 'No.'), { status: 500 })]
    const reply = await ask(scene, { fault: failing, wire, stream: false, target: { retry: { attempts: 2 } } })
    expect([reply.status, reply.primary.length]).toEqual([500, 3])
    expect(new Set(reply.primary.map(({ text }) => text)).size).toBe(1)
    const [first = 0, second = 0] = gaps(reply.primary)
    expect(first).toBeGreaterThanOrEqual(BACK_OFF_MS / 2 - 5)
    expect(second).toBeGreaterThanOrEqual(BACK_OFF_MS - 5)
  })

  test('include streams that fail before they begin', async () => {
    const cut: Play = () => [...streamed(...wire.events(['x']).lead), LAST_CHUNK]
    const fault = atFirst(cut, healthy(wire))
    const reply = await ask(scene, { fault, wire, stream: true, target: { retry: { attempts: 1 } } })
    expectWhole(reply, true)
    expect(reply.primary).toHaveLength(2)
  })
})

describe.each(WIRES)('the first token of $provider', (wire) => {
  test('may be waited for no longer than the target allows; the next one is asked at once', async () => {
    const { lead } = wire.events(['x'])
    for (const fault of [(): ReturnType<Play> => ['hang'], (): ReturnType<Play> => [...streamed(...lead), 'hang']]) {
      const reply = await ask(scene, {
        fault,
        wire,
        stream: true,
        fallback: wire,
        target: { first_token_timeout: 100, retry: { attempts: 5, on_status_codes: [504] } },
      })
      expectWhole(reply, true)
      expect([reply.primary.length, reply.secondary.length]).toEqual([1, 1])
      const [from] = reply.primary
      const [next] = reply.secondary
      expect((next?.atMs ?? 0) - (from?.atMs ?? 0)).toBeGreaterThanOrEqual(50)
      expect(reply.record).toMatchObject({ attempts: [{ status: 504 }, { status: 200 }] })
    }
  })

  test('has an error of its own when no target is left', async () => {
    const { lead } = wire.events(['x'])
    const fault: Play = () => [...streamed(...lead), 'hang']
    const reply = await ask(scene, { fault, wire, stream: true, target: { first_token_timeout: 100 } })
    expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([504, 'first_token_timeout'])
  })
})

test('a connection of an attempt that was given up is let go', async () => {
  const [wire] = WIRES
  if (wire === undefined) throw new Error('no format')
  const silent = await startFaultServer(() => ['hang'])
  try {
    await ask(scene, {
      fault: () => [],
      wire,
      stream: true,
      fallback: wire,
      target: { custom_host: `${silent.url}/v1`, first_token_timeout: 50 },
    })
    expect(silent.requests).toHaveLength(1)
    for (let waits = 0; silent.open > 0 && waits < 200; waits++) await Bun.sleep(10)
    expect(silent.open).toBe(0)
  } finally {
    await silent.close()
  }
})
