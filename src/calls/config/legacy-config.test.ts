import { describe, expect, test } from 'bun:test'
import { UnsupportedConfig } from '../../errors/gateway-error.ts'
import { type LegacyConfig, readLegacyConfig } from './legacy-config.ts'
import { modernParams } from './legacy-params.ts'

const read = (written: unknown): LegacyConfig => readLegacyConfig(written, '/v1/chat/completions')
const KEY = { provider: 'openai', api_key: 'k-1' }

describe('a config of an old body', () => {
  test.each([{ written: null }, { written: undefined }, { written: { mode: null, options: null } }])(
    'is none: %o',
    ({ written }) => expect(read(written)).toEqual({}),
  )

  test.each([{ written: 'pc-1' }, { written: 5 }, { written: [KEY] }, { written: {} }])(
    'stays as it is, right or wrong: %o',
    ({ written }) => expect(read(written)).toEqual({ config: written }),
  )

  test.each([
    KEY,
    {
      strategy: { mode: 'fallback' },
      targets: [KEY, { virtual_key: 'v-1', override_params: { stop_sequences: ['x'] } }],
    },
    { mode: 'single', options: [KEY] },
    { mode: 'single', options: ['no option'] },
    { mode: 'single', options: 'no list' },
    { ...KEY, override_params: 'no object' },
  ])('has nothing to rewrite: %o', (written) => expect(read(written)).toEqual({ config: written }))

  const rewritten: readonly (readonly [string, object, object])[] = [
    ['null is nothing said', { mode: null, options: [{ ...KEY, retry: null }] }, { options: [KEY] }],
    [
      'parameters beside the fields, under those that are theirs alone',
      { options: [{ ...KEY, model: 'm-1', prompt: 'p', n: 1, overrideParams: { n: 2 } }] },
      { options: [{ ...KEY, override_params: { model: 'm-1', prompt: 'p', n: 2 } }] },
    ],
    ['in the short form too', { ...KEY, max_tokens: 5 }, { ...KEY, override_params: { max_tokens: 5 } }],
    [
      'parameters as they were called',
      { options: [{ ...KEY, stop_sequences: ['a'], override_params: { stop: ['b'], max_tokens_to_sample: 3 } }] },
      { options: [{ ...KEY, override_params: { stop: ['b'], max_tokens: 3 } }] },
    ],
    ['what is no parameter', { options: [{ ...KEY, timeout: 3, organization: 'o' }] }, { options: [KEY] }],
    ['cache: true', { ...KEY, cache: true }, { ...KEY, cache: 'simple' }],
    ['cache: false', { ...KEY, cache: false }, KEY],
    ['cache_status', { ...KEY, cache: true, cache_status: 'semantic' }, { ...KEY, cache: 'semantic' }],
    ['cacheStatus', { ...KEY, cacheStatus: 'simple' }, { ...KEY, cache: 'simple' }],
    ['an empty cache_status', { ...KEY, cache_status: '' }, KEY],
    [
      'the newer form of the cache',
      { ...KEY, cache: { mode: 'simple' }, cache_status: 'semantic' },
      { ...KEY, cache: { mode: 'simple' } },
    ],
  ]
  test.each(rewritten)('is rewritten: %s', (_, written, config) => expect(read(written)).toEqual({ config }))

  test('says things of the call, at the top or in the first option that has them', () => {
    const options = [
      { ...KEY, trace_id: '', metadata: 'none' },
      { ...KEY, traceId: 't-2', metadata: { a: 1 } },
      { ...KEY, trace_id: 't-3' },
    ]
    expect(read({ options })).toMatchObject({ traceId: 't-2', metadata: { a: 1 } })
    expect(read({ options, trace_id: 't-0' }).traceId).toBe('t-0')
    expect(read({ options })).not.toHaveProperty('cacheForceRefresh')
    expect(read({ options: [...options, { cacheForceRefresh: true }] }).cacheForceRefresh).toBe(true)
    expect(read({ ...KEY, cache_force_refresh: 'true' })).not.toHaveProperty('cacheForceRefresh')
  })

  test.each([
    { targets: [KEY, { targets: [KEY] }] },
    { targets: [{ strategy: { mode: 'single' }, options: [KEY] }] },
    { options: [{ targets: [KEY] }] },
  ])('has no targets in targets: %o', (written) => {
    expect(() => read({ mode: 'fallback', ...written })).toThrow(UnsupportedConfig)
    expect(() => read({ mode: 'fallback', ...written })).toThrow('use `/v1/chat/completions`')
  })
})

test('parameters of 2023 are those of today, and today’s name counts', () => {
  expect(modernParams({ stop_sequences: ['a'], temperature: 0, prompt: '' })).toEqual({
    stop: ['a'],
    temperature: 0,
    prompt: '',
  })
  expect(modernParams({ stop_sequences: ['a'], stop: 'b' })).toEqual({ stop: 'b' })
  expect(modernParams({ stop: 'b', stop_sequences: ['a'], max_tokens_to_sample: 1, max_tokens: 2 })).toEqual({
    stop: 'b',
    max_tokens: 2,
  })
  expect(modernParams({ timeout: 60, organization: 'o-1', constructor: 1 })).toEqual({ constructor: 1 })
})
