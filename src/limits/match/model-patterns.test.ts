import { describe, expect, test } from 'bun:test'
import type { TargetFacts } from '../../core/limits.ts'
import type { Facts } from './condition-keys.ts'
import { createModelMatcher, type ModelPattern, toModelPattern } from './conditions.ts'

const factsAt = (target?: TargetFacts): Facts => ({
  organisationId: 'organisation-1',
  workspaceId: 'workspace-1',
  metadata: {},
  endpointType: 'chatComplete',
  ...(target === undefined ? {} : { target }),
})

const fits = (patterns: readonly string[], model: string, target?: TargetFacts): boolean =>
  createModelMatcher(patterns.map(toModelPattern))(model, factsAt(target))

describe('how a pattern is read', () => {
  test.each<[string, ModelPattern]>([
    ['gpt-4o', { model: 'gpt-4o', isPrefix: false }],
    ['gpt-4*', { model: 'gpt-4', isPrefix: true }],
    ['@openai/gpt-4o', { provider: 'openai', model: 'gpt-4o', isPrefix: false }],
    ['@openai/*', { provider: 'openai', model: '', isPrefix: true }],
    ['@openai/gpt-*', { provider: 'openai', model: 'gpt-', isPrefix: true }],
    ['@hub/meta/llama-3', { provider: 'hub', model: 'meta/llama-3', isPrefix: false }],
    ['@hub/@cf/meta/*', { provider: 'hub', model: '@cf/meta/', isPrefix: true }],
    ['meta/llama-3', { model: 'meta/llama-3', isPrefix: false }],
    ['@openai', { model: '@openai', isPrefix: false }],
    ['@openai*', { model: '@openai', isPrefix: true }],
    ['@/x', { model: '@/x', isPrefix: false }],
    ['*', { model: '*', isPrefix: false }],
    ['a*b', { model: 'a*b', isPrefix: false }],
    ['', { model: '', isPrefix: false }],
  ])('%s', (text, pattern) => {
    expect(toModelPattern(text)).toEqual(pattern)
  })
})

describe('which models fit', () => {
  const openai: TargetFacts = { provider: 'openai', virtualKey: 'main' }

  test('a name without provider fits at any, before one is chosen too', () => {
    expect(fits(['gpt-4o'], 'gpt-4o')).toBe(true)
    expect(fits(['gpt-4o'], 'gpt-4o', openai)).toBe(true)
    expect(fits(['gpt-4o'], 'gpt-4o-mini', openai)).toBe(false)
    expect(fits(['gpt-4o'], 'GPT-4o', openai)).toBe(false)
  })

  test('the provider is an id or the slug of a stored one', () => {
    expect(fits(['@openai/gpt-4o'], 'gpt-4o', openai)).toBe(true)
    expect(fits(['@main/gpt-4o'], 'gpt-4o', openai)).toBe(true)
    expect(fits(['@other/gpt-4o'], 'gpt-4o', openai)).toBe(false)
    expect(fits(['@openai/gpt-4o'], 'gpt-4o')).toBe(false)
  })

  test('a name of one provider does not fit at another', () => {
    const patterns = ['@openai/gpt-4o', '@azure/gpt-4.1']
    expect(fits(patterns, 'gpt-4.1', { provider: 'openai' })).toBe(false)
    expect(fits(patterns, 'gpt-4.1', { provider: 'azure' })).toBe(true)
  })

  test('a star at the end takes the rest, slashes included, and nothing', () => {
    expect(fits(['@openai/*'], 'a/b', openai)).toBe(true)
    expect(fits(['@openai/gpt-*'], 'gpt-', openai)).toBe(true)
    expect(fits(['@openai/gpt-*'], 'gpt', openai)).toBe(false)
    expect(fits(['meta/*'], 'meta/llama', openai)).toBe(true)
  })

  test('a lone star and one in the middle are text', () => {
    expect(fits(['*'], 'gpt-4o', openai)).toBe(false)
    expect(fits(['*'], '*', openai)).toBe(true)
    expect(fits(['g*o'], 'gpt-4o', openai)).toBe(false)
  })
})
