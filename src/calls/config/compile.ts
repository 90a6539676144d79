import { defined } from '../../core/defined.ts'
import type { CheckStage, GuardrailUse, GuardrailUses } from '../../core/guardrails.ts'
import type { Branch, Leaf, Plan, PlanNode } from '../../kit/plan.ts'
import { compileQuery } from './conditions.ts'
import { type ConfigNode, type ConfigStrategy, type NodeGuardrails, THEN } from './fields.ts'
import { itemAt, keyAt } from './findings.ts'
import { GUARDRAIL_LISTS, type GuardrailList } from './guardrail-fields.ts'
import { type Inherited, inherit, NOTHING_INHERITED } from './inherit.ts'
import { toSticky } from './policies.ts'

/** Makes a plan of a config that was read: what a target inherits is worked out once, not for each call. */
export const compileConfig = (node: ConfigNode): Plan => toPlan(compileNode(node, 'config', NOTHING_INHERITED))

/** A plan of a tree that is ready. */
export const toPlan = (root: PlanNode): Plan => {
  const leaves = leavesOf(root)
  return {
    root,
    leaves,
    usesCache: leaves.some(({ cache }) => cache !== undefined),
    usesBreakers: hasBreaker(root),
  }
}

const hasBreaker = (node: PlanNode): boolean =>
  node.kind === 'branch' && (node.breaker !== undefined || node.children.some(hasBreaker))

const leavesOf = (node: PlanNode): readonly Leaf[] =>
  node.kind === 'leaf' ? [node] : node.children.flatMap((child) => leavesOf(child))

const compileNode = (node: ConfigNode, path: string, from: Inherited): PlanNode => {
  const own = inherit(node, from)
  const { targets } = node
  return targets === undefined || targets.length === 0 ? toLeaf(node, path, own) : toBranch(node, targets, path, own)
}

const toLeaf = (
  { name }: ConfigNode,
  path: string,
  { breaker: _breaker, streamRecovery: _recovery, guardrails, ...own }: Inherited,
): Leaf => ({
  kind: 'leaf',
  path,
  ...defined({ name, guardrails: guardrails && toUses(guardrails) }),
  ...own,
})

/** Undefined: there are none, of either stage. */
const toUses = (guardrails: NodeGuardrails): GuardrailUses | undefined => {
  const at = (stage: CheckStage): readonly GuardrailUse[] =>
    Object.entries(GUARDRAIL_LISTS).flatMap(([list, known]) =>
      known.stage === stage ? (guardrails[list as GuardrailList] ?? []) : [],
    )
  const uses = { input: at('input'), output: at('output') }
  return uses.input.length + uses.output.length === 0 ? undefined : uses
}

const toBranch = (
  { name, strategy }: ConfigNode,
  targets: readonly ConfigNode[],
  path: string,
  from: Inherited,
): Branch => {
  const mode = strategy?.mode ?? 'single'
  // Of several targets with mode `single` the first is the one.
  const used = mode === 'single' ? targets.slice(0, 1) : targets
  const base = {
    kind: 'branch',
    path,
    ...defined({ name }),
    children: used.map((target, index) => compileNode(target, itemAt(keyAt(path, 'targets'), index), from)),
    ...defined({ streamRecovery: from.streamRecovery }),
    // Conditions choose one target for each call: leaving it out would choose another than they say.
    ...(from.breaker === undefined || mode === 'conditional' ? {} : { breaker: from.breaker }),
  } as const
  switch (mode) {
    case 'single':
      return { ...base, mode }
    case 'fallback':
      return { ...base, mode, ...toFallback(strategy) }
    case 'loadbalance': {
      const sticky = toSticky(strategy?.sticky)
      return {
        ...base,
        mode,
        weights: used.map(({ weight }) => weight ?? 1),
        ...defined({ sticky }),
      }
    }
    case 'conditional':
      return { ...base, mode, ...toConditions(strategy, used) }
  }
}

const toFallback = (strategy: ConfigStrategy | undefined) => {
  const codes = strategy?.on_status_codes ?? []
  return {
    onContentRefusal: strategy?.on_content_refusal ?? false,
    ...(codes.length === 0 ? {} : { onStatusCodes: new Set(codes) }),
  }
}

const toConditions = (strategy: ConfigStrategy | undefined, targets: readonly ConfigNode[]) => {
  const names = new Map(targets.map(({ name }, index) => [name, index]))
  // The reader has looked that each name is there.
  const indexOf = (wanted: string): number => names.get(wanted) ?? 0
  const conditions = (strategy?.conditions ?? []).map(({ query, then }) => ({
    query: compileQuery(query),
    [THEN]: indexOf(then),
  }))
  return strategy?.default === undefined ? { conditions } : { conditions, otherwise: indexOf(strategy.default) }
}
