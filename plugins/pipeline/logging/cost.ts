import { originOf, regionOf } from '#calls/target-params'
import type { TargetSpent } from '#core/budgets'
import type { Prices } from '#core/prices'
import type { RecordedCost } from '#core/records'
import { addUnits } from '#core/usage'
import type { Call, Finish, Usage } from '#kit'
import {
  type CacheUse,
  cacheUse,
  callConfig,
  principal,
  type Report,
  report,
  type Target,
  type TargetVisit,
  target,
  visits,
} from '#kit/slots'

export interface Cost {
  readonly cost?: RecordedCost | undefined
  readonly unpriced?: true | undefined
  readonly priceId?: string | undefined
}

/** Nothing was bought. */
const NO_COST: Cost = {}

/** What was bought from one target, or with one request. */
interface Purchase {
  /** For records: unknown where the price of a part of it is. */
  readonly shown: Cost
  /** What is known of it, in 10⁻¹² dollars. */
  readonly cost: number
  readonly tokens: number
}

const NOTHING: Purchase = { shown: NO_COST, cost: 0, tokens: 0 }

/** An answer that was given before. */
const FREE: Purchase = { ...NOTHING, shown: { cost: { total: 0, input: 0, output: 0, cache: 0, other: 0 } } }

const NO_TOKENS: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }

/** What one target was asked for, as budgets hear of it and as its record shows it. */
export type TargetCost = TargetSpent & Purchase

/** What the attempts of a call have bought. */
export interface CallCost {
  readonly whole: Cost
  /** In the order of its visits; of a call without visits its one target, where it has one. */
  readonly targets: readonly TargetCost[]
}

const NOTHING_BOUGHT: CallCost = { whole: NO_COST, targets: [] }

/** @param current the attempt that runs, or ran last, where it was not abandoned; else the call itself */
export const costOfCall = (call: Call, current: Call, finish: Finish, prices: Prices): CallCost => {
  const visited = call.find(visits)
  if (visited === undefined) {
    const to = current.find(target)
    if (to === undefined) return NOTHING_BOUGHT
    const { shown, cost, tokens } = costOfLast(call, current, to, finish, prices)
    return { whole: shown, targets: [{ target: originOf(to), wasAsked: finish.asked > 0, cost, tokens, shown }] }
  }
  const targets = visited.map((visit) => ({
    ...costOfVisit(call, current, visit, finish, prices),
    target: visit.to,
    wasAsked: askedOf(visit, visited, finish) > 0,
  }))
  return { whole: targets.reduce((sum, { shown }) => addCosts(sum, shown), NO_COST), targets }
}

/** What one response of a session has bought. */
export const costOfPart = (part: Call, finish: Finish, prices: Prices): CallCost => {
  const to = part.find(target)
  if (to === undefined) return NOTHING_BOUGHT
  const { shown, cost, tokens } = costOfLast(part, part, to, finish, prices)
  return { whole: shown, targets: [{ target: originOf(to), wasAsked: true, cost, tokens, shown }] }
}

/** What one target was bought from, retries included. */
const costOfVisit = (call: Call, current: Call, visit: TargetVisit, finish: Finish, prices: Prices): Purchase => {
  const { to, used = NO_TRIES, isPart, isOver, error } = visit
  const hasFailed = isPart !== true && error?.code !== 'client_closed'
  const tries = used.reduce(
    (sum, { usage, report: said }) => addPurchases(sum, priced(call, prices, { usage, to, said, hasFailed })),
    NOTHING,
  )
  return isOver ? tries : addPurchases(tries, costOfLast(call, current, to, finish, prices))
}

const NO_TRIES: NonNullable<TargetVisit['used']> = []

/** Requests to the provider of a visit. One that is under way when the call ends is not among its own yet. */
export const askedOf = (visit: TargetVisit, visited: readonly TargetVisit[], { asked }: Finish): number =>
  visit.isOver ? visit.asked : visited.reduce((left, other) => left - (other === visit ? 0 : other.asked), asked)

