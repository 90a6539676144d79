import { thinks } from '#calls/thinking'
import type { AdapterContext } from '#kit/provider'
import { type Fields, isGiven, type Report, recordAt, refuse, stringAt } from './values.ts'

/** The budgets that stand for each effort (behaviour reference, section 11.2). */
const BUDGETS: readonly (readonly [effort: string, tokens: number])[] = [
  ['low', 1024],
  ['medium', 8192],
  ['high', 16_384],
]

/** Efforts of Anthropic that other hosts have too; what is above is the most that all of them know. */
const EFFORTS: ReadonlySet<string> = new Set(['low', 'medium', 'high'])
const MOST = 'high'

/**
 * `thinking` in the words of a chat: on, off, or on with a budget, and the effort that comes nearest to it where the model is
 * known to think: a model that does not refuses any effort.
 */
export const toThinking = (params: Fields, { model }: AdapterContext, report: Report): Fields => {
  const thinking = recordAt(params.thinking, 'thinking')
  switch (thinking.type) {
    case 'disabled':
      return { thinking: { type: 'disabled' } }
    case 'adaptive':
      return { thinking: { type: 'enabled' } }
    case 'enabled': {
      const { budget_tokens: budget } = thinking
      if (typeof budget !== 'number') return refuse('thinking.budget_tokens', 'must be a number')
      const effort = thinks(model) && !isGiven(effortOf(params)) ? { reasoning_effort: nearest(budget) } : {}
      return { thinking: { type: 'enabled', budget_tokens: budget }, ...effort }
    }
    case 'between_tools':
      report('thinking')
      return {}
    default:
      return refuse('thinking.type', 'must be enabled, adaptive, between_tools or disabled')
  }
}

const nearest = (budget: number): string => BUDGETS.find(([, tokens]) => budget <= tokens)?.[0] ?? MOST

const effortOf = ({ output_config: config }: Fields): unknown =>
  isGiven(config) ? recordAt(config, 'output_config').effort : undefined

/** `output_config.effort` as `reasoning_effort`, for a model that is known to think and was not told not to. */
export const toEffort = (params: Fields, { model }: AdapterContext, report: Report): Fields => {
  const effort = effortOf(params)
  if (!isGiven(effort)) return {}
  const asked = stringAt(effort, 'output_config.effort')
  const isOff = isGiven(params.thinking) && recordAt(params.thinking, 'thinking').type === 'disabled'
  if (!thinks(model) || isOff) {
    report('output_config.effort')
    return {}
  }
  if (EFFORTS.has(asked)) return { reasoning_effort: asked }
  report('output_config.effort')
  return { reasoning_effort: MOST }
}
