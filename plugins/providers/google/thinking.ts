import { isRecord } from '#kit'
import type { AdapterContext, ChatRequest } from '#kit/provider'
import { type Fields, refuse } from './json.ts'
import { isPro, thinkingFamily } from './model.ts'

/**
 * Token budgets for `reasoning_effort` on Gemini 2.5, and levels on Gemini 3: the table of page "OpenAI compatibility",
 * part "Thinking", read 2026-11-21. `xhigh` and `max` are newer words of other providers: the most there is.
 */
const BUDGETS: Fields = { minimal: 1024, low: 1024, medium: 8192, high: 24_576, xhigh: 24_576, max: 24_576 }
const LEVELS: Fields = { minimal: 'minimal', low: 'low', medium: 'medium', high: 'high', xhigh: 'high', max: 'high' }

/** The least a Gemini 2.5 Pro takes; it refuses 0. */
const LEAST_PRO_BUDGET = 128
/** The model decides (Gemini 2.5; later ones do so without being told). */
const DYNAMIC_BUDGET = -1

interface Thinking {
  readonly type: 'enabled' | 'adaptive' | 'disabled'
  readonly budgetTokens?: number
}

/** Rule of `thinking`: the whole `thinkingConfig`, with what `reasoning_effort` adds to it. */
export const thinkingRule = (_value: unknown, request: ChatRequest, context: AdapterContext): Fields | undefined =>
  toFields(request, context)

/** Rule of `reasoning_effort`. A budget, or thinking turned off, decides alone: Gemini takes a level or a budget, not both. */
export const effortRule = (_value: unknown, request: ChatRequest, context: AdapterContext): Fields | undefined => {
  const fields = toFields(request, context)
  const thinking = readThinking(request.thinking)
  return thinking?.type === 'disabled' || thinking?.budgetTokens !== undefined ? undefined : fields
}

const toFields = (request: ChatRequest, context: AdapterContext): Fields | undefined => {
  const thinking = readThinking(request.thinking)
  const effort = readEffort(request.reasoning_effort)
  if (thinkingFamily(context.model) === 'none') return undefined
  const isOff = thinking?.type === 'disabled' || (thinking === undefined && effort === 'none')
  const shown = isOff ? {} : { includeThoughts: true }
  const config = { ...amountOf(thinking, effort, context.model), ...shown }
  return Object.keys(config).length === 0 ? {} : { 'generationConfig.thinkingConfig': config }
}

const amountOf = (thinking: Thinking | undefined, effort: string | undefined, model: string): Fields => {
  // Gemini 3 takes a budget too ("accepted for backwards compatibility").
  if (thinking?.budgetTokens !== undefined && thinking.type !== 'disabled') {
    return { thinkingBudget: thinking.budgetTokens }
  }
  const wanted = thinking?.type === 'disabled' ? 'none' : effort
  const usesLevels = thinkingFamily(model) === 'level'
  if (wanted === undefined) return usesLevels ? {} : { thinkingBudget: DYNAMIC_BUDGET }
  if (!usesLevels) {
    return { thinkingBudget: wanted !== 'none' ? BUDGETS[wanted] : isPro(model) ? LEAST_PRO_BUDGET : 0 }
  }
  // Thinking cannot be turned off from Gemini 3 on: the lowest level is the nearest.
  const level = wanted === 'none' ? 'minimal' : LEVELS[wanted]
  return { thinkingLevel: level === 'minimal' && isPro(model) ? 'low' : level }
}

const readEffort = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && (value === 'none' || Object.hasOwn(BUDGETS, value))) return value
  throw refuse('reasoning_effort', `\`reasoning_effort\` must be one of none, ${Object.keys(BUDGETS).join(', ')}.`)
}

const readThinking = (value: unknown): Thinking | undefined => {
  if (value === undefined || value === null) return undefined
  if (!isRecord(value)) throw refuse('thinking', '`thinking` must be an object.')
  const { type, budget_tokens: budgetTokens } = value
  if (type !== 'enabled' && type !== 'adaptive' && type !== 'disabled') {
    throw refuse('thinking.type', '`thinking.type` must be enabled, adaptive or disabled.')
  }
  if (budgetTokens === undefined || budgetTokens === null) return { type }
  if (!Number.isInteger(budgetTokens)) {
    throw refuse('thinking.budget_tokens', '`thinking.budget_tokens` must be an integer.')
  }
  return { type, budgetTokens: Number(budgetTokens) }
}
