import { defined } from '../../core/defined.ts'
import type { CachePolicy, Plan, PlanNode, RetryPolicy } from '../../kit/plan.ts'
import { toPlan } from './compile.ts'

/** What a call asks for where its config does not speak. */
export interface PlanDefaults {
  readonly retry?: RetryPolicy
  readonly cache?: CachePolicy
}

/** A plan whose leaves have these policies where they have none of their own. */
export const completePlan = (plan: Plan, { retry, cache }: PlanDefaults): Plan => {
  const complete = (node: PlanNode): PlanNode =>
    node.kind === 'leaf'
      ? {
          ...defined({ retry, cache }),
          ...node,
        }
      : { ...node, children: node.children.map(complete) }
  return toPlan(complete(plan.root))
}
