import { concat } from '../../core/bodies/answer.ts'
import type { PipeMachine, PipeOut } from '../../core/bodies/pipe.ts'
import { decodeFrame, type SseEvent, SseFramer } from '../../core/bodies/sse.ts'
import type { Usage } from '../../core/usage.ts'
import type { ChatCompletionChunk } from '../provider/openai.ts'
import type { StreamMachine } from '../provider/provider.ts'
import { deepFreeze } from './deep-freeze.ts'

/**
 * Decodes a stream that arrives in pieces.
 * @param cuts where the network cuts it: byte offsets, in any order. A last event without its empty line counts.
 */
export const decodeStream = (bytes: Uint8Array, cuts: readonly number[] = []): SseEvent[] => {
  const framer = new SseFramer()
  const events: SseEvent[] = []
  const keep = (frame: Uint8Array) => {
    const event = decodeFrame(frame)
    if (event !== undefined) events.push(event)
  }
  const ends = [...cuts, bytes.length].sort((one, other) => one - other)
  let start = 0
  for (const end of ends) {
    for (const frame of framer.push(bytes.subarray(start, end))) keep(frame)
    start = end
  }
  keep(framer.rest())
  return events
}

/** The server-sent events that a framing makes of bytes that arrive in pieces. */
export const unframed = (machine: PipeMachine, bytes: Uint8Array, cuts: readonly number[] = []): Uint8Array => {
  const written: Uint8Array[] = []
  const out: PipeOut = {
    write: (piece) => void written.push(piece),
    close: () => true,
    giveUp: () => undefined,
    readFrom: () => undefined,
  }
  let start = 0
  for (const end of [...cuts, bytes.length].sort((one, other) => one - other)) {
    if (end > start) machine.push(bytes.subarray(start, end), out)
    start = end
  }
  machine.end?.(out)
  return concat(written)
}

/** What came out of a stream machine. */
export interface StreamRun {
  readonly chunks: readonly ChatCompletionChunk[]
  readonly usage: Usage | undefined
  /** What the machine said before it was told that the upstream closed. */
  readonly complete: boolean
  /** What `push` or `end` threw; nothing when the stream ended cleanly. */
  readonly error?: unknown
}

/** Feeds a machine event by event, then ends it. What came out is frozen at once: a machine may not change it later. */
export const runMachine = (
  machine: StreamMachine<ChatCompletionChunk>,
  events: readonly Readonly<SseEvent>[],
): StreamRun => {
  const chunks: ChatCompletionChunk[] = []
  let complete = false
  try {
    for (const event of events) chunks.push(...deepFreeze(machine.push(event)))
    complete = machine.complete()
    chunks.push(...deepFreeze(machine.end()))
  } catch (error) {
    return { chunks, usage: machine.usage(), complete, error }
  }
  return { chunks, usage: machine.usage(), complete }
}
