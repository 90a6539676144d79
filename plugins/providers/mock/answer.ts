import { createHash } from 'node:crypto'
import { isRecord } from '#kit'
import type { FinishReason, OpenAIUsage } from '#kit/provider'
import type { FaultName } from './faults.ts'
import type { MockOptions } from './options.ts'
import { MockRefusal } from './refusal.ts'
import { minimalInstance } from './schema.ts'
import { contentText, countWords, imageKinds, splitWords } from './text.ts'
import { type MockCall, mockCalls } from './tool-calls.ts'

/** Model names of the mock, with what each does. */
export const MOCK_MODELS = {
  mock: 'Repeats the last user text.',
  'mock-tools': 'Calls the tools of the request, then answers with their results.',
  'mock-json': 'Answers with JSON that fits `response_format`.',
  'mock-vision': 'Says how many images came, and of what kind.',
  'mock-reasoning': 'Thinks before it answers (`reasoning_content`).',
  'mock-embedding': 'Makes unit vectors from a hash of the text.',
  'mock-moderation': 'Flags a text in each category of OpenAI whose name stands in it.',
  'mock-rerank': 'Puts documents in the order of the words that they share with the query.',
  'mock-ocr': 'Reads `data:` URLs of text; of other documents it says what they are.',
  'mock-image': 'Makes small pictures whose colour comes from a hash of the request.',
  'mock-speech': 'Says a tone for each word, as `wav` or `pcm`; silence as `mp3`.',
  'mock-transcribe': 'Says how the sound is called and how long it is, in each format.',
  'mock-realtime': 'Speaks and listens over a WebSocket: text, sound and function calls.',
  'mock-echo': 'Answers with the request as it arrived: its body and the names of its headers.',
} as const

/** `created` of every answer: the mock has no clock. Seconds since 1970, 2026-01-01. */
export const MOCK_CREATED = 1_767_225_600

/** An answer before it is a reply or a stream. */
export interface MockAnswer {
  readonly id: string
  readonly model: string
  /** Choices are alike; `n` says how many. */
  readonly choices: number
  /** Pieces, one a word. */
  readonly reasoning: readonly string[]
  /** Pieces, one a word. */
  readonly content: readonly string[]
  readonly toolCalls: readonly MockCall[]
  readonly finish: FinishReason
  readonly usage: OpenAIUsage | undefined
}

export interface ChatCall {
  readonly model: string
  readonly body: Record<string, unknown>
  /** Instead of those of the body. */
  readonly messages?: readonly Record<string, unknown>[]
  readonly headerNames: readonly string[]
  readonly options: MockOptions
}

const MAX_CHOICES = 128
const MEBIBYTE = 1024 ** 2

/**
 * The answer to a chat request: a function of the request alone. Usage counts words, and each image as one.
 * @throws MockRefusal for a request that the mock cannot read.
 */
export const makeAnswer = ({ model, body, headerNames, options, ...call }: ChatCall): MockAnswer => {
  const messages = readMessages(call.messages ?? body.messages)
  const toolCalls = callsFor(model, body, messages, options)
  const reasoning = model === 'mock-reasoning' ? splitWords(`Mock reasoning about: ${lastUserText(messages)}`) : []
  const wanted =
    toolCalls.length > 0
      ? []
      : sized(splitWords(restOf(textFor(model, body, messages, headerNames, options), messages)), options)
  const limit = wholeNumber(body.max_completion_tokens) ?? wholeNumber(body.max_tokens)
  const content = limit === undefined ? wanted : wanted.slice(0, limit)
  const choices = wholeNumber(body.n) ?? 1
  if (choices < 1 || choices > MAX_CHOICES) throw new MockRefusal(400, `\`n\` must be from 1 to ${MAX_CHOICES}.`, 'n')
  return {
    id: `chatcmpl-mock-${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 24)}`,
    model,
    choices,
    reasoning,
    content,
    toolCalls,
    finish: toolCalls.length > 0 ? 'tool_calls' : content.length < wanted.length ? 'length' : 'stop',
    usage: usageOf(messages, reasoning, content, toolCalls, choices, options),
  }
}

const readMessages = (messages: unknown): readonly Record<string, unknown>[] => {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new MockRefusal(400, '`messages` must be a non-empty array.', 'messages')
  }
  const wrong = messages.findIndex((message) => !isRecord(message))
  if (wrong !== -1) throw new MockRefusal(400, 'Each message must be an object.', `messages[${wrong}]`)
  return messages
}

