import { defined, isRecord, UpstreamInvalid } from '#kit'
import type { AdapterContext } from '#kit/provider'
import { contentOf, endOf, textOf, thoughtOf, toLogprobs, toUsageMetadata, type WrittenCall } from './answer-parts.ts'
import type { Fields } from './fields.ts'

/**
 * A whole answer of a chat as one of `generateContent`.
 * @param showsThoughts the client asked to see them
 * @throws UpstreamInvalid for what is no answer of a chat
 */
export const toReply = (answer: Fields, context: AdapterContext, showsThoughts: boolean): Fields => {
  const { choices, usage, model, id } = answer
  if (!Array.isArray(choices) || !choices.every(isRecord)) {
    throw new UpstreamInvalid('The provider answered with no chat completion.')
  }
  return defined({
    candidates: choices.map((choice, place) => toCandidate(choice, place, showsThoughts)),
    usageMetadata: toUsageMetadata(usage),
    modelVersion: typeof model === 'string' ? model : context.model,
    responseId: typeof id === 'string' ? id : context.callId,
  })
}

const toCandidate = (choice: Fields, place: number, showsThoughts: boolean): Fields => {
  const { index, finish_reason: reason, logprobs } = choice
  const message = isRecord(choice.message) ? choice.message : {}
  const { calls, ...end } = endOf(reason, callsOf(message))
  const parts = [...spokenParts(message, showsThoughts), ...calls]
  return defined({
    ...contentOf(parts, end.finishReason === 'STOP'),
    ...end,
    index: typeof index === 'number' ? index : place,
    logprobsResult: toLogprobs(logprobs),
  })
}

const spokenParts = (message: Fields, showsThoughts: boolean): readonly Fields[] => {
  const thought = thoughtOf(message)
  const text = textOf(message.content) + textOf(message.refusal)
  return [
    ...(showsThoughts && thought !== '' ? [{ text: thought, thought: true }] : []),
    ...(text === '' ? [] : [{ text }]),
  ]
}

const callsOf = ({ tool_calls: calls }: Fields): readonly WrittenCall[] =>
  Array.isArray(calls)
    ? calls.filter(isRecord).map(({ id, function: called, extra_content: extra }) => ({
        id,
        name: isRecord(called) ? called.name : undefined,
        text: isRecord(called) && typeof called.arguments === 'string' ? called.arguments : '',
        extra,
      }))
    : []
