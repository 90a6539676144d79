import { describe, expect, test } from 'bun:test'
import { listedName } from './names.ts'

const find = (provider: string, model: string, listed: readonly string[], region?: string): string | undefined =>
  listedName(provider, model, (name) => listed.includes(name), region)

describe('a model is found under', () => {
  test.each([
    // As it is written.
    ['openai', 'gpt-5', ['gpt-5'], 'gpt-5'],
    ['openai', 'gpt-5-2025-08-07', ['gpt-5', 'gpt-5-2025-08-07'], 'gpt-5-2025-08-07'],
    // A snapshot that the list does not name.
    ['openai', 'gpt-6-sol-2026-09-22', ['gpt-6-sol'], 'gpt-6-sol'],
    ['azure-openai', 'gpt-6-sol-2026-09-22', ['gpt-6-sol'], 'gpt-6-sol'],
    ['anthropic', 'claude-haiku-5-5-20260901', ['claude-haiku-5-5'], 'claude-haiku-5-5'],
    ['azure-ai', 'claude-haiku-5-5-20260901', ['claude-haiku-5-5'], 'claude-haiku-5-5'],
    // One that was trained further.
    ['openai', 'ft:gpt-4o-2024-08-06:acme::abc', ['ft:gpt-4o-2024-08-06', 'gpt-4o-2024-08-06'], 'ft:gpt-4o-2024-08-06'],
    ['openai', 'ft:gpt-4o-2024-08-06:acme:name:abc:ckpt-step-90', ['ft:gpt-4o-2024-08-06'], 'ft:gpt-4o-2024-08-06'],
    // Google's folders and stable versions.
    ['google', 'models/gemini-2.5-pro', ['gemini-2.5-pro'], 'gemini-2.5-pro'],
    ['google', 'gemini-2.0-flash-001', ['gemini-2.0-flash'], 'gemini-2.0-flash'],
    ['vertex-ai', 'publishers/google/models/gemini-2.5-pro', ['gemini-2.5-pro'], 'gemini-2.5-pro'],
    ['vertex-ai', 'google/gemini-2.0-flash-001', ['gemini-2.0-flash'], 'gemini-2.0-flash'],
    ['vertex-ai', 'publishers/meta/models/llama-4-scout', ['meta/llama-4-scout'], 'meta/llama-4-scout'],
    [
      'vertex-ai',
      'projects/p/locations/us-east5/publishers/anthropic/models/claude-opus-4-6@20260101',
      ['claude-opus-4-6'],
      'claude-opus-4-6',
    ],
    ['vertex-ai', 'anthropic.claude-opus-4-6@default', ['claude-opus-4-6'], 'claude-opus-4-6'],
    [
      'vertex-ai',
      'claude-opus-4-6@20260101',
      ['claude-opus-4-6@20260101', 'claude-opus-4-6'],
      'claude-opus-4-6@20260101',
    ],
    // Bedrock's profiles and ARNs.
    ['bedrock', 'eu.meta.llama4-v1:0', ['meta.llama4-v1:0'], 'meta.llama4-v1:0'],
    ['bedrock', 'eu.amazon.nova-v1:0', ['eu.amazon.nova-v1:0', 'amazon.nova-v1:0'], 'eu.amazon.nova-v1:0'],
    [
      'bedrock',
      'arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-v1:0',
      ['amazon.nova-v1:0'],
      'amazon.nova-v1:0',
    ],
    [
      'bedrock',
      'arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.amazon.nova-v1:0',
      ['eu.amazon.nova-v1:0'],
      'eu.amazon.nova-v1:0',
    ],
    [
      'bedrock',
      'arn:aws-us-gov:bedrock:us-gov-west-1::foundation-model/amazon.nova-v1:0',
      ['us-gov-west-1/amazon.nova-v1:0', 'amazon.nova-v1:0'],
      'us-gov-west-1/amazon.nova-v1:0',
    ],
  ])('%s: %s', (provider, model, listed, expected) => {
    expect(find(provider, model, listed)).toBe(expected)
  })
})

describe('no model is taken for another one', () => {
  test.each([
    ['openai', 'gpt-5-mini', ['gpt-5']],
    ['openai', 'gpt-5-2025-13-41', ['gpt-5']],
    ['openai', 'ft:gpt-4o-2024-08-06:acme::abc', ['gpt-4o-2024-08-06', 'gpt-4o']],
    // Nor at another provider.
    ['groq', 'gpt-6-sol-2026-09-22', ['gpt-6-sol']],
    ['mistral-ai', 'mistral-large-2411', ['mistral-large-latest', 'mistral-large']],
    ['google', 'gemini-2.5-pro-preview-001', ['gemini-2.5-pro']],
    ['google', 'tunedModels/gemini-2.5-pro', ['gemini-2.5-pro']],
    ['vertex-ai', 'projects/p/locations/l/endpoints/123', ['123', 'endpoints/123']],
    // Where one geography has a price of its own, nobody knows that of another.
    ['bedrock', 'jp.amazon.nova-v1:0', ['eu.amazon.nova-v1:0', 'amazon.nova-v1:0']],
    ['bedrock', 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc', ['abc']],
    ['bedrock', 'arn:aws:bedrock:us-east-1:123456789012:provisioned-model/amazon.nova-v1:0', ['amazon.nova-v1:0']],
    ['bedrock', 'arn:aws:bedrock:us-east-1:123456789012:imported-model/amazon.nova-v1:0', ['amazon.nova-v1:0']],
  ])('%s: %s', (provider, model, listed) => {
    expect(find(provider, model, listed)).toBeUndefined()
  })
})

test('the price of a region wins over that of the model', () => {
  const listed = ['eu-west-2/meta.llama3-v1:0', 'meta.llama3-v1:0']
  expect(find('bedrock', 'meta.llama3-v1:0', listed, 'eu-west-2')).toBe('eu-west-2/meta.llama3-v1:0')
  expect(find('bedrock', 'meta.llama3-v1:0', listed, 'eu-west-3')).toBe('meta.llama3-v1:0')
  expect(find('bedrock', 'arn:aws:bedrock:eu-west-2::foundation-model/meta.llama3-v1:0', listed)).toBe(
    'eu-west-2/meta.llama3-v1:0',
  )
})
