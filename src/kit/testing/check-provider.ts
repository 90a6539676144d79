import { expect } from 'bun:test'
import fc from 'fast-check'
import { adaptRequest } from '../../calls/adapt.ts'
import type { SseEvent } from '../../core/bodies/sse.ts'
import { isRecord } from '../../core/json/record.ts'
import { GatewayError, ProviderKeyRequired } from '../../errors/gateway-error.ts'
import type { AdapterContext, Provider } from '../provider/provider.ts'
import { describeThrown, thrownBy } from './check-case.ts'
import { recordingOf } from './check-stream.ts'
import { deepFreeze } from './deep-freeze.ts'
import { type Fixture, isStreamed } from './fixture.ts'
import { anyJson, mutated } from './fuzz.ts'
import {
  type AnyAdapter,
  adapterOfCase,
  CONFORM_KEY,
  CONFORM_OUTGOING,
  contextOf,
  providerOf,
  requestOf,
  type Subject,
  settingsOf,
} from './subject.ts'

const RUNS = 300

/**
 * The key goes into a header, if the provider needs one; without a key no header pretends that there was one. A provider that has logins
 * alone may refuse keys.
 */
export const checkAuthorize = async ({ providers }: Subject): Promise<void> => {
  for (const provider of providers) {
    const settings = settingsOf(provider)
    const headers = new Headers()
    try {
      await provider.authorize(headers, deepFreeze({ apiKey: CONFORM_KEY, settings }), CONFORM_OUTGOING)
    } catch (refused) {
      if (refused instanceof ProviderKeyRequired) continue
      throw refused
    }
    const values = [...headers.values()].join(' ')
    if (provider.needsKey) expect(values, `${provider.id}: the key is in a header`).toContain(CONFORM_KEY)
    const names = [...headers.keys()].join(' ')
    expect(names, `${provider.id}: the key is no name of a header`).not.toContain(CONFORM_KEY)
    const without = new Headers()
    await provider.authorize(without, deepFreeze({ apiKey: '', settings }), CONFORM_OUTGOING)
    const pretended = [...without].filter(([, value]) => /^(Bearer\s*)?(undefined|null|)$/i.test(value))
    expect(pretended, `${provider.id}: no credentials without a key`).toEqual([])
  }
}

const HTML_PAGE = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'

/** Whatever an unsuccessful answer holds, `failure` finds words for it and never throws. */
export const checkFailures = (subject: Subject, fixtures: readonly Fixture[]): void => {
  const recorded = fixtures.filter(({ status }) => status !== undefined && status >= 400).map(({ answer }) => answer)
  const bodies = [...recorded, {}, { error: {} }, { error: null }, [], [{}], null, 'Too many requests', '', HTML_PAGE]
  for (const provider of subject.providers) {
    for (const status of [400, 401, 429, 500, 529]) for (const body of bodies) checkWords(provider, status, body)
    fc.assert(
      fc.property(fc.oneof(anyJson(), mutated(recorded)), (body) => checkWords(provider, 500, body)),
      { numRuns: RUNS },
    )
  }
}

const checkWords = (provider: Provider, status: number, body: unknown): void => {
  const where = `${provider.id}: failure(${status}, ${JSON.stringify(body)})`
  const { message, type, param, code } = provider.failure(status, frozen(body))
  expect(typeof message === 'string' && message.trim() !== '', `${where} has a message`).toBe(true)
  for (const word of [type ?? null, param ?? null, code ?? null]) {
    expect(word === null || typeof word === 'string', `${where} gives strings or null`).toBe(true)
  }
}

/** An adapter with the recorded cases that it is fuzzed from. */
interface Seeded {
  readonly where: string
  readonly endpoint: string
  readonly adapter: AnyAdapter
  readonly fixtures: readonly Fixture[]
  readonly context: AdapterContext
}

/** Runs a check for each adapter that has a case. */
const eachAdapter = (subject: Subject, fixtures: readonly Fixture[], check: (seeded: Seeded) => void): void => {
  for (const provider of subject.providers) {
    const own = fixtures.filter((fixture) => providerOf(subject, fixture) === provider)
    for (const [adapter, cases] of Map.groupBy(own, (fixture) => adapterOfCase(provider, fixture))) {
      const [first] = cases
      if (first === undefined) continue
      const { endpoint } = first
      const context = contextOf(provider, first, { strict: false, includeUsage: true })
      check({ where: `${provider.id} ${endpoint}`, endpoint, adapter, fixtures: cases, context })
    }
  }
}

/** Requests come straight from clients: whatever they hold is adapted or refused, never a crash. */
export const checkRequestFuzz = (subject: Subject, fixtures: readonly Fixture[]): void =>
  eachAdapter(subject, fixtures, ({ where, endpoint, adapter, fixtures: own, context }) => {
    if (adapter.method !== 'POST') return
    const recorded = own.map(({ request }) => request)
    const requests = REFERENCE.has(endpoint) ? mutated(recorded).filter(passesTheDoor) : alike(recorded)
    fc.assert(
      fc.property(requests, fc.boolean(), (request, strict) => {
        expectNoCrash(`${where}: request`, () => {
          JSON.stringify(adaptRequest(adapter, requestOf(request), { ...context, strict }))
        })
      }),
      { numRuns: RUNS },
    )
  })

/** What is checked before an adapter sees a request: `model` is text, `messages` (of a chat) a non-empty list of objects. */
const passesTheDoor = (request: unknown): request is Record<string, unknown> => {
  if (!isRecord(request)) return false
  if ('model' in request && typeof request.model !== 'string') return false
  if (!('messages' in request)) return 'input' in request || 'prompt' in request
  return Array.isArray(request.messages) && request.messages.length > 0 && request.messages.every(isRecord)
}