const lastUserText = (messages: readonly Record<string, unknown>[]): string =>
  contentText(messages.findLast((message) => message.role === 'user')?.content)

/** What is left to say after a last message of the assistant that is a prefix. */
const restOf = (text: string, messages: readonly Record<string, unknown>[]): string => {
  const last = messages.at(-1)
  if (last?.role !== 'assistant' || last.prefix !== true) return text
  const prefix = contentText(last.content)
  return text.startsWith(prefix) ? text.slice(prefix.length) : text
}

const toolResults = (messages: readonly Record<string, unknown>[]): readonly Record<string, unknown>[] =>
  messages.slice(messages.findLastIndex((message) => message.role !== 'tool') + 1)

const TOOL_FAULTS: readonly FaultName[] = [
  'huge-tool-arguments',
  'tool-index-gaps',
  'tool-name-split',
  'tool-duplicate-ids',
  'tool-interleaved',
  'tool-bad-arguments',
]

/** Faults of the tool calls in an answer. */
export const isToolFault = (fault: FaultName): boolean => TOOL_FAULTS.includes(fault)

const callsFor = (
  model: string,
  body: Record<string, unknown>,
  messages: readonly Record<string, unknown>[],
  options: MockOptions,
): readonly MockCall[] => {
  const { fault } = options
  if (fault !== undefined && isToolFault(fault)) return mockCalls(body, fault, options.bytes ?? 10 * MEBIBYTE)
  return model === 'mock-tools' && toolResults(messages).length === 0 ? mockCalls(body) : []
}

const textFor = (
  model: string,
  body: Record<string, unknown>,
  messages: readonly Record<string, unknown>[],
  headerNames: readonly string[],
  options: MockOptions,
): string => {
  if (options.fault === 'giant-line') return 'x'.repeat(options.bytes ?? 5 * MEBIBYTE)
  if (options.fault === 'done-in-content') return 'The terminator is:\n\ndata: [DONE]\n\nand this is still the answer.'
  if (options.fault === 'split-utf8') return 'Grüße, 漢字 🙂 and e\u0301 in one answer.'
  if (model === 'mock-echo') return JSON.stringify({ headers: headerNames, body })
  const question = lastUserText(messages)
  if (model === 'mock-json') return jsonFor(body.response_format, question)
  if (model === 'mock-vision') {
    const kinds = imageKinds(messages)
    return `Mock saw ${kinds.length} ${kinds.length === 1 ? 'image' : 'images'}${kinds.length === 0 ? '' : `: ${kinds.join(', ')}`}.`
  }
  const results = toolResults(messages)
  if (model === 'mock-tools' && results.length > 0) {
    return `Mock answer from ${results.length} tool ${results.length === 1 ? 'result' : 'results'}: ${results.map((result) => contentText(result.content)).join(', ')}`
  }
  return `Mock answer to: ${question}`
}

const jsonFor = (format: unknown, question: string): string => {
  if (!isRecord(format) || format.type !== 'json_schema') return JSON.stringify({ answer: question })
  const wrapper = format.json_schema
  if (!isRecord(wrapper)) {
    throw new MockRefusal(400, '`json_schema` must be an object.', 'response_format.json_schema')
  }
  return JSON.stringify(minimalInstance(wrapper.schema ?? {}))
}

/** The words repeated or cut to the length that `tokens` asks for. */
const sized = (words: readonly string[], { tokens }: MockOptions): readonly string[] => {
  if (tokens === undefined) return words
  const source = words.length === 0 ? ['mock'] : words
  return Array.from({ length: tokens }, (_, index) => {
    const word = source[index % source.length]?.trim() ?? ''
    return index === tokens - 1 ? word : `${word} `
  })
}

const wholeNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined

const usageOf = (
  messages: readonly Record<string, unknown>[],
  reasoning: readonly string[],
  content: readonly string[],
  toolCalls: readonly MockCall[],
  choices: number,
  { fault, cachedTokens }: MockOptions,
): OpenAIUsage | undefined => {
  if (fault === 'usage-missing') return undefined
  if (fault === 'usage-zero') return { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
  const prompt = messages.reduce((sum, message) => sum + countWords(contentText(message.content)), 0)
  const input = prompt + imageKinds(messages).length
  const calls = toolCalls.reduce((sum, call) => sum + 1 + countWords(call.arguments.join('')), 0)
  const reasoningTokens = reasoning.length * choices
  const output = reasoningTokens + (content.length + calls) * choices
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: Math.min(cachedTokens ?? 0, input) },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  }
}
