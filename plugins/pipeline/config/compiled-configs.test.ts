import { describe, expect, test } from 'bun:test'
import type { StoredConfig } from '#core/ports'
import { defineCheck, GatewayError, openaiCompatible, t } from '#kit'
import { CompiledConfigs } from './compiled-configs.ts'

const acme = openaiCompatible({
  id: 'acme',
  baseURL: 'https://api.acme.example/v1',
  settings: { acme_region: 'acme-region' },
})

const open = () =>
  new CompiledConfigs({
    providers: { get: () => acme, list: () => [acme] },
    checks: { get: (id) => (id === noWords.id ? noWords : undefined), list: () => [noWords] },
  })

const noWords = defineCheck({
  id: 'acme.noWords',
  summary: 'Passes for nothing.',
  parameters: t.Object({ most: t.Integer() }),
  stages: ['input'],
  run: () => ({ verdict: false }),
})

const inline = (value: unknown) =>
  ({ kind: 'inline', text: typeof value === 'string' ? value : JSON.stringify(value) }) as const

const saved = (config: Record<string, unknown>): StoredConfig => ({ id: 'id', slug: 'pc-a', versionId: 'v-1', config })

const refusal = (value: unknown, configs = open()): GatewayError => {
  try {
    configs.of(inline(value))
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown
    throw thrown
  }
  throw new Error('the config was accepted')
}

describe('a config is compiled once', () => {
  test('a saved one for as long as its version is the same', () => {
    const configs = open()
    const stored = saved({ provider: 'acme', acme_region: 'eu' })
    const compiled = configs.of({ kind: 'saved', stored })
    expect(compiled.plan.leaves).toMatchObject([{ provider: 'acme', settings: { acme_region: 'eu' } }])
    expect(configs.of({ kind: 'saved', stored })).toBe(compiled)
    expect(configs.of({ kind: 'saved', stored: saved(stored.config) })).not.toBe(compiled)
  })

  test('an inline one while it is among the 500 used last, unless it is very long', () => {
    const configs = open()
    const text = (index: number) => inline({ provider: 'acme', name: `n-${index}` })
    const [first, second] = [configs.of(text(0)), configs.of(text(1))]
    for (let index = 2; index < 500; index++) configs.of(text(index))
    expect(configs.of(text(0))).toBe(first)
    configs.of(text(500))
    expect(configs.of(text(0))).toBe(first)
    expect(configs.of(text(1))).not.toBe(second)
    const long = inline({ provider: 'acme', name: 'n'.repeat(16 * 1024) })
    expect(configs.of(long)).not.toBe(configs.of(long))
  })

  test('none at all is one leaf without words', () => {
    expect(open().of({ kind: 'headers' })).toEqual({
      plan: {
        root: { kind: 'leaf', path: 'config', settings: {} },
        leaves: [{ kind: 'leaf', path: 'config', settings: {} }],
        usesCache: false,
        usesBreakers: false,
      },
      listsOwnModels: false,
    })
  })
})

describe('is refused as not valid', () => {
  test.each([
    ['text that is not JSON', '{"provider":', 'x-gateway-config'],
    ['no text', '', 'x-gateway-config'],
    ['a list', [], 'x-gateway-config'],
    ['null', 'null', 'x-gateway-config'],
    ['a typo', { provder: 'acme' }, 'provder'],
    ['a check that does not run', { input_guardrails: [{ 'acme.noWrods': {} }] }, 'input_guardrails[0].acme.noWrods'],
    ['wrong parameters', { inputGuardrails: [{ 'acme.noWords': {} }] }, 'inputGuardrails[0].acme.noWords.most'],
    ['both versions at once', { targets: [{}], options: [] }, 'options'],
  ])('%s', (_, config, param) => {
    const { code, options } = refusal(config)
    expect([code, options.param]).toEqual(['invalid_config', param])
  })

  test('the text is never repeated, as it may hold a key', () => {
    expect(refusal('{"api_key":"sk-secret",}').message).not.toContain('sk-secret')
  })
})

describe('is refused as valid but not run', () => {
  const table: readonly (readonly [string, unknown, string])[] = [
    ['a pass-through', { provider: 'acme', passthrough: true }, 'passthrough'],
    [
      'a setting that no provider takes',
      { targets: [{ provider: 'acme', aws_region: 'eu' }] },
      'targets[0].aws_region',
    ],
  ]
  test.each(table)('%s', (_, config, param) => {
    const { code, options } = refusal(config)
    expect([code, options.param]).toEqual(['unsupported_config', param])
  })

  test('but not what asks for nothing', () => {
    const plain = { provider: 'acme', passthrough: false }
    expect(open().of(inline(plain)).plan.leaves.length).toBe(1)
  })

  test('version 1.0, with the form that it has in 2.0 and none of its values', () => {
    const { code, options, message } = refusal({
      mode: 'fallback',
      retry: 3,
      options: [
        { provider: 'openai', apiKey: 'sk-secret', override_params: { prompt: 'sk-secret' } },
        { virtual_key: 'sk-secret', cache: 'simple', trace_id: 'sk-secret' },
      ],
    })
    expect([code, options.param]).toEqual(['unsupported_config', 'x-gateway-config'])
    expect(message).toContain(
      '{"strategy":{"mode":"fallback"},"retry":{"attempts":3},"targets":[{"provider":…,"api_key":…,"override_params":{…}},{"virtual_key":…,"cache":{"mode":"simple"}}]}',
    )
    expect(message).not.toContain('sk-secret')
    const long = refusal({ mode: 'single', options: Array.from({ length: 200 }, () => ({ provider: 'a' })) }).message
    expect(long.length).toBeLessThan(600)
    let deep: unknown = 1
    for (let level = 0; level < 2_000; level++) deep = [deep]
    expect(refusal({ mode: 'single', options: [deep] }).code).toBe('unsupported_config')
  })
})

test('guardrails go with the targets', () => {
  const { leaves } = open().of(inline({ provider: 'acme', input_guardrails: [{ 'acme.noWords': { most: 1 } }] })).plan
  expect(leaves[0]?.guardrails).toMatchObject({ input: [{ kind: 'inline', id: 'input_guardrails[0]' }], output: [] })
})

test('a config may ask for the own list of models', () => {
  expect(open().of(inline({ provider: 'acme', fetchIntegratedModels: true })).listsOwnModels).toBe(true)
})
