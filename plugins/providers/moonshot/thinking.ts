import { isRecord } from '#kit'
import type { ChatRequest, ParamRule } from '#kit/provider'

/** Kimi K2.5 and newer: temperature and the like are fixed, and any other value is refused. */
export const fixesSampling = (model: string): boolean => /^kimi-(?:k2\.[5-9]|k[3-9])/.test(model)

/** Models that may be told to think or not, those that always do, and those that are told how much. */
const SWITCHED = /^kimi-k2\.[56]/
const ALWAYS = /^kimi-(?:k2\.[7-9]|k2-thinking|thinking)/
const LEVELLED = /^kimi-k[3-9]/

const LEVELS: Readonly<Record<string, string>> = {
  minimal: 'low',
  low: 'low',
  medium: 'high',
  high: 'high',
  xhigh: 'max',
  max: 'max',
}

/**
 * `reasoning_effort` is known to Kimi K3 alone, as `low`, `high` and `max`; K2.5 and K2.6 are told to think or not. A level that
 * is lost is named.
 */
export const reasoningEffort: ParamRule<ChatRequest, string> = (effort, request, { model }, report) => {
  if (LEVELLED.test(model)) {
    const level = Object.hasOwn(LEVELS, effort) ? LEVELS[effort] : undefined
    return level === undefined ? undefined : { reasoning_effort: level }
  }
  if (ALWAYS.test(model) || !SWITCHED.test(model)) return undefined
  if (isRecord(request.thinking)) return {}
  if (effort !== 'none') report('reasoning_effort')
  return { thinking: { type: effort === 'none' ? 'disabled' : 'enabled' } }
}

/** Whether the answer to this request is thought about. */
export const thinksHere = ({ thinking, reasoning_effort: effort }: ChatRequest, model: string): boolean => {
  if (ALWAYS.test(model) || LEVELLED.test(model)) return true
  return SWITCHED.test(model) && (isRecord(thinking) ? thinking.type !== 'disabled' : effort !== 'none')
}
