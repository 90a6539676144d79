import { BudgetDryRun } from '../budgets/dry-run.ts'
import { defined } from '../core/defined.ts'
import type {
  AdmitOptions,
  CallFacts,
  LimitExplanation,
  LimitVerdict,
  RateLimits,
  TargetFacts,
} from '../core/limits.ts'
import { type Engine, toCharges } from './engine.ts'
import { type Facts, judgePolicy } from './match/compile.ts'
import { type RuleVerdict, toRefusal } from './refusal.ts'
import { fromPolicy, type Rule } from './rule.ts'

type TargetExplanation = LimitExplanation['targets'][number]

/** What the limits would say to a call, for each target it could go to. Charges nothing. */
export const dryRunCall = async (
  engine: Engine,
  facts: CallFacts,
  targets: Parameters<RateLimits['dryRun']>[1],
): Promise<LimitExplanation> => {
  const answers: TargetExplanation[] = []
  for (const { facts: target, options } of targets) answers.push(await runTarget(engine, facts, target, options))
  // A call goes on to its next target when one refuses it.
  const best = answers.find(({ allowed }) => allowed) ?? answers[0]
  return { allowed: best?.allowed ?? true, status: best?.status ?? 200, targets: answers }
}

const runTarget = async (
  engine: Engine,
  call: CallFacts,
  target: TargetFacts,
  options: AdmitOptions,
): Promise<TargetExplanation> => {
  const facts: Facts = { ...call, target }
  const considered = engine.policies
    .list(call.workspaceId)
    .filter((policy) => policy.target === 'llm')
    .map((policy) => ({ policy, judged: judgePolicy(policy, facts) }))
  const rules: Rule[] = [
    ...considered
      .filter(({ judged }) => judged.matches)
      .map(({ policy, judged }) => fromPolicy({ policy: engine.share(policy), group: judged.group })),
    ...engine.rulesFor(facts, options.owned).filter(({ owner }) => owner !== 'policy'),
  ]
  const charges = toCharges(engine, rules, options, target.model ?? call.model ?? '')
  const budgets = new BudgetDryRun(engine.budgets, facts, target, options, engine.clock.now())
  const {
    admitted,
    verdicts,
    budgets: said,
  } = await engine.store.peek(
    charges.map(({ charge }) => charge),
    budgets.claims,
  )
  const asked = charges.flatMap(({ rule, charge: { weight } }, place): RuleVerdict[] => {
    const verdict = verdicts[place]
    return verdict === undefined ? [] : [{ rule, weight, verdict }]
  })
  const refusal = budgets.refusal(said) ?? toRefusal(asked)
  const applying = asked.map((each) => ({ rule: each.rule, facts: withVerdict(each, admitted) }))
  return defined({
    target,
    allowed: refusal === undefined,
    status: refusal?.status ?? 200,
    message: refusal?.message,
    limits: [
      ...considered.map(({ policy, judged: { matches, conditions } }) => ({
        ...named({ ...policy, owner: 'policy' }),
        matches,
        conditions,
        ...applying.find(({ rule }) => rule.id === policy.id)?.facts,
      })),
      ...applying
        .filter(({ rule }) => rule.owner !== 'policy')
        .map(({ rule, facts: verdict }) => ({ ...named(rule), matches: true, conditions: [], ...verdict })),
    ],
    budgets: budgets.explain(said),
  })
}

type Named = Pick<LimitVerdict, 'id' | 'name' | 'owner' | 'type' | 'unit' | 'value' | 'mode'>

const named = ({ id, name, owner, type, unit, value, mode }: Named): Named => ({
  id,
  name,
  owner,
  type,
  unit,
  value,
  mode,
})

/** @param admitted the verdicts then are of a call that was let through: `used` holds it already */
const withVerdict = ({ rule, weight, verdict }: RuleVerdict, admitted: boolean): Partial<LimitVerdict> => {
  const used = admitted ? verdict.used - weight : verdict.used
  return {
    group: rule.group,
    weight,
    used,
    remaining: Math.max(0, rule.value - used),
    wouldRefuse: verdict.fits !== 'yes',
    ...defined({ retryAfterMs: verdict.fits === 'later' ? Math.ceil(verdict.fitMs) : undefined }),
  }
}
