import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import {
  APICallError,
  generateText,
  type JSONSchema7,
  jsonSchema,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  Output,
  type StaticToolCall,
  streamText,
  type ToolSet,
  tool,
} from 'ai'
import { type DialectClient, droppedOf, type Got, type Question, WEATHER } from './client.ts'

type Options = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>

/** One of the AI SDK's own providers: its model, and how it asks for thoughts. */
interface Maker {
  model(url: string, apiKey: string, headers: Record<string, string>, model: string): LanguageModel
  readonly thinking: Options
  /** How it asks for none, where it must: some parameters go only without. */
  readonly plain?: Options
}

const MAKERS = {
  openai: {
    model: (url, apiKey, headers, model) => createOpenAI({ baseURL: `${url}/v1`, apiKey, headers })(model),
    // The models of others are none that it knows to think; what the provider does not keep comes along.
    thinking: { openai: { reasoningEffort: 'low', reasoningSummary: 'auto', forceReasoning: true, store: false } },
    plain: { openai: { reasoningEffort: 'none' } },
  },
  anthropic: {
    model: (url, apiKey, headers, model) => createAnthropic({ baseURL: `${url}/v1`, apiKey, headers })(model),
    thinking: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
  },
  google: {
    model: (url, apiKey, headers, model) => createGoogle({ baseURL: `${url}/v1beta`, apiKey, headers })(model),
    thinking: { google: { thinkingConfig: { thinkingBudget: 1024, includeThoughts: true } } },
  },
} as const satisfies Record<string, Maker>

const FINISH: Readonly<Record<string, Got['finish']>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tools',
  'content-filter': 'filter',
}

const messagesOf = ({ text, image, after }: Question): ModelMessage[] => [
  ...(after === undefined
    ? []
    : [
        ...messagesOf(after.question),
        ...(after.got.turn as ModelMessage[]),
        {
          role: 'tool' as const,
          content: after.got.calls.map(({ id, name }, place) => ({
            type: 'tool-result' as const,
            toolCallId: id,
            toolName: name,
            output: { type: 'text' as const, value: after.results[place] ?? '' },
          })),
        },
      ]),
  {
    role: 'user',
    content: [
      { type: 'text', text },
      ...(image === undefined ? [] : [{ type: 'file' as const, data: image, mediaType: 'image/png' }]),
    ],
  },
]

const TOOLS: ToolSet = {
  weather: tool({
    description: WEATHER.description,
    inputSchema: jsonSchema<{ city: string }>(WEATHER.parameters as unknown as JSONSchema7),
  }),
}

export const aiSdkClient =
  (maker: keyof typeof MAKERS) =>
  (url: string, apiKey: string): DialectClient => ({
    async ask(provider, model, question, isStreamed) {
      const { thinking, plain, model: open }: Maker = MAKERS[maker]
      const providerOptions = question.thinks === true ? thinking : plain
      const instructions = question.after?.question.system ?? question.system
      const request = {
        model: open(url, apiKey, { 'x-gateway-provider': provider }, model),
        maxRetries: 0,
        messages: messagesOf(question),
        ...(instructions === undefined ? {} : { instructions }),
        ...(question.tools === true ? { tools: TOOLS } : {}),
        ...(question.forced === true ? { toolChoice: 'required' as const } : {}),
        ...(providerOptions === undefined ? {} : { providerOptions }),
        ...(question.stop === undefined ? {} : { stopSequences: [question.stop] }),
        ...(question.maxTokens === undefined ? {} : { maxOutputTokens: question.maxTokens }),
        ...(question.temperature === undefined ? {} : { temperature: question.temperature }),
        ...(question.schema === undefined
          ? {}
          : { output: Output.object({ schema: jsonSchema(question.schema as JSONSchema7), name: 'person' }) }),
      }
      if (!isStreamed) {
        const { text, reasoningText, toolCalls, finishReason, usage, response } = await generateText(request)
        return gotOf({ text, reasoningText, toolCalls, finishReason, usage, response })
      }
      const failures: unknown[] = []
      const stream = streamText({ ...request, onError: ({ error }) => void failures.push(error) })
      let streamed = ''
      for await (const piece of stream.textStream) streamed += piece
      if (failures.length > 0) throw failures[0]
      const [text, reasoningText, toolCalls, finishReason, usage, response] = await Promise.all([
        stream.text,
        stream.reasoningText,
        stream.toolCalls,
        stream.finishReason,
        stream.usage,
        stream.response,
      ])
      if (text !== streamed) throw new Error('the pieces of the text are not the text')
      return gotOf({ text, reasoningText, toolCalls, finishReason, usage, response })
    },
    errorOf: (thrown) =>
      APICallError.isInstance(thrown)
        ? {
            status: thrown.statusCode,
            message: thrown.message,
            retryAfter: thrown.responseHeaders?.['retry-after'] ?? null,
          }
        : undefined,
  })

interface Answered {
  readonly text: string
  readonly reasoningText: string | undefined
  readonly toolCalls: readonly Pick<StaticToolCall<ToolSet>, 'toolCallId' | 'toolName' | 'input'>[]
  readonly finishReason: string
  readonly usage: LanguageModelUsage
  readonly response: { readonly messages: readonly ModelMessage[]; readonly headers?: Record<string, string> }
}

const gotOf = ({ text, reasoningText, toolCalls, finishReason, usage, response }: Answered): Got => {
  const finish = FINISH[finishReason]
  if (finish === undefined) throw new Error(`the answer ends with ${finishReason}`)
  return {
    text,
    thinking: reasoningText ?? '',
    calls: toolCalls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, args: input })),
    finish,
    usage: {
      input: usage.inputTokens ?? 0,
      cached: usage.inputTokenDetails.cacheReadTokens ?? 0,
      output: usage.outputTokens ?? 0,
    },
    dropped: droppedOf(new Headers(response.headers)),
    turn: response.messages,
  }
}
