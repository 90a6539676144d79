import type { BudgetUnits, OwnedBudgets } from '../core/budgets.ts'
import { defined } from '../core/defined.ts'
import { BudgetExhausted, type GatewayErrorOptions } from '../errors/gateway-error.ts'
import { described } from '../limits/refusal.ts'
import { shownUnits, worded } from './amounts.ts'
import type { Counter } from './counter.ts'
import type { BudgetFacts, BudgetRule } from './rule.ts'

/** A budget that does not let a call through. */
export interface RefusingBudget {
  readonly rule: BudgetRule
  readonly counter: Counter
  /** What would have been held back for the call. */
  readonly weight: BudgetUnits
  /** Spent and held back by others. */
  readonly used: BudgetUnits
}

/** `error.type` of the interface, by what a budget belongs to. */
const OWNER_TYPES: Readonly<Record<OwnedBudgets['owner'], string>> = {
  api_key: 'api_key_exhaust_error',
  workspace: 'workspace_exhaust_error',
  virtual_key: 'virtual_key_exhaust_error',
  integration: 'integration_exhaust_error',
}
/** `error.code` of the interface for a budget that is no policy. */
const OWNED_CODE = '04'
/** Milliseconds after which calls that are running may have given back what they hold. */
const HELD_BACK_MS = 1_000

/**
 * The error for a call that budgets refuse: it names the first of them, and the time after which all have room.
 * @param alsoRefusedBy ids of limits that refuse it too
 */
export const toBudgetRefusal = (
  refusing: readonly [RefusingBudget, ...RefusingBudget[]],
  nowMs: number,
  alsoRefusedBy: readonly string[] = [],
): BudgetExhausted => {
  const [named] = refusing
  const { facts } = named.rule
  return new BudgetExhausted(messageOf(named), {
    ...optionsOf(facts),
    budget: {
      ...(facts.owner === 'policy' ? { policyId: facts.id } : {}),
      group: facts.group,
      type: facts.type,
      enforcement: facts.enforcement,
      limit: shownUnits(facts.type, facts.limit),
      used: shownUnits(facts.type, named.used),
      requested: shownUnits(facts.type, named.weight),
      ...defined({ resetsAtMs: named.counter.endMs }),
    },
    ...defined({ retryAfterMs: retryAfter(refusing, nowMs) }),
    endsCall: refusing.some(refusesAnyTarget),
    refusedBy: [...refusing.map(({ rule }) => rule.facts.id), ...alsoRefusedBy],
  })
}

/** The error for a call whose price is not known, where a policy says that those are refused. */
export const toUnpricedRefusal = (facts: BudgetFacts, model: string, provider: string): BudgetExhausted =>
  new BudgetExhausted(
    `The price of ${model === '' ? 'this call' : `the model '${model}'`} at ${provider} is not known, and ${described(facts)} refuses such calls (\`on_unknown_price\`).`,
    { ...optionsOf(facts), refusedBy: [facts.id] },
  )

const optionsOf = ({ owner }: BudgetFacts): GatewayErrorOptions =>
  owner === 'policy' ? {} : { type: OWNER_TYPES[owner], wireCode: OWNED_CODE }

/** Another target might cost less, unless nothing is left at all. */
const refusesAnyTarget = ({ rule: { facts }, used }: RefusingBudget): boolean =>
  facts.scope === 'call' && used >= facts.limit

/** Only calls that are in flight take the room. */
const isHeldBack = ({ rule, counter, weight }: RefusingBudget): boolean =>
  counter.stored + counter.pending + Math.max(weight, 1) <= rule.facts.limit

const canNeverFit = ({ rule, weight }: RefusingBudget): boolean => Math.max(weight, 1) > rule.facts.limit

/** Undefined where waiting does not help. */
const retryAfter = (refusing: readonly RefusingBudget[], nowMs: number): number | undefined => {
  let longest = 0
  for (const each of refusing) {
    const { endMs } = each.counter
    if (canNeverFit(each)) return undefined
    if (isHeldBack(each))
      longest = Math.max(longest, Math.min(HELD_BACK_MS, (endMs ?? Number.POSITIVE_INFINITY) - nowMs))
    else if (endMs === undefined) return undefined
    else longest = Math.max(longest, endMs - nowMs)
  }
  return Math.max(0, longest)
}

const messageOf = (refusing: RefusingBudget): string => {
  const { rule, counter, weight, used } = refusing
  const { type, limit } = rule.facts
  const whose = described(rule.facts)
  const whole = worded(type, limit)
  if (limit === 0) return `The budget of ${whose} is 0: nothing is let through.`
  if (canNeverFit(refusing)) {
    return `The call may take ${worded(type, weight)}, and the budget of ${whose} is ${whole}: it can never be made.`
  }
  const needs = used >= limit ? '' : `, and the call may take ${worded(type, weight)}`
  const state = `The budget of ${whose} ${used >= limit ? 'is used up' : 'has too little left'}: ${worded(type, used)} of ${whole} used${needs}.`
  if (isHeldBack(refusing)) return `${state} Some of it is held back for calls that are running: try again soon.`
  const { endMs } = counter
  return endMs === undefined
    ? `${state} It does not start again by itself.`
    : `${state} It starts again at ${new Date(endMs).toISOString()}.`
}
