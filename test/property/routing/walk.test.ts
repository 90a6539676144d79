import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ask, type Behaviour, condition, createWorld, failing, good } from '../../support/routing.ts'

/** A config, with what its providers answer. */
type Node =
  | { readonly kind: 'leaf'; readonly id: number; readonly status: number }
  | { readonly kind: 'single'; readonly children: readonly Node[] }
  | { readonly kind: 'fallback'; readonly children: readonly Node[]; readonly codes?: readonly number[] }
  | { readonly kind: 'loadbalance'; readonly children: readonly Node[]; readonly chosen: number }
  | { readonly kind: 'conditional'; readonly children: readonly Node[]; readonly chosen: number }

const STATUSES = [200, 246, 400, 401, 429, 500, 503] as const

const tree = (): fc.Arbitrary<Node> => {
  const { node } = fc.letrec<{ node: Node; leaf: Node; children: Node[] }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      tie('leaf'),
      fc.record({ kind: fc.constant('single' as const), children: tie('children') }),
      fc.record(
        {
          kind: fc.constant('fallback' as const),
          children: tie('children'),
          codes: fc.uniqueArray(fc.constantFrom(...STATUSES), { minLength: 1 }),
        },
        { requiredKeys: ['kind', 'children'] },
      ),
      fc.record({ kind: fc.constant('loadbalance' as const), children: tie('children'), chosen: fc.nat() }),
      fc.record({ kind: fc.constant('conditional' as const), children: tie('children'), chosen: fc.nat() }),
    ),
    leaf: fc.record({
      kind: fc.constant('leaf' as const),
      id: fc.nat(),
      status: fc.constantFrom(...STATUSES),
    }),
    children: fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
  }))
  return node.map(numbered)
}

/** Each leaf gets a provider of its own. */
const numbered = (root: Node): Node => {
  let count = 0
  const visit = (node: Node): Node =>
    node.kind === 'leaf' ? { ...node, id: count++ } : { ...node, children: node.children.map(visit) }
  return visit(root)
}

const childOf = (children: readonly Node[], chosen: number): number => chosen % children.length

/** As an operator would write it. Chance is taken out by weights of 0. */
const configOf = (node: Node): Record<string, unknown> => {
  const children = node.kind === 'leaf' ? [] : node.children
  const targets = children.map((child, index) => ({ name: `t${index}`, ...configOf(child) }))
  switch (node.kind) {
    case 'leaf':
      return { provider: `p${node.id}` }
    case 'single':
      return { strategy: { mode: 'single' }, targets }
    case 'fallback':
      return { strategy: { mode: 'fallback', ...(node.codes && { on_status_codes: node.codes }) }, targets }
    case 'loadbalance': {
      const chosen = childOf(node.children, node.chosen)
      const weighted = targets.map((target, index) => ({ ...target, weight: index === chosen ? 1 : 0 }))
      return { strategy: { mode: 'loadbalance' }, targets: weighted }
    }
    case 'conditional': {
      const fitting = condition({ 'params.model': 'm' }, `t${childOf(node.children, node.chosen)}`)
      return { strategy: { mode: 'conditional', conditions: [fitting], default: 't0' }, targets }
    }
  }
}

/** The reference: what is asked, in order, and the status at the end. */
const naive = (node: Node): { readonly asked: readonly string[]; readonly status: number } => {
  switch (node.kind) {
    case 'leaf':
      return { asked: [`p${node.id}`], status: node.status }
    case 'single':
      return naive(node.children[0] ?? node)
    case 'loadbalance':
    case 'conditional':
      return naive(node.children[childOf(node.children, node.chosen)] ?? node)
    case 'fallback': {
      const asked: string[] = []
      let status = 0
      for (const child of node.children) {
        const result = naive(child)
        asked.push(...result.asked)
        status = result.status
        const goesOn = node.codes === undefined ? status > 299 : node.codes.includes(status)
        if (!goesOn) break
      }
      return { asked, status }
    }
  }
}

const behaviourOf =
  (status: number): Behaviour =>
  () => {
    if (status > 299) throw failing(status)
    return { ...good(), status }
  }

const leavesOf = (node: Node): readonly Extract<Node, { kind: 'leaf' }>[] =>
  node.kind === 'leaf' ? [node] : node.children.flatMap(leavesOf)

describe('the way through a plan', () => {
  test('is that of a naive reading of the config', async () => {
    await fc.assert(
      fc.asyncProperty(tree(), async (root) => {
        const behaviours = Object.fromEntries(leavesOf(root).map(({ id, status }) => [`p${id}`, behaviourOf(status)]))
        const world = createWorld({ maxAttempts: 1_000 })
        const call = await ask(configOf(root), behaviours, { world, body: { model: 'm' } })
        const status = call.answer?.status ?? (call.error as { status: number }).status
        expect({ asked: call.asked, status }).toEqual({ ...naive(root) })
      }),
      { numRuns: 500 },
    )
  })

  test('has never more attempts than the budget, and with it the same beginning', async () => {
    await fc.assert(
      fc.asyncProperty(tree(), fc.integer({ min: 1, max: 4 }), async (root, maxAttempts) => {
        const behaviours = Object.fromEntries(leavesOf(root).map(({ id, status }) => [`p${id}`, behaviourOf(status)]))
        const { asked } = await ask(configOf(root), behaviours, {
          world: createWorld({ maxAttempts }),
          body: { model: 'm' },
        })
        expect(asked).toEqual(naive(root).asked.slice(0, maxAttempts))
      }),
    )
  })
})
