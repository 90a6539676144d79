import { OPENAI_CHAT_PARAMS } from '#kit/provider'

/** What open models take besides OpenAI's parameters (vLLM serves them; "Call MaaS APIs for open models", read 2026-11-22). */
export const OPEN_PARAMS: readonly string[] = [
  ...OPENAI_CHAT_PARAMS,
  'top_k',
  'min_p',
  'repetition_penalty',
  'chat_template_kwargs',
]