/** What an answer that is given again costs otherwise, in 10⁻¹² dollars. */
export const savedBy = (call: Call, saved: NonNullable<CacheUse['saved']>, prices: Prices): number | undefined => {
  const to = call.find(target)
  const sent = call.find(report)
  if (to === undefined || sent === undefined) return undefined
  const { usage, answered = {}, bought } = saved
  return priced(call, prices, { usage, to, said: { ...sent, answered, bought }, hasFailed: false }).shown.cost?.total
}

/** What the attempt used whose answer, or failure, is the call's. */
const costOfLast = (call: Call, current: Call, to: Target, finish: Finish, prices: Prices): Purchase => {
  if (current.find(cacheUse)?.tokensSaved !== undefined) return FREE
  const { lastUsage, outcome, asked } = finish
  if (asked === 0) return NOTHING
  return priced(call, prices, { usage: lastUsage, to, said: current.find(report), hasFailed: outcome === 'failed' })
}

/** What one request to a provider used. */
interface Used {
  readonly usage: Usage | undefined
  readonly to: Target
  readonly said: Report | undefined
  /** The client got nothing of its answer. */
  readonly hasFailed: boolean
}

/** Nothing for a request that failed before the provider had said anything. */
const priced = (call: Call, prices: Prices, { usage, to, said, hasFailed }: Used): Purchase => {
  const { answered, bought } = said ?? {}
  const workspaceId = call.find(principal)?.workspaceId
  if (workspaceId === undefined || !call.endpoint.isCounted) return NOTHING
  if (usage === undefined && (hasFailed || (bought === undefined && answered?.dollars === undefined))) return NOTHING
  if (hasFailed && usage?.estimated === true && usage.outputTokens === 0) return NOTHING
  const known = prices.costOf({
    provider: said?.provider ?? to.provider.id,
    models: [answered?.model, said?.model, to.model],
    workspaceId,
    storedProvider: to.storedProvider,
    region: regionOf(to),
    usage: withBought(usage ?? NO_TOKENS, bought),
    tier: answered?.tier ?? tierAskedBy(call),
    reportedDollars: answered?.dollars,
  })
  // Callers may write the report of a host that they name: tokens are counted as limits count them.
  const { totalTokens: tokens } = usage?.ownCount ?? usage ?? NO_TOKENS
  return known === undefined ? { shown: UNPRICED, cost: 0, tokens } : { shown: known, cost: known.cost.total, tokens }
}

const UNPRICED: Cost = { unpriced: true }

/** Usage with what the endpoint knows of it. */
const withBought = (usage: Usage, bought: Report['bought']): Usage => {
  if (bought === undefined) return usage
  const units = addUnits(usage.units, bought.units)
  return {
    ...usage,
    ...(units === undefined ? {} : { units }),
    ...(bought.picture === undefined ? {} : { picture: bought.picture }),
  }
}

/** A tier that the request names; the others leave it to the provider. */
const tierAskedBy = (call: Call): string | undefined => {
  if (call.find(callConfig) === undefined) return undefined
  const { service_tier: tier } = call.params
  return typeof tier === 'string' && tier !== 'auto' && tier !== 'default' ? tier : undefined
}

const addPurchases = (left: Purchase, right: Purchase): Purchase =>
  left === NOTHING || right === NOTHING
    ? left === NOTHING
      ? right
      : left
    : { shown: addCosts(left.shown, right.shown), cost: left.cost + right.cost, tokens: left.tokens + right.tokens }

/** Costs of several purchases. Where one is not known, their sum is not. */
const addCosts = (left: Cost, right: Cost): Cost => {
  if (left === NO_COST || right === NO_COST) return left === NO_COST ? right : left
  if (left.cost === undefined || right.cost === undefined) return UNPRICED
  return {
    cost: {
      total: left.cost.total + right.cost.total,
      input: left.cost.input + right.cost.input,
      output: left.cost.output + right.cost.output,
      cache: left.cost.cache + right.cost.cache,
      other: left.cost.other + right.cost.other,
    },
    priceId: right.priceId,
  }
}
