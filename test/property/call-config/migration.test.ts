import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileConfig } from '../../../src/calls/config/compile.ts'
import { readCallConfig } from '../../../src/calls/config/read.ts'
import { isVersion1, migrateConfig } from '../../../src/calls/config/version-1.ts'
import type { Plan } from '../../../src/kit/plan.ts'

type Fields = Record<string, unknown>

/** What one option of a config 1.0 means, as far as the routes can tell. */
interface Meaning {
  readonly place: string
  readonly weight: number
  readonly attempts: number
  readonly codes: readonly number[] | 'default'
  readonly cache: string
  readonly resource: string | undefined
  readonly params: unknown
}

/** The rules of version 1.0, read for themselves: `options` one by one, the rest from the top (behaviours, section 2.10). */
const naive = (config: Fields): { readonly mode: string; readonly options: readonly Meaning[] } => {
  const { mode = 'single', options } = config
  const list = Array.isArray(options) ? options : [{}]
  const used = mode === 'single' ? list.slice(0, 1) : list
  return {
    mode: mode === 'ab_test' ? 'loadbalance' : String(mode),
    options: used.map((option: Fields) => meaning(option, config)),
  }
}

const meaning = (option: Fields, top: Fields): Meaning => {
  const get = (name: string, other = name): unknown => option[name] ?? option[other]
  const own = (name: string, other = name): unknown =>
    get(name, other) ?? (top.options === undefined ? (top[name] ?? top[other]) : undefined)
  const virtualKey = own('virtual_key', 'virtualKey')
  const retry = option.retry ?? top.retry ?? 0
  const retryObject =
    typeof retry === 'number' ? { attempts: retry } : (retry as { attempts: number; on_status_codes?: number[] })
  const cache = option.cache ?? top.cache
  const age = Number(/\d+/.exec(String(option.cache_age ?? top.cache_age ?? ''))?.[0] ?? 604_800)
  return {
    place:
      virtualKey === undefined
        ? `${String(own('provider'))} ${String(own('api_key', 'apiKey'))}`
        : `virtual ${String(virtualKey)}`,
    weight: (get('weight') as number | undefined) ?? 1,
    attempts: Math.min(5, retryObject.attempts),
    codes: retryObject.on_status_codes ?? 'default',
    cache: cache === undefined ? 'none' : `${String(cache)} ${age >= 60 && age <= 7_776_000 ? age : 604_800}`,
    resource: virtualKey === undefined ? (own('resource_name') as string | undefined) : undefined,
    params: own('override_params'),
  }
}

const DEFAULT_CODES = '429,500,502,503,504,529'

const ofPlan = ({ root, leaves }: Plan): { readonly mode: string; readonly options: readonly Meaning[] } => ({
  mode: root.kind === 'leaf' ? 'single' : root.mode,
  options: leaves.map((leaf, index) => {
    const codes = [...(leaf.retry?.onStatusCodes ?? [])]
    return {
      place: leaf.virtualKey === undefined ? `${leaf.provider} ${leaf.apiKey}` : `virtual ${leaf.virtualKey}`,
      weight: root.kind === 'branch' && root.mode === 'loadbalance' ? (root.weights[index] ?? 1) : Number.NaN,
      attempts: leaf.retry?.attempts ?? 0,
      codes: codes.length === 0 || codes.join() === DEFAULT_CODES ? 'default' : codes,
      cache: leaf.cache === undefined ? 'none' : `${leaf.cache.mode} ${leaf.cache.maxAgeSeconds}`,
      resource: leaf.settings.resource_name,
      params: leaf.overrideParams,
    }
  }),
})

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const retry = fc.oneof(
  fc.nat(7),
  fc.record({ attempts: fc.nat(7) }),
  fc.record({
    attempts: fc.nat(7),
    on_status_codes: fc.uniqueArray(fc.integer({ min: 400, max: 428 }), { minLength: 1, maxLength: 3 }),
  }),
)
const cache = fc.constantFrom('simple', 'semantic')
const age = fc.constantFrom('max-age=10', 'max-age=100', 'max-age:200')

const option = fc
  .record({
    provider: fc.constantFrom('openai', 'azure-openai', 'anthropic'),
    virtual_key: some(fc.constantFrom('v1', 'v2')),
    api_key: some(fc.constant('k1')),
    weight: some(fc.integer({ min: 1, max: 9 })),
    retry: some(retry),
    cache: some(cache),
    cache_age: some(age),
    resource_name: some(fc.constant('res')),
    override_params: some(fc.record({ model: fc.constantFrom('m-1', 'm-2') })),
    trace_id: some(fc.constant('t')),
    cache_force_refresh: some(fc.constant('true')),
  })
  .map(present)
  .chain((fields) => fc.boolean().map((isCamel) => (isCamel ? camelCased(fields) : fields)))

const camelCased = ({ api_key: apiKey, virtual_key: virtualKey, ...rest }: Fields): Fields =>
  present({ ...rest, apiKey, virtualKey })

const long = fc
  .record({
    mode: fc.constantFrom('single', 'fallback', 'loadbalance', 'ab_test'),
    retry: some(retry),
    cache: some(cache),
    cache_age: some(age),
    options: fc.array(option, { minLength: 1, maxLength: 4 }),
  })
  .map(present)
/** One provider, told by a retry that only version 1.0 writes so. */
const short = option.map((fields) => ({ ...fields, retry: 2 }))

test('a migrated config does what the old one did', () => {
  fc.assert(
    fc.property(fc.oneof(long, short), (old) => {
      expect(isVersion1(old)).toBe(true)
      const { config } = migrateConfig(old)
      expect(isVersion1(config)).toBe(false)
      const plan = ofPlan(compileConfig(readCallConfig(config, { settingNames: new Set() })))
      const expected = naive(old)
      const withoutWeights = expected.mode !== 'loadbalance'
      expect(plan).toEqual({
        mode: expected.mode,
        options: expected.options.map((each) => (withoutWeights ? { ...each, weight: Number.NaN } : each)),
      })
    }),
    { numRuns: 1_000 },
  )
})

test('every change names a field of the old config, and what stands for it in the new one', () => {
  const at = (value: unknown, path: string): unknown =>
    path
      .replaceAll(/\[(\d+)\]/g, '.$1')
      .split('.')
      .reduce<unknown>(
        (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
        value,
      )
  fc.assert(
    fc.property(fc.oneof(long, short), (old) => {
      const { config, changes } = migrateConfig(old)
      for (const { path, from, to } of changes) {
        expect(at(old, path)).toEqual(from)
        if (to !== undefined) expect(at(config, to.path)).toEqual(to.value)
      }
    }),
    { numRuns: 500 },
  )
})
