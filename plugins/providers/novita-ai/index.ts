/**
 * Novita AI. Sources, read 2026-11-22: "Create chat completion" and "Reasoning Models" of its documentation; public reports of its
 * errors (`{code, reason, message, metadata}`). `tool_choice` is not on that page; calls of functions are, in a guide.
 */
import { definePlugin, isRecord, openaiCompatible, type Provider, providerConfig } from '#kit'
import { type ChatFields, openaiFailure } from '#kit/provider'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'enable_thinking',
    'frequency_penalty',
    'logit_bias',
    'logprobs',
    'max_tokens',
    'min_p',
    'n',
    'presence_penalty',
    'reasoning_effort',
    'repetition_penalty',
    'response_format',
    'seed',
    'separate_reasoning',
    'stop',
    'stream',
    'stream_options',
    'temperature',
    'tool_choice',
    'tools',
    'top_k',
    'top_logprobs',
    'top_p',
  ],
  messages: {
    system: ['name'],
    user: ['name'],
    assistant: ['name', 'reasoning_content', 'tool_calls'],
    tool: ['name', 'tool_call_id'],
  },
}

/** The word says more than the status that `code` repeats. */
const failure: Provider['failure'] = (status, body) => {
  const said = openaiFailure(status, body)
  return isRecord(body) && typeof body.reason === 'string' ? { ...said, code: body.reason } : said
}

export default definePlugin({
  name: 'novita-ai',
  config: providerConfig('https://api.novita.ai/openai/v1'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'novita-ai',
        ...config,
        developerRole: false,
        allowedTools: false,
        maxCompletionTokens: false,
        takes: TAKES,
        reasoning: 'reasoning_content',
        answers: { finishReasons: {} },
        failure,
        params: {
          // Models are told whether to think, not how much.
          reasoning_effort: (effort, { enable_thinking: told }, _context, report) => {
            if (effort !== 'none') report('reasoning_effort')
            return typeof told === 'boolean' ? {} : { enable_thinking: effort !== 'none' }
          },
        },
        embeddingsParams: { user: null },
      }),
    ],
  }),
})
