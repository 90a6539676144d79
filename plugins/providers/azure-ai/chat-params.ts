import { OPENAI_CHAT_PARAMS } from '#kit/provider'

/** What models take besides OpenAI's parameters; Azure hands them on (`extra-parameters: pass-through`). */
export const CHAT_PARAMS: readonly string[] = [
  ...OPENAI_CHAT_PARAMS,
  'top_k',
  'min_p',
  'repetition_penalty',
  'length_penalty',
  'safe_prompt',
  'random_seed',
  'documents',
  'thinking',
  'chat_template_kwargs',
]
