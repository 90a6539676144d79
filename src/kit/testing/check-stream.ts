import { expect } from 'bun:test'
import fc from 'fast-check'
import type { SseEvent } from '../../core/bodies/sse.ts'
import { usageFromOpenAI } from '../../core/usage.ts'
import { StreamTruncated, UpstreamError, UpstreamInvalid } from '../../errors/gateway-error.ts'
import type { ChatCompletionChunk } from '../provider/openai.ts'
import type { AdapterContext, Amendment, StreamMachine } from '../provider/provider.ts'
import { asJson, checkFailure, checkForm, checkThrown, checkUsage, describeThrown, totals } from './check-case.ts'
import { deepFreeze } from './deep-freeze.ts'
import { type FixtureCase, streamBytes } from './fixture.ts'
import { comparableReply, comparableSum } from './same-as.ts'
import { decodeStream, runMachine, type StreamRun, unframed } from './stream.ts'
import { adapterOfCase, contextOf, providerOf, requestOf, type Subject } from './subject.ts'

/** A stream case, ready to run. */
interface Recording {
  readonly bytes: Uint8Array
  /** The events, wherever the network cuts the bytes. */
  readonly decode: (cuts: readonly number[]) => readonly SseEvent[]
  readonly events: readonly SseEvent[]
  readonly context: AdapterContext
  /** Missing for wire `native`, where the provider's events are the client's. */
  readonly machine?: (overrides?: Partial<AdapterContext>) => StreamMachine<ChatCompletionChunk>
  /** Wire `openai`: what is left to do to some of them. */
  readonly amendment?: Amendment | undefined
}

/** The stream of a case, ready to run. */
export const recordingOf = (subject: Subject, { name, fixture }: FixtureCase): Recording => {
  const provider = providerOf(subject, fixture)
  const { stream, wire, amend, framing } = adapterOfCase(provider, fixture)
  const bytes = streamBytes(fixture)
  const decode = (cuts: readonly number[]): readonly SseEvent[] =>
    fixture.framedStream === undefined || framing === undefined
      ? decodeStream(bytes, cuts)
      : decodeStream(unframed(framing.machine(), bytes, cuts))
  const base = { bytes, decode, events: deepFreeze(decode([])), context: contextOf(provider, fixture) }
  if (stream !== undefined) return { ...base, machine: (overrides) => stream(contextOf(provider, fixture, overrides)) }
  expect(wire, `${name}: an adapter without stream speaks the client's form itself`).toBe('native')
  return { ...base, amendment: amend?.(base.context) }
}

/** Chunk golden, usage, the error of a stream that holds one, and the form of the chunks. */
export const checkStream = (subject: Subject, recorded: FixtureCase): void => {
  const { name, fixture } = recorded
  const recording = recordingOf(subject, recorded)
  const run = runOf(recording)
  if (fixture.chunks !== undefined) expect(asJson(run.chunks), `${name}: chunks`).toEqual(fixture.chunks)
  if (recording.machine === undefined) {
    checkUsage(name, fixture, lastUsage(run.chunks))
    const error = run.chunks.find((chunk) => 'error' in chunk)
    if (run.error !== undefined && fixture.failure !== undefined) checkThrown(name, fixture.failure, run.error)
    else if (fixture.failure !== undefined) checkFailure(subject, { name, fixture: { ...fixture, answer: error } })
    else if (recording.amendment !== undefined) checkAmended(name, run, recording)
    return
  }
  checkUsage(name, fixture, run.usage)
  if (fixture.failure !== undefined) {
    checkThrown(name, fixture.failure, run.error)
    return
  }
  expectCleanEnd(name, run)
  if (CHAT_LIKE.has(fixture.endpoint)) checkChunks(name, fixture.endpoint, run.chunks, recording.context)
  checkTwins(name, recording.machine(), recording.machine(), recording.events)
}

