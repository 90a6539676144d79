import type { ChatFields } from './chat-fields.ts'

/**
 * What servers made with vLLM take in a chat: `ChatCompletionRequest` of vllm-project/vllm,
 * vllm/entrypoints/openai/chat_completion/protocol.py, read 2026-11-22. Whatever else is ignored; `user` is too, and allowed.
 */
export const VLLM_FIELDS: ChatFields = {
  unknown: 'ignored',
  params: [
    'chat_template_kwargs',
    'documents',
    'echo',
    'frequency_penalty',
    'include_reasoning',
    'logit_bias',
    'logprobs',
    'max_completion_tokens',
    'max_tokens',
    'min_p',
    'min_tokens',
    'n',
    'parallel_tool_calls',
    'presence_penalty',
    'prompt_logprobs',
    'reasoning_effort',
    'repetition_penalty',
    'response_format',
    'seed',
    'session_id',
    'stop',
    'stream',
    'stream_options',
    'temperature',
    'tool_choice',
    'tools',
    'top_k',
    'top_logprobs',
    'top_p',
    'user',
  ],
  messages: {
    system: ['name'],
    user: ['name'],
    assistant: ['name', 'reasoning', 'reasoning_content', 'tool_calls'],
    tool: ['name', 'tool_call_id'],
  },
}
