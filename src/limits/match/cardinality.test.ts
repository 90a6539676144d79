import { describe, expect, test } from 'bun:test'
import { createCardinalityGuard, isOpenEnded } from './cardinality.ts'

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, number) => `${prefix}-${number}`)

describe('groups of one policy', () => {
  test('have a window of their own up to the maximum, and keep it', () => {
    let overflows = 0
    const guard = createCardinalityGuard(3, () => {
      overflows += 1
    })
    expect(['a', 'b', 'a', 'c'].map((group) => guard(group, 7))).toEqual([true, true, true, true])
    expect(overflows).toBe(0)
    expect(['d', 'a', 'e', 'c', 'd'].map((group) => guard(group, 7))).toEqual([false, true, false, true, false])
    expect(overflows).toBe(1)
  })

  test('are counted afresh in another window of time', () => {
    let overflows = 0
    const guard = createCardinalityGuard(1, () => {
      overflows += 1
    })
    expect([guard('a', 7), guard('b', 7)]).toEqual([true, false])
    expect([guard('b', 8), guard('a', 8), guard('c', 8)]).toEqual([true, false, false])
    expect(overflows).toBe(2)
    expect([guard('a', 7), guard('b', 7)]).toEqual([true, false])
  })

  test('all share when none may have its own', () => {
    expect(createCardinalityGuard(0, () => undefined)('a', 7)).toBe(false)
  })

  test('are bounded by the maximum, however many there are', () => {
    const maximum = 100_000
    const guard = createCardinalityGuard(maximum, () => undefined)
    const first = names('first', maximum)
    expect(first.every((group) => guard(group, 1))).toBe(true)
    // One in 43,000 is taken for one of the first: 23 of a million.
    const mistaken = names('later', 1_000_000).filter((group) => guard(group, 1)).length
    expect(mistaken).toBeLessThan(60)
    expect(first.every((group) => guard(group, 1))).toBe(true)
  })
})

test('a caller can make up values of metadata, models and tools, and no others', () => {
  expect(['metadata.team', 'model', 'mcp_tool'].every(isOpenEnded)).toBe(true)
  const others = ['api_key', 'workspace_id', 'organisation_id', 'virtual_key', 'provider', 'config', 'prompt']
  expect([...others, 'endpoint_type', 'mcp_server'].some(isOpenEnded)).toBe(false)
})
