import { contains } from '../../../plugins/guardrails/default/text/contains.ts'
import { regexMatch } from '../../../plugins/guardrails/default/text/regex-match.ts'
import { guardStream } from '../../../plugins/pipeline/guardrails/stream/guard-stream.ts'
import { planOf } from '../../../plugins/pipeline/guardrails/stream/plan.ts'
import { AnswerMeter } from '../../../plugins/pipeline/transform/stream/answer-meter.ts'
import { TranslatedMachine } from '../../../plugins/pipeline/transform/stream/translated.ts'
import { createStream } from '../../../plugins/providers/anthropic/stream.ts'
import type { CompiledGuardrail } from '../../../src/calls/guardrails/compile.ts'
import { Pipe } from '../../../src/core/bodies/pipe.ts'
import { fromPieces, LATER, type ReadyStream } from '../../../src/core/bodies/ready-stream.ts'
import type { StreamMode } from '../../../src/core/guardrails.ts'
import { CONTEXT, guardrailOf } from '../../property/guardrails/guarded.ts'
import { chatStream } from '../../property/guardrails/streams.ts'
import { plain, type Row, us } from '../limits/table.ts'
import { providerPieces } from './provider-pieces.ts'

/** The stream that a client gets of these pieces, in the form of chats. */
const translated = (pieces: readonly Uint8Array[]): ReadyStream => {
  const machine = createStream({
    model: 'claude',
    stream: true,
    strict: true,
    includeUsage: true,
    callId: 'call-1',
    created: 7,
    settings: {},
  })
  return new Pipe(
    fromPieces(pieces),
    new TranslatedMachine({ machine, onUsage: () => undefined, meter: new AnswerMeter() }),
  )
}

const guarded = async (stream: ReadyStream, guardrails: readonly CompiledGuardrail[]): Promise<ReadyStream> => {
  const plan = planOf([guardrails])
  if (plan === undefined) throw new Error('no check looks at answers')
  const { body } = await guardStream(stream, {
    plan,
    texts: chatStream(),
    context: CONTEXT,
    maxBytes: 8 * 1024 * 1024,
    report: () => undefined,
    refusal: () => new Error('refused'),
    endOfRefused: () => undefined,
    last: () => '',
    isCarriedOn: () => false,
    onGivenUp: () => undefined,
  })
  return body
}

/** Bytes of all that comes, at once. */
const drain = (stream: ReadyStream): number => {
  let bytes = 0
  for (let piece = stream.take(); piece !== undefined; piece = stream.take()) {
    if (piece === LATER) throw new Error('a piece is late')
    bytes += piece.length
  }
  return bytes
}

const EVENTS = 1_000
/** In one measurement: the clock of the processor is a coarse one. */
const STREAMS = 40
const ROUNDS = 15

const guardrails = (stream_mode: StreamMode): readonly CompiledGuardrail[] => [
  guardrailOf(contains, { words: ['Apollo', 'Zeus'], operator: 'none' }, { stream_mode, stream_window: 200 }),
  guardrailOf(regexMatch, { rule: '\\b\\d{4}( \\d{4}){3}\\b', not: true }, { stream_mode, stream_window: 200 }),
]

/** Microseconds of the processor for each event, the least of many rounds: other work on the machine only adds. */
const leastOf = async (lanes: readonly (() => Promise<number> | number)[]): Promise<readonly number[]> => {
  const least = lanes.map(() => Infinity)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, lane] of lanes.entries()) {
      const before = process.cpuUsage()
      for (let stream = 0; stream < STREAMS; stream++) await lane()
      const { user, system } = process.cpuUsage(before)
      least[index] = Math.min(least[index] ?? Infinity, (user + system) / (STREAMS * EVENTS))
    }
  }
  return least
}

/** What guardrails of a word and a pattern add to an event, between the stages alone: no socket is read or written. */
export const streamRows = async (): Promise<readonly Row[]> => {
  const pieces = providerPieces(EVENTS)
  const modes = ['window', 'buffer', 'after'] as const
  const [bare = 0, ...rest] = await leastOf([
    () => drain(translated(pieces)),
    ...modes.map((mode) => {
      const guarding = guardrails(mode)
      return async () => drain(await guarded(translated(pieces), guarding))
    }),
  ])
  return [
    plain('An event of a translated stream, without a socket', us(bare)),
    ...modes.map((mode, index) =>
      plain(`The same with \`${mode}\``, `${us(rest[index] ?? 0)}, ${((rest[index] ?? 0) / bare).toFixed(2)} ×`),
    ),
  ]
}
