import type { RouteStep } from '#core/route-explanation'
import { InvalidConfig } from '#kit'
import type { BalanceBranch, Branch, ConditionalBranch, FallbackBranch, Leaf, PlanNode } from '#kit/plan'
import { type BalanceFacts, pickByChance, pickSticky, stickyIdentity } from './balance.ts'

/** What the way through a plan depends on. */
export interface ChoiceOptions extends BalanceFacts {
  readonly random: () => number
  /** False for a target that is to be left alone now. */
  readonly isAvailable: (leaf: Leaf) => boolean
  /** Hears of every decision, for an explanation. */
  readonly note?: (step: RouteStep) => void
}

export interface Choice {
  /** Index of the child. */
  readonly child: number
  /** One sentence: why this one. */
  readonly reason: string
  /** All children are to be left alone, so none is. */
  readonly ignoresHealth: boolean
}

/** The child that a branch begins with. @throws InvalidConfig when it has none for this call. */
export const choose = (branch: Branch, options: ChoiceOptions): Choice => {
  switch (branch.mode) {
    case 'single':
      return { child: 0, reason: 'It has one target.', ignoresHealth: true }
    case 'fallback':
      return chooseFirst(branch, options)
    case 'loadbalance':
      return balance(branch, options)
    case 'conditional':
      return chooseFitting(branch, options)
  }
}

/** A branch is healthy while anything below it is. */
export const isHealthy = (node: PlanNode, isAvailable: (leaf: Leaf) => boolean): boolean =>
  node.kind === 'leaf' ? isAvailable(node) : node.children.some((child) => isHealthy(child, isAvailable))

const chooseFirst = (branch: FallbackBranch, options: ChoiceOptions): Choice => {
  const { candidates, ignoresHealth } = healthy(
    branch,
    branch.children.map((_, index) => index),
    options,
  )
  const [child = 0] = candidates
  const reason = child === 0 ? 'It is the first target.' : 'It is the first target that is not left alone.'
  return { child, reason, ignoresHealth }
}

const balance = (branch: BalanceBranch, options: ChoiceOptions): Choice => {
  const { weights, sticky } = branch
  const weighted = branch.children.flatMap((_, index) => ((weights[index] ?? 0) > 0 ? [index] : []))
  const { candidates, ignoresHealth } = healthy(branch, weighted, options)
  const identity = sticky && stickyIdentity(sticky, options)
  const stuck = identity === undefined ? undefined : pickSticky(branch, candidates, identity)
  if (stuck !== undefined) return { child: stuck, reason: 'The caller sticks to it.', ignoresHealth }
  const child = pickByChance(branch, candidates, options.random())
  if (child === undefined) {
    throw new InvalidConfig('All weights of the targets are 0, so that none may be chosen.', {
      param: `${branch.path}.targets`,
    })
  }
  const sum = candidates.reduce((total, index) => total + (weights[index] ?? 0), 0)
  const share = Math.round(((weights[child] ?? 0) / sum) * 1000) / 10
  return { child, reason: `Chosen by chance: ${share} % of calls go to it.`, ignoresHealth }
}

const chooseFitting = ({ conditions, otherwise, path }: ConditionalBranch, { subject }: ChoiceOptions): Choice => {
  const index = conditions.findIndex(({ query }) => query.holds(subject))
  const fitting = conditions[index]
  if (fitting !== undefined) {
    return { child: fitting.then, reason: `The call fits condition ${index}.`, ignoresHealth: true }
  }
  if (otherwise !== undefined) {
    return { child: otherwise, reason: 'No condition fits, and it is the default.', ignoresHealth: true }
  }
  throw new InvalidConfig('The call fits no condition of the config, which has no default.', {
    param: `${path}.strategy.default`,
  })
}

/** Those of the candidates that are not to be left alone; all of them when that leaves none. */
const healthy = (
  { children }: Branch,
  all: readonly number[],
  { isAvailable, note }: ChoiceOptions,
): { readonly candidates: readonly number[]; readonly ignoresHealth: boolean } => {
  const isAlone = (index: number): boolean => {
    const node = children[index]
    return node === undefined || !isHealthy(node, isAvailable)
  }
  const candidates = all.filter((index) => !isAlone(index))
  if (candidates.length === 0) return { candidates: all, ignoresHealth: true }
  if (note !== undefined && candidates.length < all.length) {
    for (const node of all.filter(isAlone).map((index) => children[index])) {
      if (node !== undefined) note(skipped(node))
    }
  }
  return { candidates, ignoresHealth: false }
}

const skipped = (node: PlanNode): RouteStep => ({
  path: node.path,
  mode: node.kind === 'leaf' ? 'target' : node.mode,
  decision: 'skipped',
  reason: 'Its circuit breaker is open: it failed too often lately.',
})
