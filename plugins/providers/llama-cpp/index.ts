/**
 * llama.cpp's `llama-server`, on a machine of the operator's. Sources, read 2026-11-22: ggml-org/llama.cpp, tools/server/README.md;
 * langchain-llama-cpp (PyPI; a `tool_choice` that is an object silently becomes `auto`). A last message of the assistant is gone on from,
 * unless the server was told not to (`--no-prefill-assistant`). A key is only asked for where the server was started with one. Its
 * `/v1/responses`, `/v1/messages` and `/v1/rerank` speak the forms of OpenAI, Anthropic and Jina as well.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import { type ChatFields, textRerank } from '#kit/provider'

const TAKES: ChatFields = {
  unknown: 'ignored',
  params: [
    'chat_template_kwargs',
    'frequency_penalty',
    'logit_bias',
    'logprobs',
    'max_tokens',
    'min_p',
    'n',
    'parallel_tool_calls',
    'presence_penalty',
    'reasoning_format',
    'repeat_penalty',
    'response_format',
    'seed',
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

export default definePlugin({
  name: 'llama-cpp',
  config: providerConfig('http://localhost:8080/v1'),
  setup: (config) => {
    const provider = openaiCompatible({
      id: 'llama-cpp',
      ...config,
      needsKey: false,
      developerRole: false,
      allowedTools: false,
      namedTool: false,
      maxCompletionTokens: false,
      takes: TAKES,
      reasoning: 'reasoning_content',
      answers: { finishReasons: {} },
      assistantPrefix: {},
    })
    return { providers: [{ ...provider, endpoints: { ...provider.endpoints, rerank: textRerank } }] }
  },
})
