import type { ChatRequest } from '#kit/provider'
import { reasoningOf as claudeReasoningOf, isThinking } from '../anthropic/thinking.ts'
import { type Fields, isAbsent, recordAt, refuse, stringAt } from '../anthropic/values.ts'
import { type BedrockModel, claudeOf, isNova2 } from './models.ts'

/** What `reasoning_effort` and `thinking` come to. */
export interface Reasoning {
  /** For `additionalModelRequestFields`: each maker has fields of its own. */
  readonly fields: Fields
  /** For `outputConfig.effort`. */
  readonly effort?: string
  /** Sampling is fixed while the model thinks. */
  readonly fixesSampling: boolean
  /** Limits and sampling must be left out ("Extended thinking in Amazon Nova 2": with `high`, read 2026-11-22). */
  readonly refusesLimits?: true
  readonly lost: readonly string[]
}

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** The three levels that Nova and the open models of OpenAI have. */
const levelOf = (effort: string): string => {
  if (effort === 'minimal' || effort === 'low') return 'low'
  return effort === 'medium' ? 'medium' : 'high'
}

/**
 * Claude: `thinking` in the fields of the model, the effort in `outputConfig` (botocore 1.44.5, `OutputConfig`). Nova 2:
 * `reasoningConfig` ("Extended thinking in Amazon Nova 2"). Open models of OpenAI: `reasoning_effort` (vercel/ai #11467). All read
 * 2026-11-22. Of other makers nothing was found in public documentation.
 * @throws InvalidRequest for an effort that nobody knows
 */
export const reasoningOf = (request: ChatRequest, model: BedrockModel): Reasoning => {
  const claude = claudeOf(model)
  if (claude !== undefined) {
    const { max_completion_tokens: newer, max_tokens: older } = request
    const limit = typeof newer === 'number' ? newer : typeof older === 'number' ? older : claude.defaultMaxTokens
    const made = claudeReasoningOf(request, claude, limit)
    return {
      fields: made.thinking === undefined ? {} : { thinking: made.thinking },
      ...(made.effort === undefined ? {} : { effort: made.effort }),
      fixesSampling: !claude.sampling || isThinking(made),
      lost: [
        ...(made.nativeLost === true ? ['thinking'] : []),
        ...(made.budgetLost === true ? ['thinking.budget_tokens'] : []),
        ...(made.lost && made.thinking === undefined ? ['reasoning_effort'] : []),
      ],
    }
  }
  const effort = isAbsent(request.reasoning_effort)
    ? effortOfThinking(request.thinking)
    : stringAt(request.reasoning_effort, 'reasoning_effort')
  if (effort === undefined) return { fields: {}, fixesSampling: false, lost: [] }
  if (!EFFORTS.includes(effort)) return refuse('reasoning_effort', `must be one of ${EFFORTS.join(', ')}.`)
  if (isNova2(model)) {
    if (effort === 'none') return { fields: { reasoningConfig: { type: 'disabled' } }, fixesSampling: false, lost: [] }
    const level = levelOf(effort)
    return {
      fields: { reasoningConfig: { type: 'enabled', maxReasoningEffort: level } },
      fixesSampling: level === 'high',
      ...(level === 'high' ? { refusesLimits: true as const } : {}),
      lost: [],
    }
  }
  const isGptOss = model.maker === 'openai' && effort !== 'none'
  if (isGptOss) return { fields: { reasoning_effort: levelOf(effort) }, fixesSampling: false, lost: [] }
  const lost = isAbsent(request.reasoning_effort) ? 'thinking' : 'reasoning_effort'
  return { fields: {}, fixesSampling: false, lost: [lost] }
}

/** `thinking` in Anthropic's form, for a model that has efforts instead. */
const effortOfThinking = (value: unknown): string | undefined => {
  if (isAbsent(value)) return undefined
  const { type, budget_tokens: budget } = recordAt(value, 'thinking')
  if (type === 'disabled') return 'none'
  if (typeof budget !== 'number') return 'medium'
  return budget <= 2048 ? 'low' : budget <= 16_384 ? 'medium' : 'high'
}
