/**
 * Names of the fields of a chat request: what OpenAI's reference lists, and what is known to belong to other providers.
 * Sources: types of openai-node 6.49.0 (chat/completions.d.ts), groq-sdk 1.6.0, together-ai 0.52.0, @openrouter/sdk
 * 1.3.19 and mistralai 3.7.0 (PyPI), all read 2026-11-22; those of the other providers as their plugins take them.
 */

/** What a host of OpenAI's format takes in a chat, as data. `model`, `messages`, and a message's role and content go without saying. */
export interface ChatFields {
  /**
   * What the host does with a field that it does not know. Where it refuses the call, all that is not listed is left out.
   * Where it ignores it, only what is known to be somebody else's: any other field may be a new one of the host.
   */
  readonly unknown: 'refused' | 'ignored'
  /** Parameters, under the names of the host or with a rule of their own. */
  readonly params: readonly string[]
  /** Fields of messages by role. `developer` is a system message, the old `function` a tool message. */
  readonly messages: { readonly [Role in 'system' | 'user' | 'assistant' | 'tool']: readonly string[] }
  /** Fields inside a message (parts, tool calls) and of tools that OpenAI does not have: `cache_control`. */
  readonly inner?: readonly string[]
  /** Types of content parts of an earlier answer that the host has besides `text` and, with that field, `refusal`. */
  readonly answerParts?: readonly string[]
  /** True for a host that wants text as a string: lists of nothing but text parts become one. */
  readonly stringContent?: boolean
}

export const OPENAI_CHAT_PARAMS: readonly string[] = [
  'audio',
  'frequency_penalty',
  'function_call',
  'functions',
  'logit_bias',
  'logprobs',
  'max_completion_tokens',
  'max_tokens',
  'metadata',
  'modalities',
  'moderation',
  'n',
  'parallel_tool_calls',
  'prediction',
  'presence_penalty',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning_effort',
  'response_format',
  'safety_identifier',
  'seed',
  'service_tier',
  'stop',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'user',
  'verbosity',
  'web_search_options',
]

/** Parameters that some other provider has, and OpenAI has not. */
export const FOREIGN_CHAT_PARAMS: readonly string[] = [
  'cache_control',
  'chat_template_kwargs',
  'citation_options',
  'clear_thinking',
  'compliance',
  'compound_custom',
  'container',
  'context_length_exceeded_behavior',
  'context_management',
  'debug',
  'disable_reasoning',
  'disable_search',
  'disable_tool_validation',
  'do_sample',
  'documents',
  'echo',
  'enable_search',
  'enable_thinking',
  'exclude_domains',
  'guardrails',
  'image_config',
  'image_domain_filter',
  'include_domains',
  'include_reasoning',
  'inference_geo',
  'language_preference',
  'last_updated_after_filter',
  'last_updated_before_filter',
  'mcp_servers',
  'min_p',
  'min_tokens',
  'models',
  'output_config',
  'parallel_function_calling',
  'plugins',
  'preserve_thinking',
  'prompt_logprobs',
  'prompt_mode',
  'provider',
  'random_seed',
  'reasoning',
  'reasoning_format',
  'reasoning_history',
  'repeat_penalty',
  'repetition_penalty',
  'return_images',
  'return_related_questions',
  'route',
  'safe_prompt',
  'safety_model',
  'safety_settings',
  'search_after_date_filter',
  'search_before_date_filter',
  'search_domain_filter',
  'search_language_filter',
  'search_mode',
  'search_options',
  'search_parameters',
  'search_recency_filter',
  'search_settings',
  'separate_reasoning',
  'session_id',
  'speed',
  'stop_server_tools_when',
  'stream_mode',
  'thinking',
  'thinking_budget',
  'tool_stream',
  'top_a',
  'top_k',
  'top_prompt_logprobs',
  'trace',
  'transforms',
]

/** What OpenAI takes in a message; `refusal`, `annotations` and the like come with its answers and are sent back. */
export const OPENAI_MESSAGE_FIELDS: ChatFields['messages'] = {
  system: ['name'],
  user: ['name'],
  assistant: ['name', 'refusal', 'audio', 'annotations', 'function_call', 'tool_calls'],
  tool: ['tool_call_id', 'name'],
}

/** Fields that other providers, or clients made for them, put into messages, their parts and tool calls, and into tools. */
export const FOREIGN_MESSAGE_FIELDS: ReadonlySet<string> = new Set([
  'cache_control',
  'channel',
  'citations',
  'executed_tools',
  'extra_content',
  'images',
  'is_error',
  'model',
  'parsed',
  'partial',
  'prefix',
  'provider_specific_fields',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'reasoning_steps',
  'reasoning_text',
  'thinking',
  'thinking_blocks',
  'thought_signature',
])

/** Fields of a tool call and of a tool in OpenAI's form. */
export const OPENAI_TOOL_FIELDS: readonly string[] = ['id', 'type', 'function', 'custom']
