import { describe, expect, test } from 'bun:test'
import { GatewayError } from '#kit'
import { readInlineConfig } from './inline-config.ts'

const SETTINGS = new Set(['azure_resource_name'])
const read = (config: unknown) =>
  readInlineConfig(typeof config === 'string' ? config : JSON.stringify(config), SETTINGS)

const refusal = (config: unknown): GatewayError => {
  try {
    read(config)
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown
    throw thrown
  }
  throw new Error('the config was accepted')
}

const summary = ({ code, options }: GatewayError) => [code, options.param]

describe('an inline config', () => {
  test('is one flat target', () => {
    expect(read({ provider: 'openai', api_key: 'sk-1', azure_resource_name: 'res' })).toEqual({
      path: 'config',
      node: { provider: 'openai', api_key: 'sk-1' },
      settings: { azure_resource_name: 'res' },
    })
  })

  test('may name a stored provider by the older word', () => {
    expect(read({ targets: [{ virtualKey: 'team-openai' }] })).toEqual({
      path: 'config.targets[0]',
      node: { virtual_key: 'team-openai' },
      settings: {},
    })
  })

  test('cannot bring fields in through a prototype', () => {
    const config = '{"provider":"openai","__proto__":{"api_key":"sk-1","custom_host":"https://host.example"}}'
    expect(summary(refusal(config))).toEqual(['invalid_config', '__proto__'])
    expect(summary(refusal(`{"targets":[${config}]}`))).toEqual(['invalid_config', 'targets[0].__proto__'])
  })

  test('may be written in camelCase, every key of it', () => {
    const { node, settings } = read({
      apiKey: 'sk-1',
      customHost: 'https://host.example',
      overrideParams: { maxTokens: 5 },
      defaultParams: { topP: 1 },
      dropParams: ['logitBias'],
      requestTimeout: 100,
      forwardHeaders: ['x-a'],
      strictOpenAiCompliance: false,
      azureResourceName: 'res',
    })
    // What stands inside the parameters belongs to the provider and keeps its spelling.
    expect(node).toEqual({
      api_key: 'sk-1',
      custom_host: 'https://host.example',
      override_params: { maxTokens: 5 },
      default_params: { topP: 1 },
      drop_params: ['logitBias'],
      request_timeout: 100,
      forward_headers: ['x-a'],
      strict_open_ai_compliance: false,
    })
    expect(settings).toEqual({ azure_resource_name: 'res' })
    expect(read({ strictOpenAICompliance: true }).node).toEqual({ strict_open_ai_compliance: true })
  })

  test('may hold one target, whose values win over those of the root', () => {
    expect(
      read({
        strategy: { mode: 'single' },
        request_timeout: 1000,
        custom_host: 'https://root.example',
        azure_resource_name: 'root',
        override_params: { a: 1, b: 1 },
        targets: [{ provider: 'openai', requestTimeout: 5, azureResourceName: 'own', overrideParams: { b: 2, c: 2 } }],
      }),
    ).toEqual({
      path: 'config.targets[0]',
      node: {
        provider: 'openai',
        request_timeout: 5,
        custom_host: 'https://root.example',
        override_params: { a: 1, b: 2, c: 2 },
      },
      settings: { azure_resource_name: 'own' },
    })
  })

  test('needs no strategy for its one target, and the root may speak alone', () => {
    expect(read({ override_params: { a: 1 }, targets: [{ provider: 'openai' }] })).toEqual({
      path: 'config.targets[0]',
      node: { provider: 'openai', override_params: { a: 1 } },
      settings: {},
    })
  })
})

describe('is refused as not valid', () => {
  test('every violation is listed with its path, the first one in front', () => {
    const error = refusal({ provder: 'openai', request_timeout: 0, drop_params: [1] })
    expect(error.code).toBe('invalid_config')
    expect(error.options.violations?.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'drop_params[0]', message: 'expected string' },
      { path: 'provder', message: "unknown key; did you mean 'provider'?" },
      { path: 'request_timeout', message: 'expected integer to be greater or equal to 1' },
    ])
    expect(error.options.param).toBe(error.options.violations?.[0]?.path)
  })

  test('paths lead into the target', () => {
    expect(refusal({ targets: [{ provider: 5 }] }).options.violations).toEqual([
      { path: 'targets[0].provider', message: 'expected string' },
    ])
  })

  const table: readonly (readonly [string, unknown, string])[] = [
    ['the slug of a saved config', 'pc-prod-1234', 'x-gateway-config'],
    ['text that is not JSON', '{"provider":', 'x-gateway-config'],
    ['a list', [], 'x-gateway-config'],
    ['null', 'null', 'x-gateway-config'],
    ['targets that are no list', { targets: {} }, 'targets'],
    ['no target', { targets: [] }, 'targets'],
    ['a target that is no object', { targets: ['openai'] }, 'targets[0]'],
    ['a strategy that is no object', { strategy: 'single' }, 'strategy.mode'],
    ['a strategy without a mode', { strategy: {} }, 'strategy.mode'],
    ['a setting that is no string', { azure_resource_name: 5 }, 'azure_resource_name'],
    [
      'a setting of the target that is no string',
      { targets: [{ azureResourceName: 5 }] },
      'targets[0].azure_resource_name',
    ],
  ]
  for (const [what, config, param] of table) {
    test(what, () => expect(summary(refusal(config))).toEqual(['invalid_config', param]))
  }

  test('the text of the config is never repeated, as it may hold a key', () => {
    expect(refusal('{"api_key":"sk-secret",}').message).not.toContain('sk-secret')
    expect(JSON.stringify(refusal({ api_key: 'sk-secret', provider: 1 }).options)).not.toContain('sk-secret')
  })
})

describe('is refused as valid but not run here', () => {
  const table: readonly (readonly [string, unknown, string])[] = [
    ['version 1.0 with a mode', { mode: 'single', options: [] }, 'x-gateway-config'],
    ['version 1.0 with options alone', { options: [{ provider: 'openai' }] }, 'x-gateway-config'],
    ['a fallback', { strategy: { mode: 'fallback' }, targets: [{}, {}] }, 'strategy.mode'],
    ['a load balance', { strategy: { mode: 'loadbalance' }, targets: [{}] }, 'strategy.mode'],
    ['two targets', { targets: [{ provider: 'a' }, { provider: 'b' }] }, 'targets'],
    ['a retry', { provider: 'openai', retry: { attempts: 3 } }, 'retry'],
    ['a cache in the target', { targets: [{ provider: 'openai', cache: { mode: 'simple' } }] }, 'targets[0].cache'],
    ['guardrails in camelCase', { inputGuardrails: ['g-1'] }, 'input_guardrails'],
  ]
  for (const [what, config, param] of table) {
    test(what, () => expect(summary(refusal(config))).toEqual(['unsupported_config', param]))
  }
})
