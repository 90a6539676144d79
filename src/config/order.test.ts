import { describe, expect, test } from 'bun:test'
import type { Placement } from '../kit/plugin.ts'
import { ConfigError } from './config-error.ts'
import { orderStages, type PlacedStage, STAGE_ORDER } from './order.ts'

const placed = (name: string, placement: Placement = {}, origin = './own.ts'): PlacedStage => ({
  stage: { name, run: (_call, next) => next() },
  origin,
  plugin: `${name}-plugin`,
  placement,
})

const defaults = ['provider-call', 'auth', 'route', 'transform', 'config', 'logging'].map((name) =>
  placed(name, {}, 'built-in'),
)
const order = (...own: PlacedStage[]): string[] => orderStages([...own, ...defaults]).map(({ stage }) => stage.name)

const refusal = (...own: PlacedStage[]): string => {
  try {
    order(...own)
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message
    throw thrown
  }
  throw new Error('the stages were put in order')
}

describe('the order of stages', () => {
  test('known names stand in the default order, whatever order they come in', () => {
    expect(order()).toEqual(['logging', 'auth', 'config', 'route', 'transform', 'provider-call'])
    const all = STAGE_ORDER.toReversed().map((name) => placed(name))
    expect(orderStages(all).map(({ stage }) => stage.name)).toEqual([...STAGE_ORDER])
  })

  test('a stage stands right before or right after the one it names', () => {
    expect(order(placed('mine', { before: 'route' }))).toEqual([
      'logging',
      'auth',
      'config',
      'mine',
      'route',
      'transform',
      'provider-call',
    ])
    expect(order(placed('mine', { after: 'logging' })).slice(0, 3)).toEqual(['logging', 'mine', 'auth'])
    expect(order(placed('mine', { before: 'logging' }))[0]).toBe('mine')
    expect(order(placed('mine', { after: 'provider-call' })).at(-1)).toBe('mine')
  })

  test('a stage may be placed by another that is placed, also by one listed later', () => {
    expect(order(placed('b', { after: 'a' }), placed('c', { after: 'b' }), placed('a', { after: 'auth' }))).toEqual([
      'logging',
      'auth',
      'a',
      'b',
      'c',
      'config',
      'route',
      'transform',
      'provider-call',
    ])
  })

  test('of two after the same stage the one listed later stands closer', () => {
    const own = [placed('a', { after: 'auth' }), placed('b', { after: 'auth' })]
    expect(order(...own).slice(1, 4)).toEqual(['auth', 'b', 'a'])
  })

  test('a built-in name that says its place leaves the default order', () => {
    const moved = orderStages([
      ...defaults.filter(({ stage }) => stage.name !== 'config'),
      placed('config', { after: 'route' }),
    ])
    expect(moved.map(({ stage }) => stage.name).slice(1, 4)).toEqual(['auth', 'route', 'config'])
  })
})

describe('is refused', () => {
  test('a name brought twice, naming both origins', () => {
    expect(refusal(placed('auth', { after: 'logging' }))).toBe("stage 'auth' is brought by both ./own.ts and built-in")
  })

  test('a stage without a place', () => {
    expect(refusal(placed('mine'))).toBe(
      "stage 'mine' (./own.ts) has no place in the chain: say 'before' or 'after' a stage",
    )
  })

  test('a stage with two places', () => {
    expect(refusal(placed('mine', { before: 'route', after: 'auth' }))).toBe(
      "stage 'mine' (./own.ts) has both 'before' and 'after'; keep one",
    )
  })

  test('a place by a stage that does not run, with the nearest that does', () => {
    expect(refusal(placed('mine', { after: 'atuh' }))).toBe(
      "stage 'mine' (./own.ts) is placed by 'atuh', which does not run; did you mean 'auth'?",
    )
    expect(refusal(placed('mine', { after: 'guardrails' }))).toStartWith(
      "stage 'mine' (./own.ts) is placed by 'guardrails', which does not run; stages are: mine, provider-call, auth",
    )
  })

  test('stages that wait for each other, or for themselves', () => {
    expect(refusal(placed('a', { after: 'b' }), placed('b', { before: 'a' }))).toBe(
      'the places of these stages depend on each other: a, b',
    )
    expect(refusal(placed('a', { after: 'a' }))).toBe('the places of these stages depend on each other: a')
  })
})
