import { eventText, isRecord } from '#kit'
import type { AdapterContext, BridgeStream } from '#kit/provider'
import { contentOf, endOf, textOf, thoughtOf, toLogprobs, toUsageMetadata, type WrittenCall } from './answer-parts.ts'
import type { Fields } from './fields.ts'

/** A call as its pieces come. */
interface GrowingCall {
  id?: unknown
  name: string
  text: string
  extra?: unknown
}

/** A candidate that has not ended. */
interface OpenCandidate {
  readonly calls: Map<number, GrowingCall>
  reason?: unknown
  hasParts: boolean
}

/**
 * The stream of a chat as that of `streamGenerateContent`: each event is an answer with the parts that are new. Calls come whole, as
 * Google's do, and the ends with the usage, in the last events: a chat says its usage behind its ends.
 */
export const createStream = (context: AdapterContext, showsThoughts: boolean): BridgeStream => {
  const open = new Map<number, OpenCandidate>()
  let head: Fields = { modelVersion: context.model, responseId: context.callId }
  let usage: Fields | undefined

  const event = (candidate: Fields, more: Fields = {}): string =>
    eventText(JSON.stringify({ candidates: [candidate], ...more, ...head }))

  const openAt = (index: number): OpenCandidate => {
    const known = open.get(index) ?? { calls: new Map<number, GrowingCall>(), hasParts: false }
    open.set(index, known)
    return known
  }

  const readChoice = (choice: Fields, place: number): string => {
    const index = typeof choice.index === 'number' ? choice.index : place
    const candidate = openAt(index)
    const delta = isRecord(choice.delta) ? choice.delta : {}
    if (choice.finish_reason !== null && choice.finish_reason !== undefined) candidate.reason = choice.finish_reason
    if (Array.isArray(delta.tool_calls)) for (const piece of delta.tool_calls) grow(candidate.calls, piece)
    const thought = thoughtOf(delta)
    const text = textOf(delta.content) + textOf(delta.refusal)
    const parts = [
      ...(showsThoughts && thought !== '' ? [{ text: thought, thought: true }] : []),
      ...(text === '' ? [] : [{ text }]),
    ]
    const logprobs = toLogprobs(choice.logprobs)
    if (parts.length === 0 && logprobs === undefined) return ''
    candidate.hasParts ||= parts.length > 0
    return event({
      content: { parts, role: 'model' },
      index,
      ...(logprobs === undefined ? {} : { logprobsResult: logprobs }),
    })
  }

  return {
    push(chunk) {
      const { model, id, choices } = chunk
      if (typeof model === 'string' && typeof id === 'string' && head.responseId !== id) {
        head = { modelVersion: model, responseId: id }
      }
      usage = toUsageMetadata(chunk.usage) ?? usage
      if (!Array.isArray(choices)) return ''
      return choices.map((choice: unknown, place) => (isRecord(choice) ? readChoice(choice, place) : '')).join('')
    },
    end: () =>
      [...open]
        .sort(([one], [other]) => one - other)
        .map(([index, { calls, reason, hasParts }]) => {
          const ordered = [...calls].sort(([one], [other]) => one - other).map(([, call]) => written(call))
          const { calls: parts, ...ended } = endOf(reason, ordered)
          const content = contentOf(parts, hasParts || ended.finishReason === 'STOP')
          return event({ ...content, ...ended, index }, usage === undefined ? {} : { usageMetadata: usage })
        })
        .join(''),
  }
}

const written = ({ id, name, text, extra }: GrowingCall): WrittenCall => ({ id, name, text, extra })

const grow = (calls: Map<number, GrowingCall>, piece: unknown): void => {
  if (!isRecord(piece)) return
  const index = typeof piece.index === 'number' ? piece.index : calls.size
  const call = calls.get(index) ?? { name: '', text: '' }
  calls.set(index, call)
  call.id ??= piece.id
  call.extra ??= piece.extra_content
  const called = isRecord(piece.function) ? piece.function : {}
  if (typeof called.name === 'string') call.name += called.name
  if (typeof called.arguments === 'string') call.text += called.arguments
}
