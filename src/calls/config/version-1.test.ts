import { describe, expect, test } from 'bun:test'
import { readCallConfig } from './read.ts'
import { isVersion1, migrateConfig } from './version-1.ts'

describe('version 1.0 is told by', () => {
  const table: readonly (readonly [unknown, boolean])[] = [
    [{ mode: 'single', options: [] }, true],
    [{ options: [] }, true],
    [{ mode: 'single', provider: 'a' }, true],
    [{ provider: 'a', retry: 3 }, true],
    [{ provider: 'a', cacheAge: 'max-age=5' }, true],
    [{ provider: 'a', trace_id: 't' }, true],
    [{ provider: 'a', retry: { attempts: 3 }, cache: 'simple' }, false],
    [{ strategy: { mode: 'single' }, targets: [], options: [] }, false],
    [{ targets: [], mode: 'single' }, false],
    [{}, false],
    [[], false],
    ['pc-a', false],
    [null, false],
  ]
  test.each(table)('%j: %p', (value, expected) => expect(isVersion1(value)).toBe(expected))
})

describe('is rewritten field by field', () => {
  test('mode, options, retry, cache and what a virtual key brings itself', () => {
    const old = {
      mode: 'loadbalance',
      retry: 3,
      cache: 'semantic',
      options: [
        { provider: 'openai', apiKey: 'sk-1', weight: 0.7, retry: { attempts: 2, on_status_codes: [429] } },
        {
          provider: 'azure-openai',
          virtual_key: 'team',
          resource_name: 'r',
          deployment_id: 'd',
          api_version: 'v',
          weight: 0.3,
          cache: 'simple',
          cache_age: 'max-age=100',
          trace_id: 't',
          override_params: { model: 'm' },
        },
      ],
    }
    const { config, changes } = migrateConfig(old)
    expect(config).toEqual({
      strategy: { mode: 'loadbalance' },
      retry: { attempts: 3 },
      cache: { mode: 'semantic' },
      targets: [
        { provider: 'openai', api_key: 'sk-1', weight: 0.7, retry: { attempts: 2, on_status_codes: [429] } },
        { virtual_key: 'team', weight: 0.3, cache: { mode: 'simple', max_age: 100 }, override_params: { model: 'm' } },
      ],
    })
    expect(changes).toEqual([
      { path: 'mode', from: 'loadbalance', to: { path: 'strategy.mode', value: 'loadbalance' } },
      { path: 'retry', from: 3, to: { path: 'retry', value: { attempts: 3 } } },
      { path: 'cache', from: 'semantic', to: { path: 'cache', value: { mode: 'semantic' } } },
      { path: 'options[0].apiKey', from: 'sk-1', to: { path: 'targets[0].api_key', value: 'sk-1' } },
      { path: 'options[1].provider', from: 'azure-openai' },
      { path: 'options[1].resource_name', from: 'r' },
      { path: 'options[1].deployment_id', from: 'd' },
      { path: 'options[1].api_version', from: 'v' },
      {
        path: 'options[1].cache',
        from: 'simple',
        to: { path: 'targets[1].cache', value: { mode: 'simple', max_age: 100 } },
      },
      { path: 'options[1].cache_age', from: 'max-age=100', to: { path: 'targets[1].cache.max_age', value: 100 } },
      { path: 'options[1].trace_id', from: 't' },
      { path: 'options', from: old.options, to: { path: 'targets', value: config.targets } },
    ])
    expect(readCallConfig(config, { settingNames: new Set() }).targets?.length).toBe(2)
  })

  test('an A/B test becomes a load balance; options without a mode one target; settings without a virtual key stay', () => {
    expect(migrateConfig({ mode: 'ab_test', options: [{ provider: 'a' }] }).config.strategy).toEqual({
      mode: 'loadbalance',
    })
    const { config, changes } = migrateConfig({ options: [{ provider: 'azure-openai', resource_name: 'r' }] })
    expect(config).toEqual({
      strategy: { mode: 'single' },
      targets: [{ provider: 'azure-openai', resource_name: 'r' }],
    })
    expect(changes[0]).toEqual({ path: 'mode', from: undefined, to: { path: 'strategy.mode', value: 'single' } })
  })

  test('the short form stays flat', () => {
    expect(migrateConfig({ provider: 'a', virtual_key: 'v', retry: 2, cache: 'simple', cache_age: 90 }).config).toEqual(
      {
        virtual_key: 'v',
        retry: { attempts: 2 },
        cache: { mode: 'simple', max_age: 90 },
      },
    )
  })

  test.each([
    ['without a cache', { cache_age: 'max-age:100' }, undefined],
    [
      'for a cache with an age',
      { cache: { mode: 'simple', max_age: 70 }, cache_age: 100 },
      { mode: 'simple', max_age: 70 },
    ],
    ['that is none', { cache: 'simple', cache_age: 'soon' }, { mode: 'simple' }],
    ['with a colon', { cache: 'simple', cache_age: 'max-age: 100' }, { mode: 'simple', max_age: 100 }],
  ])('an age %s', (_, fields, cache) => {
    const { config, changes } = migrateConfig({ mode: 'single', ...fields })
    expect(config.cache).toEqual(cache as never)
    const change = changes.find(({ path }) => path === 'cache_age')
    expect(change?.to === undefined).toBe(cache === undefined || !('max_age' in cache) || cache.max_age !== 100)
  })

  test.each([
    [
      'of an option, for the cache at the top',
      { cache: 'simple' },
      { cache_age: 100 },
      { mode: 'simple', max_age: 100 },
    ],
    [
      'of an option, before that of the top',
      { cache: { mode: 'semantic', max_age: 70 }, cache_age: 80 },
      { cacheAge: 'max-age=100' },
      { mode: 'semantic', max_age: 100 },
    ],
    [
      'at the top, for the cache of an option',
      { cache_age: 100 },
      { cache: 'simple' },
      { mode: 'simple', max_age: 100 },
    ],
    ['at the top, for a cache with an age', { cache_age: 100 }, { cache: { mode: 'simple', max_age: 70 } }, undefined],
    ['at the top alone', { cache: 'simple', cache_age: 100 }, {}, undefined],
    ['of an option, for no cache at all', {}, { cache_age: 100 }, undefined],
  ])('an age %s', (_, top, option, expected) => {
    const { config, changes } = migrateConfig({ mode: 'single', ...top, options: [{ provider: 'a', ...option }] })
    const written = 'cache' in option && expected === undefined ? option.cache : expected
    const cache = written === undefined ? {} : { cache: written }
    expect(config.targets).toEqual([{ provider: 'a', ...cache }] as never)
    const change = changes.find(({ path }) => /cache_?age$/i.test(path) && path.startsWith('options'))
    expect(change?.to).toEqual(
      expected === undefined || 'cache' in option ? undefined : { path: 'targets[0].cache.max_age', value: 100 },
    )
  })

  test('what was wrong is wrong still, for the reader to say', () => {
    expect(migrateConfig({ mode: 'scientist', options: ['a'], extra: 1 }).config).toEqual({
      strategy: { mode: 'scientist' },
      extra: 1,
      targets: ['a'],
    })
    expect(migrateConfig({ mode: 'single', options: 5 }).config.targets).toBe(5)
    const twice = { mode: 'single', options: [{ api_key: 'a', apiKey: 'b' }] }
    expect(migrateConfig(twice).config.targets).toEqual([{ api_key: 'a', apiKey: 'b' }])
  })

  test('nothing is changed in the config that was given', () => {
    const old = { mode: 'single', retry: 1, options: [{ provider: 'a', cache: 'simple' }] }
    const copy = structuredClone(old)
    migrateConfig(old)
    expect(old).toEqual(copy)
  })
})
