/**
 * Hugging Face: the router over its inference providers (`model` or `model:provider`), or an endpoint of one's own by
 * `huggingface_base_url`. Source: ChatCompletionInput and -Output of @huggingface/tasks 0.21.54, from which the page "Chat
 * Completion" of its documentation is made, read 2026-11-22. The router's `/responses` is in beta there.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import type { ChatFields } from '#kit/provider'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'frequency_penalty',
    'logit_bias',
    'logprobs',
    'max_tokens',
    'n',
    'presence_penalty',
    'reasoning_effort',
    'response_format',
    'seed',
    'stop',
    'stream',
    'stream_options',
    'temperature',
    'tool_choice',
    'tools',
    'top_logprobs',
    'top_p',
  ],
  messages: { system: ['name'], user: ['name'], assistant: ['name', 'tool_calls'], tool: ['name', 'tool_call_id'] },
}

export default definePlugin({
  name: 'huggingface',
  config: providerConfig('https://router.huggingface.co/v1'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'huggingface',
        ...config,
        endpoints: ['chat', 'models'],
        developerRole: false,
        allowedTools: false,
        maxCompletionTokens: false,
        takes: TAKES,
        settings: { huggingface_base_url: 'huggingface-base-url' },
        hostSetting: 'huggingface_base_url',
        answers: { reasoning: 'reasoning', finishReasons: { eos_token: 'stop', stop_sequence: 'stop' } },
        // One text or a list to OpenAI, always a list here.
        params: { stop: (stop) => ({ stop: typeof stop === 'string' ? [stop] : stop }) },
      }),
    ],
  }),
})
