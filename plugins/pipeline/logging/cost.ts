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

/** An answer that was given before. */
const FREE: Cost = { cost: { total: 0, input: 0, output: 0, cache: 0, other: 0 } }

const NO_TOKENS: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }

/** All that the attempts of a call have bought. */
export const costOfCall = (call: Call, finish: Finish, prices: Prices): Cost => {
  if (call.find(cacheUse)?.tokensSaved !== undefined) return FREE
  if (finish.asked === 0) return NO_COST
  const visited = call.find(visits)
  if (visited === undefined) return costOfLast(call, finish, prices)
  return visited.reduce((sum, visit) => addCosts(sum, costOfVisit(call, visit, finish, prices)), NO_COST)
}

/** What one target was bought from, retries included. */
export const costOfVisit = (call: Call, visit: TargetVisit, finish: Finish, prices: Prices): Cost => {
  const { to, used = [], isPart, isOver } = visit
  const ofTries = used.reduce(
    (sum, { usage, report: said }) =>
      addCosts(sum, priced(call, prices, { usage, to, said, hasFailed: isPart !== true })),
    NO_COST,
  )
  return isOver ? ofTries : addCosts(ofTries, costOfLast(call, finish, prices))
}

/** What an answer that is given again costs otherwise, in 10⁻¹² dollars. */
export const savedBy = (call: Call, saved: NonNullable<CacheUse['saved']>, prices: Prices): number | undefined => {
  const to = call.find(target)
  const sent = call.find(report)
  if (to === undefined || sent === undefined) return undefined
  const { usage, answered = {}, bought } = saved
  return priced(call, prices, { usage, to, said: { ...sent, answered, bought }, hasFailed: false }).cost?.total
}

/** Of the attempt whose answer, or failure, is the call's. */
const costOfLast = (call: Call, { lastUsage, outcome }: Finish, prices: Prices): Cost => {
  const to = call.find(target)
  if (to === undefined) return NO_COST
  return priced(call, prices, { usage: lastUsage, to, said: call.find(report), hasFailed: outcome === 'failed' })
}

/** What one request to a provider used. */
interface Purchase {
  readonly usage: Usage | undefined
  readonly to: Target
  readonly said: Report | undefined
  /** The client got nothing of its answer. */
  readonly hasFailed: boolean
}

/** Nothing for a request that failed before the provider had said anything. */
const priced = (call: Call, prices: Prices, { usage, to, said, hasFailed }: Purchase): Cost => {
  const { answered, bought } = said ?? {}
  const workspaceId = call.find(principal)?.workspaceId
  if (workspaceId === undefined || !call.endpoint.isCounted) return NO_COST
  if (usage === undefined && (hasFailed || (bought === undefined && answered?.dollars === undefined))) return NO_COST
  if (hasFailed && usage?.estimated === true && usage.outputTokens === 0) return NO_COST
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
  return known ?? UNPRICED
}

/** Of a cloud: `aws_region`, `vertex_region`. */
const regionOf = ({ settings }: Target): string | undefined => {
  for (const name in settings) if (name.endsWith('_region')) return settings[name]
  return undefined
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