/** Only events that name one of the fields are amended, and an amended one needs no more. */
const checkAmended = (name: string, run: StreamRun, recording: Recording): void => {
  const { amendment, context, events } = recording
  if (run.error !== undefined) expectCleanEnd(name, run)
  for (const [index, chunk] of run.chunks.entries()) {
    const again = amendment?.amend(deepFreeze(chunk)) ?? chunk
    expect(again, `${name}: what is amended stays`).toBe(chunk as never)
    const isNamed = amendment?.fields.some((field) => events[index]?.data.includes(`"${field}"`)) === true
    if (!isNamed) expect(JSON.parse(events[index]?.data ?? ''), `${name}: untouched`).toEqual(asJson(chunk))
  }
  for (const { choices } of run.chunks)
    for (const { finish_reason, delta } of choices) checkForm(name, context, finish_reason ?? null, delta)
}

/** Expects the same chunks wherever the network cuts the bytes. A failing run names its seed. */
export const checkRandomPieces = (subject: Subject, recorded: FixtureCase): void => {
  const recording = recordingOf(subject, recorded)
  const { bytes, decode } = recording
  const whole = asJson(runOf(recording))
  const everyByte = Array.from(bytes, (_, index) => index)
  const cuts = fc.array(fc.nat({ max: bytes.length }), { maxLength: 16 })
  fc.assert(
    fc.property(cuts, (offsets) => {
      const run = runOf({ ...recording, events: decode(offsets) })
      expect(asJson(run), `${recorded.name}: the stream in pieces`).toEqual(whole)
    }),
    { numRuns: 30, examples: [[everyByte]] },
  )
}

/** A stream that stops before its proper end is an error, never a clean end. */
export const checkCutOff = (subject: Subject, recorded: FixtureCase): void => {
  const { events, machine } = recordingOf(subject, recorded)
  if (machine === undefined) return
  const whole = runMachine(machine(), events)
  for (let count = 0; count < events.length; count++) {
    const where = `${recorded.name}: cut off after ${count} of ${events.length} events`
    const run = runMachine(machine(), events.slice(0, count))
    if (run.complete) {
      // What follows a complete answer is not waited for, so nothing may be owed to it.
      expect(asJson(run), `${where}: the machine says complete, but more follows`).toEqual(asJson(whole))
    } else if (!isCutError(run.error)) {
      throw new Error(`${where}: must end in StreamTruncated or an upstream error, got ${describeThrown(run.error)}`)
    }
  }
}

const isCutError = (error: unknown): boolean =>
  error instanceof StreamTruncated || error instanceof UpstreamError || error instanceof UpstreamInvalid

/** Usage comes in exactly one chunk, the last, when the client asked for it, and in none otherwise. */
export const checkUsageOnce = (subject: Subject, recorded: FixtureCase): void => {
  const { name } = recorded
  const { events, machine } = recordingOf(subject, recorded)
  const { endpoint, failure } = recorded.fixture
  if (machine === undefined || failure !== undefined || !CHAT_LIKE.has(endpoint)) return
  const silent = runMachine(machine({ includeUsage: false }), events)
  expect(withUsage(silent.chunks), `${name}: no usage chunk unless the client asks`).toEqual([])
  const run = runMachine(machine({ includeUsage: true }), events)
  expect(asJson(run.usage), `${name}: usage does not depend on what the client asks`).toEqual(asJson(silent.usage))
  const reports = withUsage(run.chunks)
  if (run.usage === undefined) {
    expect(reports, `${name}: no usage chunk without a usage`).toEqual([])
    return
  }
  expect(reports.length, `${name}: exactly one chunk with usage`).toBe(1)
  expect(reports[0], `${name}: usage comes in the last chunk`).toBe(run.chunks.at(-1))
  expect(reports[0]?.choices, `${name}: the usage chunk has no choices`).toEqual([])
  const reported = usageFromOpenAI(reports[0]?.usage)
  expect(reported && totals(reported), `${name}: usage chunk and normal form agree`).toEqual(totals(run.usage))
}

