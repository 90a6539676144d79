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
