/**
 * NVIDIA NIM: the hosted models, or a container of one's own as `baseURL` or custom host. Source: BerriAI/litellm 1.109.1,
 * nvidia_nim/chat/transformation.py (the parameters that most models take, after NVIDIA's reference), read 2026-11-22. Embeddings
 * there need an `input_type`, which OpenAI's form has not, and are not called.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import type { ChatFields } from '#kit/provider'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'chat_template_kwargs',
    'frequency_penalty',
    'max_tokens',
    'parallel_tool_calls',
    'presence_penalty',
    'response_format',
    'seed',
    'stop',
    'stream',
    'stream_options',
    'temperature',
    'tool_choice',
    'tools',
    'top_p',
  ],
  messages: { system: [], user: [], assistant: ['reasoning_content', 'tool_calls'], tool: ['tool_call_id'] },
}

export default definePlugin({
  name: 'nvidia-nim',
  config: providerConfig('https://integrate.api.nvidia.com/v1'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'nvidia-nim',
        ...config,
        endpoints: ['chat', 'models'],
        developerRole: false,
        allowedTools: false,
        maxCompletionTokens: false,
        takes: TAKES,
        reasoning: 'reasoning_content',
        answers: { reasoning: 'reasoning', finishReasons: {} },
        params: { n: (choices) => (choices === 1 ? {} : undefined) },
      }),
    ],
  }),
})
