/**
 * OpenRouter. Sources: OpenRouter docs, "Streaming" and "Errors and Debugging", read 2026-11-21.
 * An error while the model answers comes in a 200: in the body, or as a data event with `error` beside `choices`.
 * Comments (`: OPENROUTER PROCESSING`) keep streams awake. `HTTP-Referer` and `X-Title` name the calling application.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import { type ChatFields, clip, type Failure, OPENAI_CHAT_PARAMS, OPENAI_TOOL_IDS, openaiFailure } from '#kit/provider'
import { media } from './media.ts'

/**
 * Types of @openrouter/sdk 1.3.19 (chatrequest.d.ts, chatassistantmessage.d.ts), read 2026-11-22. What a model behind it does
 * not have it leaves out itself, so that all of OpenAI's passes.
 */
const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    ...OPENAI_CHAT_PARAMS,
    'cache_control',
    'debug',
    'image_config',
    'include_reasoning',
    'min_p',
    'models',
    'plugins',
    'provider',
    'reasoning',
    'repetition_penalty',
    'route',
    'session_id',
    'stop_server_tools_when',
    'top_a',
    'top_k',
    'trace',
    'transforms',
  ],
  messages: {
    system: ['name', 'cache_control'],
    user: ['name', 'cache_control'],
    assistant: [
      'name',
      'refusal',
      'audio',
      'images',
      'model',
      'tool_calls',
      'reasoning',
      'reasoning_details',
      'cache_control',
    ],
    tool: ['tool_call_id', 'cache_control'],
  },
  inner: ['cache_control'],
}

export default definePlugin({
  name: 'openrouter',
  config: providerConfig('https://openrouter.ai/api/v1'),
  setup: (config) => {
    const provider = openaiCompatible({
      id: 'openrouter',
      ...config,
      headers: ['http-referer', 'x-title'],
      // "Responses API Beta" of OpenRouter's docs and @openrouter/sdk (`responses.send` alone), read 2026-11-22.
      responses: { keeps: false },
      takes: TAKES,
      reasoning: 'reasoning',
      answers: { reasoning: 'reasoning', finishReasons: { error: 'error' } },
      failure,
      // The limit of a model of OpenAI behind it (openclaw/openclaw #875, read 2026-11-22).
      toolIds: OPENAI_TOOL_IDS,
    })
    // "Usage Accounting" of OpenRouter's docs, read 2026-11-22: credits are US dollars.
    return { providers: [{ ...provider, reportsCost: true, endpoints: { ...provider.endpoints, ...media } }] }
  },
})

/** "Provider returned error" alone helps nobody: `metadata` says which provider, and what it said. */
const failure = (status: number, body: unknown): Failure => {
  const said = openaiFailure(status, body)
  const metadata = recordOf(recordOf(recordOf(body).error).metadata)
  const details = [metadata.provider_name, metadata.raw].filter((detail) => typeof detail === 'string' && detail !== '')
  return details.length === 0 ? said : { ...said, message: clip(`${said.message} (${details.join(': ')})`, status) }
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
