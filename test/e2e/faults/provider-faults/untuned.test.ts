import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { allEvents, chunk, LAST_CHUNK, streamed, WORDS, whole } from '../../../support/fault-server/answers.ts'
import { type Fault, PLAIN_FAULTS, STREAM_FAULTS } from '../../../support/fault-server/faults.ts'
import type { Play } from '../../../support/fault-server/server.ts'
import { WIRES } from '../../../support/fault-server/wires.ts'
import { expectBroken, expectWhole } from './support/client.ts'
import { ask, type Scene, startScene } from './support/scene.ts'

/**
 * A fallback of two targets with two retries and nothing else. The deadlines are the ordinary ones, so that only what holds
 * without a word can make up for a silent target; its times are made short.
 */
const RETRY = { retry: { attempts: 2 } }
const SHORT = {
  firstTokenMinMs: 150,
  firstTokenUnknownMs: 150,
  firstTokenThinkingMs: 700,
  silenceMs: 150,
  silenceThinkingMs: 700,
} as const
/** Longest a call may take: one limit and the retries of a target that is not silent, and room for a busy machine. */
const IN_TIME_MS = 5_000

let scene: Scene
let counterpart: Scene
beforeAll(async () => {
  scene = await startScene({}, { deadlines: {}, resilience: SHORT })
  counterpart = await startScene({}, { resilience: { mode: 'counterpart' } })
})
afterAll(() => Promise.all([scene.close(), counterpart.close()]))

let startedMs: number
beforeAll(() => {
  startedMs = performance.now()
})
afterEach(() => {
  startedMs = performance.now()
})

const TABLES: readonly (readonly [string, boolean, Readonly<Record<string, Fault>>])[] = [
  ['streamed', true, STREAM_FAULTS],
  ['in one piece', false, PLAIN_FAULTS],
]

for (const wire of WIRES) {
  for (const fallback of WIRES) {
    for (const [form, stream, faults] of TABLES) {
      describe(`${wire.provider}, ${form}, with ${fallback.provider} behind it`, () => {
        test.each(Object.entries(faults))('%s', async (_name, fault) => {
          const reply = await ask(scene, { fault, wire, stream, fallback, config: RETRY })
          expect(performance.now() - startedMs).toBeLessThan(IN_TIME_MS)
          // What one model would not talk about is not shown to another unless the config says so.
          if (fault.outcome.kind === 'fails' && fault.outcome.refused !== undefined) expect(reply.status).toBe(400)
          else expectWhole(reply, stream)
        })
      })
    }
  }
}

describe.each(WIRES)('a silence of $provider that is no fault', (wire) => {
  const { lead, tokens, tail } = wire.events(WORDS)
  const begun = [...lead, ...tokens.slice(0, 2)]
  const rest = [...tokens.slice(2), ...tail]
  const LONGER = { waitMs: 350 }
  const thoughtOver: Play = () => [...streamed(...lead), LONGER, ...[...tokens, ...tail].map(chunk), LAST_CHUNK]
  const thinking = { reasoning_effort: 'high' }

  test('is that of a model which was asked to think', async () => {
    const body = { ...thinking, max_tokens: 20_000 }
    const plain: Play = () => [LONGER, whole(wire.plain(WORDS))]
    for (const [stream, fault] of [
      [true, thoughtOver],
      [false, plain],
    ] as const) {
      const reply = await ask(scene, { fault, wire, stream, fallback: wire, config: RETRY, body })
      expectWhole(reply, stream)
      expect([reply.primary.length, reply.secondary.length]).toEqual([1, 0])
      expect(reply.record.first_token_limit_ms).toBeGreaterThanOrEqual(700)
    }
  })

  test('is that of the last target: nobody else could take over', async () => {
    const slow: Play = () => [...streamed(...begun), LONGER, ...rest.map(chunk), LAST_CHUNK]
    for (const fault of [slow, thoughtOver]) {
      const reply = await ask(scene, { fault, wire, stream: true, config: RETRY })
      expectWhole(reply, true)
      expect(reply.primary).toHaveLength(1)
      expect(reply.record).not.toHaveProperty('first_token_limit_ms', expect.anything())
    }
  })

  test('is that of an answer which could not go on elsewhere', async () => {
    const call = { index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
    const [openai] = WIRES
    if (openai === undefined || wire !== openai) return
    const event = (delta: unknown, finish: string | null = null): string =>
      wire.event(JSON.stringify({ id: 'i', choices: [{ index: 0, delta, finish_reason: finish }] }))
    const slow: Play = () => [
      ...streamed(event({ role: 'assistant', tool_calls: [call] })),
      LONGER,
      chunk(event({}, 'tool_calls')),
      chunk('data: [DONE]\n\n'),
      LAST_CHUNK,
    ]
    const reply = await ask(scene, { fault: slow, wire, stream: true, fallback: wire, config: RETRY })
    expect([reply.status, reply.secondary.length]).toEqual([200, 0])
    expect(reply.text).toEndWith('data: [DONE]\n\n')
  })

  test('teaches what this target takes', async () => {
    const slow: Play = () => [{ waitMs: 100 }, ...streamed(...allEvents(wire)), LAST_CHUNK]
    const asked = {
      fault: slow,
      wire,
      stream: true,
      fallback: wire,
      target: { override_params: { model: 'slow-one' } },
    }
    const first = await ask(scene, asked)
    expect(first.record.first_token_limit_ms).toBe(150)
    const second = await ask(scene, asked)
    expect(second.record.first_token_limit_ms).toBeGreaterThanOrEqual(400)
  })
})

describe.each(WIRES)('with `resilience.mode: counterpart` $provider', (wire) => {
  test('breaks where it breaks, and is waited for as the deadlines say', async () => {
    const cut = STREAM_FAULTS['cut after tokens']
    if (cut === undefined) throw new Error('no such fault')
    expectBroken(await ask(counterpart, { fault: cut, wire, stream: true, fallback: wire, config: RETRY }))
    const malformed: Play = () => {
      const [first = '', ...events] = allEvents(wire)
      return [...streamed(first, wire.event('{oops'), ...events), LAST_CHUNK]
    }
    const reply = await ask(counterpart, { fault: malformed, wire, stream: true })
    expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([502, 'upstream_invalid'])
    const late: Play = () => [{ waitMs: 300 }, ...streamed(...allEvents(wire)), LAST_CHUNK]
    const waited = await ask(counterpart, { fault: late, wire, stream: true, fallback: wire, config: RETRY })
    expect([waited.status, waited.secondary.length]).toEqual([200, 0])
  })
})

test.each(WIRES)('one malformed event of $provider is left out, and counted in the record', async (wire) => {
  const { lead, tokens, tail } = wire.events(WORDS)
  const fault: Play = () => [...streamed(...lead, wire.event('{oops'), ...tokens, ...tail), LAST_CHUNK]
  const reply = await ask(scene, { fault, wire, stream: true })
  expectWhole(reply, true)
  expect(reply.record).toMatchObject({ outcome: 'completed', skipped_events: 1 })
})
