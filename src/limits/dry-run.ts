import { defined } from '../core/defined.ts'
import type {
  AdmitOptions,
  CallFacts,
  LimitExplanation,
  LimitVerdict,
  RateLimits,
  TargetFacts,
} from '../core/limits.ts'
import type { Engine } from './engine.ts'
import { explainPolicy, type Facts } from './match/compile.ts'
import { type Refusing, toRefusal } from './refusal.ts'
import type { Verdict } from './ring/ring.ts'
import { fromPolicy, type Rule } from './rule.ts'

type TargetExplanation = LimitExplanation['targets'][number]

/** What the limits would say to a call, for each target it could go to. Charges nothing. */
export const explainCall = async (
  engine: Engine,
  facts: CallFacts,
  targets: Parameters<RateLimits['explain']>[1],
): Promise<LimitExplanation> => {
  const explained: TargetExplanation[] = []
  for (const { facts: target, options } of targets) explained.push(await explainTarget(engine, facts, target, options))
  // A call goes on to its next target when one refuses it.
  const best = explained.find(({ allowed }) => allowed) ?? explained[0]
  return { allowed: best?.allowed ?? true, status: best?.status ?? 200, targets: explained }
}

const explainTarget = async (
  engine: Engine,
  call: CallFacts,
  target: TargetFacts,
  options: AdmitOptions,
): Promise<TargetExplanation> => {
  const facts: Facts = { ...call, target }
  const considered = engine.policies
    .list(call.workspaceId)
    .filter((policy) => policy.target === 'llm')
    .map((policy) => ({ policy, explanation: explainPolicy(policy, facts) }))
  const rules: Rule[] = [
    ...considered
      .filter(({ explanation }) => explanation.matches)
      .map(({ policy, explanation }) => fromPolicy({ policy, group: explanation.group })),
    ...engine.rulesFor(facts, options.owned).filter(({ owner }) => owner !== 'policy'),
  ]
  const weights = weigh(engine, rules, options, target.model ?? call.model ?? '')
  const { admitted, verdicts } = await engine.store.peek(
    rules.map((rule, index) => ({
      key: rule.key,
      limit: rule.value,
      weight: weights[index] ?? 1,
      grain: rule.grain,
      shadow: rule.mode === 'shadow',
      onStoreFailure: rule.onStoreFailure,
    })),
  )
  const refusing = rules.flatMap((rule, index): Refusing[] => {
    const verdict = verdicts[index]
    if (verdict === undefined || verdict.fits === 'yes' || rule.mode === 'shadow') return []
    return [{ rule, verdict, weight: weights[index] ?? 1 }]
  })
  const [first, ...others] = refusing
  const refusal = first === undefined ? undefined : toRefusal([first, ...others])
  const applying = rules.map((rule, index) => ({
    rule,
    facts: withVerdict(rule, weights[index] ?? 1, verdicts[index], admitted),
  }))
  return defined({
    target,
    allowed: refusal === undefined,
    status: refusal?.status ?? 200,
    message: refusal?.message,
    limits: [
      ...considered.map(({ policy, explanation: { matches, conditions } }) => ({
        ...named({ ...policy, owner: 'policy' }),
        matches,
        conditions,
        ...applying.find(({ rule }) => rule.id === policy.id)?.facts,
      })),
      ...applying
        .filter(({ rule }) => rule.owner !== 'policy')
        .map(({ rule, facts: verdict }) => ({ ...named(rule), matches: true, conditions: [], ...verdict })),
    ],
  })
}

const weigh = (engine: Engine, rules: readonly Rule[], { forecast }: AdmitOptions, model: string): readonly number[] =>
  rules.map(({ type, reservation, id }) =>
    type === 'requests' ? 1 : engine.reservations.of(reservation, forecast(), id, model),
  )

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
const withVerdict = (
  rule: Rule,
  weight: number,
  verdict: Verdict | undefined,
  admitted: boolean,
): Partial<LimitVerdict> => {
  if (verdict === undefined) return { group: rule.group, weight }
  const used = admitted ? verdict.used - weight : verdict.used
  return {
    group: rule.group,
    weight,
    used,
    remaining: Math.max(0, rule.value - used),
    wouldRefuse: verdict.fits !== 'yes',
    ...(verdict.fits === 'later' ? { retryAfterMs: Math.ceil(verdict.fitMs) } : {}),
  }
}
