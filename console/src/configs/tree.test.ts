import { expect, test } from 'bun:test'
import { type Branch, toTree } from './tree.ts'

/** Each branch in a line: where, what, when. */
const linesOf = ({ path, title, when, branches }: Branch): readonly string[] => [
  `${path}: ${title}, ${when}`,
  ...branches.flatMap(linesOf),
]

test('a load balancer says what part of calls each target gets, also where one gets none', () => {
  const targets = [{ provider: 'a', weight: 3 }, { virtual_key: 'b' }, { provider: 'c', weight: 0 }]
  expect(linesOf(toTree({ strategy: { mode: 'loadbalance' }, targets }))).toEqual([
    'config: loadbalance of 3, each call',
    'config.targets[0]: a, 75 % of calls',
    'config.targets[1]: b, 25 % of calls',
    'config.targets[2]: c, 0 % of calls',
  ])
})

test('a fallback goes on in order, at any depth', () => {
  const inner = { strategy: { mode: 'fallback' }, targets: [{ provider: 'a', override_params: { model: 'm' } }, {}] }
  expect(linesOf(toTree({ strategy: { mode: 'loadbalance' }, targets: [inner] }))).toEqual([
    'config: loadbalance of 1, each call',
    'config.targets[0]: fallback of 2, 100 % of calls',
    'config.targets[0].targets[0]: a · m, first',
    'config.targets[0].targets[1]: as the call says, when 1 before it failed',
  ])
})

test('conditions stand at the target that they lead to', () => {
  const conditions = '[{"query":{"metadata.plan":{"$eq":"paid"}},"then":"good"}]'
  const strategy = { mode: 'conditional', conditions: JSON.parse(conditions), default: 'cheap' }
  const targets = [{ name: 'good' }, { name: 'cheap' }, { name: 'forgotten' }]
  expect(toTree({ strategy, targets }).branches.map(({ when }) => when)).toEqual([
    'when {"metadata.plan":{"$eq":"paid"}}',
    'when nothing else fits',
    'never',
  ])
})

test('what is no config has no branches, and breaks nothing', () => {
  for (const value of [undefined, null, 7, 'text', [], { targets: 'none' }, { targets: [null, 3] }, { strategy: 1 }]) {
    expect(toTree(value).branches).toEqual([])
  }
})

test('what else a part does is noted', () => {
  const { notes } = toTree({ retry: { attempts: 3 }, cache: { mode: 'semantic' }, input_guardrails: ['a', {}] })
  expect(notes).toEqual(['tries 3 times more', 'semantic cache', '2 guardrails'])
})
