import { isRecord } from '../core/json/record.ts'
import { THINKING_MODELS } from './thinking-models.ts'

/** Whether a model may be silent for long before it answers: who it is, unless the request says whether it shall think. */
export const thinks = (model: string | undefined, ...params: readonly (Fields | undefined)[]): boolean => {
  for (const fields of params) {
    const said = fields === undefined ? undefined : asksToThink(fields)
    if (said !== undefined) return said
  }
  return model !== undefined && isThinkingModel(model)
}

type Fields = Readonly<Record<string, unknown>>

/**
 * What a request says about thinking, in the words of OpenAI (`reasoning_effort`, `reasoning`), Anthropic (`thinking`) and
 * the hosts of open models (`enable_thinking`, also among `chat_template_kwargs`; `disable_reasoning`). Undefined: nothing.
 */
const asksToThink = ({
  reasoning_effort: effort,
  reasoning,
  thinking,
  enable_thinking: enabled,
  disable_reasoning: disabled,
  chat_template_kwargs: template,
}: Fields) => {
  if (typeof effort === 'string') return effort !== 'none'
  if (isRecord(reasoning)) {
    if (typeof reasoning.enabled === 'boolean') return reasoning.enabled
    if (typeof reasoning.effort === 'string') return reasoning.effort !== 'none'
    if (typeof reasoning.max_tokens === 'number') return reasoning.max_tokens > 0
  }
  if (isRecord(thinking)) return thinking.type !== 'disabled'
  if (typeof disabled === 'boolean') return !disabled
  const told = enabled ?? (isRecord(template) ? template.enable_thinking : undefined)
  return typeof told === 'boolean' ? told : undefined
}

/** Names are the caller's, so few are remembered, and none that is no name. */
const MAX_KNOWN = 1_000
const MAX_NAME_CHARACTERS = 200
const known = new Map<string, boolean>()

const isThinkingModel = (model: string): boolean => {
  if (model.length > MAX_NAME_CHARACTERS) return false
  const before = known.get(model)
  if (before !== undefined) return before
  const found = THINKING_MODELS.has(stemOf(model))
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(model, found)
  return found
}

/** `openai/gpt-5-mini-2026-01-09` and `us.openai.gpt-5-mini` as `gpt-5-mini`. */
const stemOf = (model: string): string =>
  model
    .toLowerCase()
    .slice(model.lastIndexOf('/') + 1)
    .replace(/[:@].*$/, '')
    .replace(/^(?:[a-z-]+\.)+(?=[a-z])/, '')
    .replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4})(?=$|-)/, '')
    .replace(/-latest$/, '')
    .replace(/-(?:gguf|awq|gptq|mlx)$/, '')
