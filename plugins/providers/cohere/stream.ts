import { isRecord, parseJson, type SseEvent, StreamTruncated, UpstreamError } from '#kit'
import {
  type AdapterContext,
  type ChatCompletionChunk,
  type Delta,
  type OpenAIUsage,
  type StreamMachine,
  usageFromOpenAI,
} from '#kit/provider'
import { finishReason, invalid, usageOf } from './reply.ts'

type Fields = Readonly<Record<string, unknown>>

/** Reads the stream of `/v2/chat`, from `message-start` to `message-end`. */
export const createStream = (context: AdapterContext): StreamMachine<ChatCompletionChunk> => {
  let id = `chatcmpl-${context.callId}`
  let hasBegun = false
  let isComplete = false
  let usage: OpenAIUsage | undefined
  /** By their numbers at Cohere. */
  const calls = new Map<unknown, { readonly place: number; isWritten: boolean }>()

  const chunk = (choices: ChatCompletionChunk['choices']): ChatCompletionChunk => ({
    id,
    object: 'chat.completion.chunk',
    created: context.created,
    model: context.model,
    choices,
  })

  const delta = (fields: Delta, finish: string | null = null): readonly ChatCompletionChunk[] => {
    const role = hasBegun ? {} : { role: 'assistant' as const }
    hasBegun = true
    return [chunk([{ index: 0, delta: { ...role, ...fields }, logprobs: null, finish_reason: finish }])]
  }

  const begin = (body: Fields): readonly ChatCompletionChunk[] => {
    if (typeof body.id === 'string') id = body.id
    return hasBegun ? [] : delta({ content: '' })
  }

  const startCall = (index: unknown, call: unknown): readonly ChatCompletionChunk[] => {
    if (!isRecord(call) || !isRecord(call.function) || typeof call.function.name !== 'string') {
      throw invalid('has a tool call without a name')
    }
    const place = calls.size
    const { name, arguments: written } = call.function
    const given = typeof written === 'string' ? written : ''
    calls.set(index, { place, isWritten: given !== '' })
    const callId = typeof call.id === 'string' ? call.id : `call_${place}`
    return delta({ tool_calls: [{ index: place, id: callId, type: 'function', function: { name, arguments: given } }] })
  }

  const goOnWithCall = (index: unknown, call: unknown): readonly ChatCompletionChunk[] => {
    const open = calls.get(index)
    const piece = isRecord(call) && isRecord(call.function) ? call.function.arguments : undefined
    if (open === undefined || typeof piece !== 'string') throw invalid('goes on with a tool call that did not begin')
    open.isWritten ||= piece !== ''
    return delta({ tool_calls: [{ index: open.place, function: { arguments: piece } }] })
  }

  /** A call without arguments has an empty object of them. */
  const endCall = (index: unknown): readonly ChatCompletionChunk[] =>
    calls.get(index)?.isWritten === false ? goOnWithCall(index, { function: { arguments: '{}' } }) : []

  const finish = (given: Fields): readonly ChatCompletionChunk[] => {
    if (typeof given.error === 'string' && given.error !== '') {
      throw new UpstreamError(given.error, { provider: 'cohere' })
    }
    usage = usageOf(given.usage) ?? usage
    const last = delta({}, finishReason(given.finish_reason, context))
    isComplete = true
    return context.includeUsage && usage !== undefined ? [...last, { ...chunk([]), usage }] : last
  }

  const read = (body: Fields): readonly ChatCompletionChunk[] => {
    const given = isRecord(body.delta) ? body.delta : {}
    const message = isRecord(given.message) ? given.message : {}
    switch (body.type) {
      case 'message-start':
        return begin(body)
      case 'content-start':
      case 'content-delta':
        return pieces(message.content).flatMap((piece) => delta(piece))
      case 'tool-plan-delta':
        return pieces({ thinking: message.tool_plan }).flatMap((piece) => delta(piece))
      case 'tool-call-start':
        return startCall(body.index, message.tool_calls)
      case 'tool-call-delta':
        return goOnWithCall(body.index, message.tool_calls)
      case 'tool-call-end':
        return endCall(body.index)
      case 'citation-start':
        return context.strict || !isRecord(message.citations) ? [] : delta({ citations: [message.citations] })
      case 'message-end':
        return finish(given)
      default:
        return []
    }
  }

  return {
    push: ({ data }: SseEvent) => {
      if (data.trim() === '' || data === '[DONE]' || isComplete) return []
      const body = parse(data)
      if (!isRecord(body)) throw invalid('has an event that is not a JSON object')
      // What is wrong comes as it does without a stream: `{message}`, or with an `error`.
      if (body.type === undefined) throw new UpstreamError(wordsOf(body), { provider: 'cohere' })
      return read(body)
    },
    end: () => {
      if (isComplete) return []
      throw new StreamTruncated('The stream of the provider ended before the answer was complete.', {
        provider: 'cohere',
      })
    },
    usage: () => usageFromOpenAI(usage),
    complete: () => isComplete,
  }
}

/** Text and thinking of a piece of content; nothing for one that only opens. */
const pieces = (content: unknown): readonly Delta[] => {
  if (!isRecord(content)) return []
  const { text, thinking } = content
  return [
    ...(typeof thinking === 'string' && thinking !== '' ? [{ reasoning_content: thinking }] : []),
    ...(typeof text === 'string' && text !== '' ? [{ content: text }] : []),
  ]
}

const wordsOf = ({ message, error }: Fields): string => {
  const inner = isRecord(error) ? error.message : error
  return [message, inner].find((words) => typeof words === 'string' && words !== '')?.toString() ?? 'The answer failed.'
}

const parse = (data: string): unknown => {
  try {
    return parseJson(data)
  } catch {
    throw invalid('has an event that is not JSON')
  }
}