/** The chunks of a stream add up to the reply of its twin, apart from id and time. */
export const checkSameAs = (subject: Subject, recorded: FixtureCase, twin: FixtureCase): void => {
  const { name } = recorded
  const provider = providerOf(subject, twin.fixture)
  const adapter = adapterOfCase(provider, twin.fixture)
  const { reply: toReply } = adapter
  const answer = deepFreeze(twin.fixture.answer)
  const context = contextOf(provider, twin.fixture)
  const amended = (): unknown => adapter.amend?.(context)?.amend(answer as Record<string, unknown>) ?? answer
  const plain = toReply === undefined ? amended() : toReply(answer, context, requestOf(twin.fixture.request)).reply
  const { chunks } = runOf(recordingOf(subject, recorded))
  const left = comparableSum(recorded.fixture.endpoint, chunks)
  const right = comparableReply(recorded.fixture.endpoint, plain)
  // A stream whose client did not ask for usage has none to compare.
  if (left.usage === undefined) delete right.usage
  expect(left, `${name}: the chunks add up to the reply of ${twin.name}`).toEqual(right)
}

/** Runs the machine, or for wire `native` reads the events as the chunks they are. */
const runOf = ({ events, machine, amendment }: Recording): StreamRun => {
  if (machine !== undefined) return runMachine(machine(), events)
  const chunks: ChatCompletionChunk[] = []
  try {
    for (const { data } of events) {
      if (data === '[DONE]') continue
      const chunk = deepFreeze(JSON.parse(data))
      chunks.push('error' in chunk ? chunk : (amendment?.amend(chunk) ?? chunk))
    }
  } catch (error) {
    return { chunks, usage: undefined, complete: false, error }
  }
  return { chunks, usage: undefined, complete: true }
}

const withUsage = (chunks: readonly ChatCompletionChunk[]) =>
  chunks.filter(({ usage }) => usage !== undefined && usage !== null)

const lastUsage = (chunks: readonly ChatCompletionChunk[]) => usageFromOpenAI(withUsage(chunks).at(-1)?.usage)

const expectCleanEnd = (name: string, { complete, error }: StreamRun): void => {
  if (error !== undefined)
    throw new Error(
      `${name}: the stream must end cleanly unless the case has a 'failure', got ${describeThrown(error)}`,
      { cause: error },
    )
  expect(complete, `${name}: complete() after the last event`).toBe(true)
}

/** Forms whose chunks are those of the reference. */
const CHAT_LIKE: ReadonlySet<string> = new Set(['chat', 'completions'])

/** What every client relies on: one id, a role first in a chat, one finish reason at the end of each choice. */
const checkChunks = (
  name: string,
  endpoint: string,
  chunks: readonly ChatCompletionChunk[],
  context: AdapterContext,
): void => {
  const isChat = endpoint === 'chat'
  const finished = new Set<number>()
  const begun = new Set<number>()
  const [first] = chunks
  for (const chunk of chunks) {
    const { id, created, model, object } = chunk
    expect({ id, created, model, object }, `${name}: chunks share id, created and model`).toEqual({
      id: first?.id ?? '',
      created: first?.created ?? 0,
      model: first?.model ?? '',
      object: isChat ? 'chat.completion.chunk' : 'text_completion',
    } as never)
    for (const { index, delta, finish_reason } of chunk.choices) {
      expect(finished.has(index), `${name}: nothing follows the finish reason of choice ${index}`).toBe(false)
      if (isChat && !begun.has(index))
        expect(delta.role, `${name}: the first chunk of choice ${index}`).toBe('assistant')
      begun.add(index)
      if (finish_reason !== null) finished.add(index)
      checkForm(name, context, finish_reason, delta ?? {})
    }
  }
  expect([...finished].sort(), `${name}: each choice has its finish reason`).toEqual([...begun].sort())
}

/** Two machines side by side must not see each other: state belongs inside, not in the module. */
const checkTwins = (
  name: string,
  one: StreamMachine<ChatCompletionChunk>,
  other: StreamMachine<ChatCompletionChunk>,
  events: readonly SseEvent[],
): void => {
  for (const event of events) {
    expect(asJson(other.push(event)), `${name}: two streams at once do not disturb each other`).toEqual(
      asJson(one.push(event)),
    )
  }
  expect(asJson(other.end()), `${name}: two streams at once end the same`).toEqual(asJson(one.end()))
}