const REFERENCE: ReadonlySet<string> = new Set(['chat', 'completions', 'embeddings'])

/**
 * Requests of another form, whose schema checks at least which fields there are, and of what type each is: recorded ones with
 * other values.
 */
const alike = (recorded: readonly Fixture['request'][]): fc.Arbitrary<Record<string, unknown>> =>
  fc.oneof(
    ...recorded.map((request) =>
      fc.record(Object.fromEntries(Object.entries(request).map(([name, value]) => [name, valueLike(value)]))),
    ),
  )

const valueLike = (value: unknown): fc.Arbitrary<unknown> => {
  const same = fc.constant(value)
  if (typeof value === 'string') return fc.oneof(same, fc.string())
  if (typeof value === 'number') return fc.oneof(same, fc.integer(), fc.double())
  if (typeof value === 'boolean') return fc.boolean()
  if (Array.isArray(value)) return mutated([value]).map((changed) => (Array.isArray(changed) ? changed : value))
  return isRecord(value) ? mutated([value]).map((changed) => (isRecord(changed) ? changed : value)) : same
}

/** A body that is no answer is an error of the catalogue: neither a crash nor an empty reply. */
export const checkReplyFuzz = (subject: Subject, fixtures: readonly Fixture[]): void =>
  eachAdapter(subject, fixtures, ({ where, endpoint, adapter, fixtures: own, context }) => {
    const { reply: toReply, amend } = adapter
    const asked = requestOf(own[0]?.request ?? {})
    const reply = toReply && ((body: unknown, of: AdapterContext) => toReply(body, of, asked))
    const amended = (body: unknown, overrides: AdapterContext): unknown =>
      typeof body === 'object' && body !== null && !Array.isArray(body)
        ? amend?.(overrides)?.amend(body as Record<string, unknown>)
        : undefined
    if (reply === undefined && amend === undefined) return
    // A bare empty list is how some hosts say that they have no models.
    const lists = endpoint === 'models' ? [] : [[]]
    for (const body of [{}, null, 'text', 0, { error: { message: 'overloaded' } }, ...lists]) {
      if (reply === undefined) break
      const thrown = thrownBy(() => reply(frozen(body), context))
      if (!(thrown instanceof GatewayError)) {
        throw new Error(
          `${where}: reply to ${JSON.stringify(body)} must throw a GatewayError, got ${describeThrown(thrown)}`,
        )
      }
    }
    const answers = own.flatMap(({ answer, status }) =>
      answer === undefined || (status ?? 200) >= 400 ? [] : [answer],
    )
    fc.assert(
      fc.property(fc.oneof(anyJson(), mutated(answers)), fc.boolean(), (body, strict) => {
        const read = reply ?? amended
        expectNoCrash(`${where}: reply`, () => JSON.stringify(read(frozen(body), { ...context, strict })))
      }),
      { numRuns: RUNS },
    )
  })

/** Events may hold anything in any order: the machine goes on or throws an error of the catalogue. */
export const checkStreamFuzz = (subject: Subject, fixtures: readonly Fixture[]): void =>
  eachAdapter(subject, fixtures, ({ where, adapter, fixtures: own, context }) => {
    const { stream } = adapter
    if (stream === undefined) return
    const recordings = own.filter(isStreamed).map((fixture) => recordingOf(subject, { name: where, fixture }).events)
    fc.assert(
      fc.property(eventLists(recordings), fc.boolean(), (events, strict) => {
        const machine = stream({ ...context, strict })
        for (const event of events) expectNoCrash(`${where}: push`, () => JSON.stringify(machine.push(frozen(event))))
        expectNoCrash(`${where}: usage`, () => JSON.stringify([machine.usage(), machine.complete()]))
        expectNoCrash(`${where}: end`, () => JSON.stringify(machine.end()))
      }),
      { numRuns: RUNS },
    )
  })

/** Random events, and recorded streams with some events changed, lost, doubled or out of order. */
const eventLists = (recordings: readonly (readonly SseEvent[])[]): fc.Arbitrary<SseEvent[]> => {
  const names = [...new Set(['message', 'error', ...recordings.flat().map(({ event }) => event)])]
  const data = recordings.flat().flatMap((event) => parsed(event.data))
  const texts = fc.oneof(
    { weight: 4, arbitrary: fc.oneof(anyJson(), mutated(data)).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.oneof(fc.string(), fc.constantFrom('', '[DONE]', '{"a":')) },
  )
  const event = fc.record({ event: fc.constantFrom(...names), data: texts })
  const random = fc.array(event, { maxLength: 8 })
  if (recordings.length === 0) return random
  const disturbed = fc
    .tuple(fc.constantFrom(...recordings), fc.array(fc.tuple(fc.nat(), fc.option(texts)), { maxLength: 4 }))
    .map(([recording, changes]) => changes.reduce<SseEvent[]>(disturb, [...recording]))
  return fc.oneof(random, disturbed)
}

const disturb = (events: SseEvent[], [at, text]: readonly [number, string | null]): SseEvent[] => {
  const place = at % Math.max(events.length, 1)
  const event = events[place]
  if (event === undefined) return events
  if (text !== null) return events.with(place, { ...event, data: text })
  return at % 2 === 0 ? events.toSpliced(place, 1) : events.toSpliced(place, 0, event)
}

const parsed = (text: string): unknown[] => {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}

const expectNoCrash = (where: string, run: () => unknown): void => {
  const thrown = thrownBy(run)
  if (thrown === undefined || thrown instanceof GatewayError) return
  throw new Error(`${where} threw what is not a GatewayError: ${describeThrown(thrown)}`, { cause: thrown })
}

/** A frozen copy: fast-check keeps the value it generated, to shrink it. */
const frozen = <T>(value: T): T => deepFreeze(structuredClone(value))
