import type { AdmitOptions, ExplainedBudget, TargetFacts } from '../core/limits.ts'
import type { BudgetExhausted } from '../errors/gateway-error.ts'
import { type Facts, judgePolicy } from '../limits/match/compile.ts'
import { shownUnits } from './amounts.ts'
import { needOf } from './call-budgets.ts'
import type { BudgetClaim, BudgetVerdict } from './counter.ts'
import { type RefusingBudget, toBudgetRefusal, toUnpricedRefusal } from './refusal.ts'
import { type BudgetFacts, type BudgetRule, fromBudgetPolicy } from './rule.ts'
import type { BudgetRules } from './rules.ts'

/** A budget that applies to a call of a dry run. */
interface Applying {
  readonly rule: BudgetRule
  /** Absent where it refuses the call as its price is not known. */
  readonly claim: BudgetClaim | undefined
}

type Considered = Pick<ExplainedBudget, 'matches' | 'conditions'> & { readonly facts: BudgetFacts }

/** What budgets would say to a call at one target. Charges nothing. */
export class BudgetDryRun {
  readonly #considered: readonly Considered[]
  readonly #applying: readonly Applying[]
  readonly #target: TargetFacts
  readonly #nowMs: number

  constructor(rules: BudgetRules | undefined, facts: Facts, target: TargetFacts, options: AdmitOptions, nowMs: number) {
    const { budgets = [], isFree } = options
    const judged = (rules?.policies.list(facts.workspaceId) ?? []).map((policy) => ({
      policy,
      ...judgePolicy(policy, facts),
    }))
    const matching: BudgetRule[] = []
    this.#considered = judged.map(({ policy, group, matches, conditions }) => {
      const rule = rules && fromBudgetPolicy({ policy, group }, { counters: rules.counting.counters })
      if (matches && rule !== undefined) matching.push(rule)
      return {
        facts: { ...policy, owner: 'policy', ownerId: policy.id, scope: 'call', group: group.values },
        matches,
        conditions,
      }
    })
    const owned = (rules?.rulesFor(facts, budgets) ?? []).filter((rule) => rule.facts.owner !== 'policy')
    // A call that asks no model is asked by none of them.
    this.#applying = isFree === true ? [] : [...matching, ...owned].map((rule) => toApplying(rule, options, nowMs))
    this.#target = target
    this.#nowMs = nowMs
  }

  get claims(): readonly BudgetClaim[] {
    return this.#applying.flatMap(({ claim }) => claim ?? [])
  }

  /** The error that the call would get from its budgets. @param verdicts of `claims` */
  refusal(verdicts: readonly BudgetVerdict[]): BudgetExhausted | undefined {
    const refusing: RefusingBudget[] = []
    let place = 0
    for (const { rule, claim } of this.#applying) {
      const isShadow = rule.facts.mode === 'shadow'
      if (claim === undefined) {
        if (!isShadow) return toUnpricedRefusal(rule.facts, this.#target.model ?? '', this.#target.provider)
        continue
      }
      const verdict = verdicts[place++]
      if (verdict?.fits === false && !isShadow) refusing.push({ ...claim, rule, used: verdict.used })
    }
    const [first, ...rest] = refusing
    return first && toBudgetRefusal([first, ...rest], this.#nowMs)
  }

  /** @param verdicts of `claims` */
  explain(verdicts: readonly BudgetVerdict[]): readonly ExplainedBudget[] {
    let place = 0
    const said = this.#applying.map(({ rule, claim }) => ({
      rule,
      facts: claim === undefined ? UNPRICED : toVerdict(claim, verdicts[place++]),
    }))
    return [
      ...this.#considered.map(({ facts, matches, conditions }) => ({
        ...named(facts),
        matches,
        conditions,
        ...ofRule(said.find(({ rule }) => rule.facts.owner === 'policy' && rule.facts.id === facts.id)),
      })),
      ...said
        .filter(({ rule }) => rule.facts.owner !== 'policy')
        .map((each) => ({ ...named(each.rule.facts), matches: true, conditions: [], ...ofRule(each) })),
    ]
  }
}

const UNPRICED = { isUnpriced: true, wouldRefuse: true }

const toApplying = (rule: BudgetRule, options: AdmitOptions, nowMs: number): Applying => {
  const { facts } = rule
  const need = needOf(facts, options)
  if (need === 'unpriced') return { rule, claim: undefined }
  const counter = rule.counterAt(nowMs)
  return { rule, claim: { counter, limit: facts.limit, weight: need, shadow: facts.mode === 'shadow' } }
}

const named = ({ id, name, owner, type, limit, enforcement, mode }: BudgetFacts) => ({
  id,
  name,
  owner,
  type,
  limit: shownUnits(type, limit),
  enforcement,
  mode,
})

const ofRule = (
  said: { readonly rule: BudgetRule; readonly facts: Partial<ExplainedBudget> } | undefined,
): Partial<ExplainedBudget> => (said === undefined ? {} : { group: said.rule.facts.group, ...said.facts })

const toVerdict = (
  { counter, limit, weight }: BudgetClaim,
  verdict: BudgetVerdict | undefined,
): Partial<ExplainedBudget> => {
  const { type, key, endMs } = counter
  const used = verdict?.used ?? 0
  return {
    used: shownUnits(type, used),
    remaining: shownUnits(type, Math.max(0, limit - used)),
    reserved: shownUnits(type, weight),
    wouldRefuse: verdict?.fits === false,
    startMs: key.startMs,
    ...(endMs === undefined ? {} : { endMs }),
  }
}
