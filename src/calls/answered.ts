import { isRecord } from '../core/json/record.ts'
import type { Call, Provider } from '../kit/index.ts'
import { report, target } from '../kit/slots.ts'

type Fields = Readonly<Record<string, unknown>>

/** More than any one call costs. */
const MOST_DOLLARS = 9_000

const TICKS_A_DOLLAR = 10_000_000_000

/**
 * Takes down what the answer of a provider says of itself, in any form that is known here: the model that gave it, the tier that
 * served it, what it is charged for. May be told several times; what is said last counts.
 */
export const noteAnswer = (call: Call, answer: unknown): void => {
  const sent = call.find(report)
  if (sent === undefined || !isRecord(answer)) return
  const usage = isRecord(answer.usage) ? answer.usage : NO_USAGE
  // The second is Gemini's.
  const model = textOf(answer.model) ?? textOf(answer.modelVersion)
  const tier = textOf(answer.service_tier) ?? textOf(usage.service_tier)
  const to = call.find(target)
  // What a caller's own host says may be the caller's own words.
  const dollars = to === undefined || to.isCallersHost === true ? undefined : dollarsOf(usage, to.provider)
  if (model === undefined && tier === undefined && dollars === undefined) return
  sent.answered ??= {}
  if (model !== undefined) sent.answered.model = model
  if (tier !== undefined) sent.answered.tier = tier
  if (dollars !== undefined) sent.answered.dollars = dollars
}

/** Takes down what a call buys besides tokens. @param answer in the form of the client; absent where it is no JSON, or a stream */
export const noteBought = (call: Call, asked: Fields, answer?: Fields): void => {
  const { boughtBy } = call.endpoint
  if (boughtBy !== undefined) call.get(report).bought = boughtBy(asked, answer)
}

const NO_USAGE: Fields = {}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/**
 * What a provider says it charges. `cost_in_usd_ticks` is xAI's (docs.x.ai, "Cost Tracking"), `cost.total_cost` Perplexity's
 * (API reference, chat completions); a plain `cost` is dollars only where the provider says so. Read 2026-11-22.
 */
const dollarsOf = (usage: Fields, { reportsCost }: Pick<Provider, 'reportsCost'>): number | undefined => {
  const { cost, cost_in_usd_ticks: ticks } = usage
  if (typeof ticks === 'number') return possible(ticks / TICKS_A_DOLLAR)
  if (isRecord(cost)) return possible(cost.total_cost)
  return reportsCost === true ? possible(withOwnKey(usage)) : undefined
}

/** With a key of the caller's own, OpenRouter charges its fee alone; what the model costs is charged to that key. */
const withOwnKey = ({ cost, is_byok: isOwn, cost_details: details }: Fields): unknown => {
  const beside = isOwn === true && isRecord(details) ? details.upstream_inference_cost : undefined
  return typeof cost === 'number' && typeof beside === 'number' ? cost + beside : cost
}

const possible = (dollars: unknown): number | undefined =>
  typeof dollars === 'number' && dollars >= 0 && dollars <= MOST_DOLLARS ? dollars : undefined
