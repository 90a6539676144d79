import { Type as t } from '@sinclair/typebox'
import type { SseEvent } from '../../core/bodies/sse.ts'
import { defined } from '../../core/defined.ts'
import { type Usage, usageFromOpenAI } from '../../core/usage.ts'
import { InvalidRequest, StreamTruncated, UpstreamError, UpstreamInvalid } from '../../errors/gateway-error.ts'
import { definePlugin, type Plugin } from '../plugin.ts'
import { bearer } from '../provider/authorize.ts'
import { openaiFailure } from '../provider/failure.ts'
import type { ChatCompletion, ChatCompletionChunk, ChunkChoice, Message, OpenAIUsage } from '../provider/openai.ts'
import type { Adapter, AdapterContext, StreamMachine } from '../provider/provider.ts'
import { providerConfig } from '../provider/provider-config.ts'

/** What a broken twin of the sample provider does wrong; each one is a mistake that the conformance kit must catch. */
export type Defect =
  | 'changes-request'
  | 'chunk-changed-later'
  | 'complete-too-early'
  | 'crashes-on-answer'
  | 'crashes-on-event'
  | 'crashes-on-request'
  | 'empty-failure'
  | 'empty-stop'
  | 'ends-cleanly-when-cut'
  | 'forgets-role'
  | 'key-in-path'
  | 'key-nowhere'
  | 'own-finish-reason'
  | 'sends-null'
  | 'shared-state'
  | 'swallows-error'
  | 'usage-in-two-chunks'
  | 'usage-unasked'

let sharedPieces = 0

/** A whole provider of its own wire format, small enough to read at once, with at most one thing wrong. */
export const samplePlugin = (defect?: Defect): Plugin =>
  definePlugin({
    name: 'sample',
    config: providerConfig('https://sample.example/v1', { greeting: t.Optional(t.String()) }),
    setup: ({ baseURL, apiKey }) => ({
      providers: [
        {
          id: 'sample',
          baseURL,
          needsKey: true,
          endpoints: { chat: sampleChat(defect, apiKey ?? '') },
          authorize: defect === 'key-nowhere' ? () => undefined : bearer(),
          failure: defect === 'empty-failure' ? () => ({ message: '' }) : openaiFailure,
        },
      ],
    }),
  }) as Plugin

const sampleChat = (defect: Defect | undefined, apiKey: string): Adapter<'chat'> => ({
  method: 'POST',
  path: ({ model, stream }) =>
    `/models/${encodeURIComponent(model)}/${stream ? 'stream' : 'answer'}${defect === 'key-in-path' ? `?key=${apiKey}` : ''}`,
  wire: 'own',
  params: {
    model: () => ({}),
    stream: () => ({}),
    messages: (messages) => {
      if (defect === 'changes-request') (messages as Message[]).pop()
      return { prompt: messages.map((message, index) => textOf(message, index, defect)) }
    },
    max_tokens: { clamp: [1, 8], as: 'limit' },
  },
  ...(defect === 'sends-null' ? { always: () => ({ limit: null }) } : {}),
  reply: (body, context) => sampleReply(body, context, defect),
  stream: (context) => sampleStream(context, defect),
})

const textOf = ({ content }: Message, index: number, defect: Defect | undefined): string => {
  if (typeof content === 'string') return content
  if (defect === 'crashes-on-request') return (content ?? []).map(({ type }) => type).join('')
  throw new InvalidRequest('Only text is understood.', { param: `messages[${index}].content` })
}

const sampleReply = (body: unknown, context: AdapterContext, defect: Defect | undefined) => {
  const answer = defect === 'crashes-on-answer' ? (body as Record<string, unknown>) : recordOf(body)
  refuseError(answer, defect)
  if (typeof answer.text !== 'string' && defect !== 'empty-stop') throw new UpstreamInvalid('There is no text.')
  const usage = usageOf(answer)
  const reply: ChatCompletion = {
    id: context.callId,
    object: 'chat.completion',
    created: context.created,
    model: context.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: typeof answer.text === 'string' ? answer.text : '' },
        logprobs: null,
        finish_reason: finishReason(answer.why, context, defect),
      },
    ],
    ...defined({ usage: usage?.wire }),
  }
  return usage === undefined ? { reply } : { reply, usage: usage.normal }
}

