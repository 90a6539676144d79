/**
 * Groq. It answers 400 to fields it does not know (`property 'reasoning_content' is unsupported`), so that only what it
 * lists is sent. Sources: GroqDocs, "OpenAI Compatibility" (`messages[].name`, `logprobs`, `logit_bias`), types of groq-sdk
 * 1.6.0 (which say `metadata` and `store` are not supported) and public reports of its errors, read 2026-11-22.
 * `n` other than 1 passes on: Groq refuses it, and fewer choices than asked for would look like success.
 */
import { definePlugin, isRecord, openaiCompatible, type Provider, providerConfig } from '#kit'
import { type AdaptMessages, type ChatFields, mapChanged, OPENAI_STRICT, openaiFailure } from '#kit/provider'
import { audio } from './audio.ts'

const TAKES: ChatFields = {
  unknown: 'refused',
  params: [
    'citation_options',
    'compound_custom',
    'disable_tool_validation',
    'documents',
    'exclude_domains',
    'frequency_penalty',
    'function_call',
    'functions',
    'include_domains',
    'include_reasoning',
    'max_completion_tokens',
    'max_tokens',
    'n',
    'parallel_tool_calls',
    'presence_penalty',
    'reasoning_effort',
    'reasoning_format',
    'response_format',
    'search_settings',
    'seed',
    'service_tier',
    'stop',
    'stream',
    // Not in the types of its SDK; the API answers it with a last chunk of usage.
    'stream_options',
    'temperature',
    'tool_choice',
    'tools',
    'top_p',
    'user',
  ],
  messages: {
    system: [],
    user: [],
    assistant: ['function_call', 'reasoning', 'tool_calls'],
    tool: ['tool_call_id'],
  },
  // 400, "'messages.2.content' : value must be a string" (CherryHQ/cherry-studio #3307, read 2026-11-22).
  stringContent: true,
}

/** Longest generation that is passed on, in characters. */
const MAX_GENERATION = 20_000

/** What the model made that is no tool call and no JSON (`failed_generation`; picoclaw #748): clients mend or show it. */
const failure: Provider['failure'] = (status, body) => {
  const said = openaiFailure(status, body)
  const generation = isRecord(body) && isRecord(body.error) ? body.error.failed_generation : undefined
  if (typeof generation !== 'string') return said
  return { ...said, extra: { failed_generation: generation.slice(0, MAX_GENERATION) } }
}

/** Why a stream was stopped early (`x_groq.error` of a chunk, types of groq-sdk 1.6.0). */
const errorOf = ({ x_groq: told }: Readonly<Record<string, unknown>>): string | undefined =>
  isRecord(told) && typeof told.error === 'string' && told.error !== '' ? told.error : undefined

/** Models that take `reasoning` in an earlier answer; others refuse it ("reasoning is not supported with this model"). */
const REASONING_MODELS = /gpt-oss|qwen3/i

const withoutReasoning: AdaptMessages = (messages, _request, { model }, report) => {
  if (REASONING_MODELS.test(model)) return messages
  return mapChanged(messages, (message) => {
    if (typeof message !== 'object' || message === null || !Object.hasOwn(message, 'reasoning')) return message
    const { reasoning, ...rest } = message
    if (typeof reasoning === 'string' && reasoning !== '') report('messages[].reasoning_content')
    return rest
  })
}

export default definePlugin({
  name: 'groq',
  config: providerConfig('https://api.groq.com/openai/v1'),
  setup: (config) => {
    const provider = openaiCompatible({
      id: 'groq',
      keeps: ['files', 'batches'],
      ...config,
      endpoints: ['chat', 'models'],
      // "Responses API" of GroqDocs: without state, so that conversations are sent whole (read 2026-11-22).
      responses: { keeps: false },
      developerRole: false,
      allowedTools: false,
      takes: TAKES,
      // "Structured Outputs": strict schemas are closed, with all of their properties required.
      strictSchemas: OPENAI_STRICT,
      reasoning: 'reasoning',
      adaptMessages: withoutReasoning,
      failure,
      answers: { reasoning: 'reasoning', finishReasons: {}, fields: ['x_groq'], errorOf },
    })
    return { providers: [{ ...provider, endpoints: { ...provider.endpoints, ...audio } }] }
  },
})
