import { decodeFrame, type SseEvent, SseFramer } from '#kit'
import type { RawAnswer } from './raw-client.ts'

/** The body as text. */
export const text = (answer: RawAnswer): string => answer.body.toString()

/** The events of a body, decoded. */
export const events = (bytes: Uint8Array): SseEvent[] => {
  const framer = new SseFramer(64 * 1024 * 1024)
  const frames = framer.push(bytes)
  return [...frames, framer.rest()].flatMap((frame) => decodeFrame(frame) ?? [])
}

/** The data of each event. */
export const dataOf = (answer: RawAnswer): string[] => events(answer.body).map(({ data }) => data)

/** A chunk as far as the tests read it. */
export interface SomeChunk {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string
      readonly tool_calls?: readonly {
        readonly index: number
        readonly id?: string
        readonly function: { readonly name?: string; readonly arguments?: string }
      }[]
    }
    readonly finish_reason: string | null
  }[]
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null
  readonly error?: unknown
}

/** The events that hold JSON; throws for one that does not. */
export const chunks = (data: readonly string[]): SomeChunk[] =>
  data.filter((item) => item !== '[DONE]').map((item) => JSON.parse(item))

/** What the deltas of the first choice add up to. */
export const content = (data: readonly string[]): string =>
  chunks(data)
    .map((chunk) => chunk.choices[0]?.delta.content ?? '')
    .join('')

/** Whether a finish reason came. */
export const finished = (data: readonly string[]): boolean =>
  chunks(data).some((chunk) => typeof chunk.choices[0]?.finish_reason === 'string')

/** Every piece of every tool call. */
export const toolDeltas = (data: readonly string[]) =>
  chunks(data).flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? [])

/** Every usage that was reported. */
export const usages = (data: readonly string[]) => chunks(data).flatMap(({ usage }) => (usage == null ? [] : [usage]))