const sampleStream = (context: AdapterContext, defect: Defect | undefined): StreamMachine<ChatCompletionChunk> => {
  let pieces = 0
  let done = false
  let usage: ReturnType<typeof usageOf>
  let last: { choices: ChunkChoice[] } | undefined
  const chunk = (choices: ChunkChoice[], wire?: OpenAIUsage): ChatCompletionChunk => ({
    id: context.callId,
    object: 'chat.completion.chunk',
    created: context.created,
    model: context.model,
    choices,
    ...defined({ usage: wire }),
  })
  const isFirst = (): boolean => {
    pieces++
    sharedPieces++
    if (defect === 'forgets-role') return false
    return (defect === 'shared-state' ? sharedPieces : pieces) === 1
  }
  const final = (why: unknown): ChatCompletionChunk[] => {
    done = true
    sharedPieces = 0
    const finish: ChunkChoice = {
      index: 0,
      delta: isFirst() ? { role: 'assistant' } : {},
      finish_reason: finishReason(why, context, defect),
    }
    sharedPieces = 0
    const asked = (context.includeUsage || defect === 'usage-unasked') && usage !== undefined
    return [
      chunk([finish], defect === 'usage-in-two-chunks' && context.includeUsage ? usage?.wire : undefined),
      ...(asked ? [chunk([], usage?.wire)] : []),
    ]
  }
  return {
    push: ({ data }: SseEvent) => {
      const event = defect === 'crashes-on-event' ? JSON.parse(data) : parse(data)
      refuseError(event, defect)
      if (done) return []
      usage = usageOf(event) ?? usage
      if ('why' in event) return final(event.why)
      if (typeof event.piece !== 'string') return []
      if (defect === 'chunk-changed-later' && last !== undefined) last.choices.pop()
      const delta = { ...(isFirst() ? { role: 'assistant' as const } : {}), content: event.piece }
      const made = { choices: [{ index: 0, delta, finish_reason: null }] }
      last = made
      return [{ ...chunk([]), choices: made.choices }]
    },
    end: () => {
      if (done || defect === 'ends-cleanly-when-cut') return []
      if (defect === 'complete-too-early' && pieces > 0) return []
      throw new StreamTruncated('The stream ended before the answer was complete.')
    },
    usage: () => usage?.normal,
    complete: () => done || (defect === 'complete-too-early' && pieces > 0),
  }
}

const FINISH_REASONS: ReadonlyMap<unknown, string> = new Map([
  ['end', 'stop'],
  ['cut', 'length'],
])

const finishReason = (why: unknown, { ownFinishReason }: AdapterContext, defect: Defect | undefined): string =>
  ownFinishReason !== true && defect !== 'own-finish-reason'
    ? (FINISH_REASONS.get(why) ?? 'stop')
    : JSON.stringify(why ?? 'end')

const refuseError = (answer: Readonly<Record<string, unknown>>, defect: Defect | undefined): void => {
  if (answer.error === undefined || defect === 'swallows-error') return
  const { message, type } = openaiFailure(529, answer)
  throw new UpstreamError(message, { status: 529, provider: 'sample', ...defined({ type }) })
}

const usageOf = (answer: Readonly<Record<string, unknown>>): { wire: OpenAIUsage; normal: Usage } | undefined => {
  const { in: input, out: output } = answer
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  const wire = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  const normal = usageFromOpenAI(wire)
  return normal === undefined ? undefined : { wire, normal }
}

const parse = (data: string): Record<string, unknown> => {
  try {
    return recordOf(JSON.parse(data))
  } catch {
    throw new UpstreamInvalid('The event is not a JSON object.')
  }
}

const recordOf = (body: unknown): Record<string, unknown> => {
  if (typeof body !== 'object' || body === null) throw new UpstreamInvalid('The answer is not an object.')
  return body as Record<string, unknown>
}
