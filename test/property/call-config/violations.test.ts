import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readCallConfig } from '../../../src/calls/config/read.ts'
import { InvalidConfig, type Violation } from '../../../src/errors/gateway-error.ts'
import { validConfig } from './arbitrary-config.ts'

const violations = (config: unknown): readonly Violation[] => {
  try {
    readCallConfig(config, { settingNames: new Set() })
    return []
  } catch (thrown) {
    if (!(thrown instanceof InvalidConfig)) throw thrown
    return thrown.options.violations ?? []
  }
}

/** Whether a path leads to something in the config, or to a place where something is missing. Keys may hold dots. */
const leadsSomewhere = (value: unknown, path: string): boolean => {
  if (path === '') return true
  const [, index, rest = ''] = /^\[(\d+)\]\.?(.*)$/s.exec(path) ?? []
  if (typeof value !== 'object' || value === null) return false
  // A key of digits is written like an index.
  if (index !== undefined && Object.hasOwn(value, index)) return leadsSomewhere(Reflect.get(value, index), rest)
  const isMissing = !/[.[]/.test(path) && !Object.hasOwn(value, path)
  return (
    isMissing ||
    Object.entries(value).some(
      ([key, inner]) =>
        path.startsWith(key) &&
        /^(?:$|[.[])/.test(path.slice(key.length)) &&
        leadsSomewhere(inner, path.slice(key.length).replace(/^\./, '')),
    )
  )
}

/** Places of a config, as lists of keys. */
const placesOf = (value: unknown): readonly (readonly string[])[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [[key], ...placesOf(inner).map((place) => [key, ...place])])

/** A copy with something else in one place. */
const spoilt = (value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown => {
  if (key === undefined) return by
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...(value as object) }
  Reflect.set(copy, key, spoilt(Reflect.get(copy, key), rest, by))
  return copy
}

const rubbish = fc.oneof(
  fc.constantFrom<unknown>(null, 'x', -1, 1.5, true, [], {}, [null], { unknownKey: 1 }, { mode: 'x' }, 'pc-a', [['x']]),
  fc.jsonValue({ maxDepth: 2 }),
)

test('a valid config has no violation', () => {
  fc.assert(
    fc.property(validConfig, (config) => {
      expect(violations(config)).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('every violation points at something, whatever is spoilt', () => {
  let found = 0
  fc.assert(
    fc.property(
      validConfig,
      fc.array(fc.tuple(fc.nat(), rubbish), { minLength: 1, maxLength: 3 }),
      (config, faults) => {
        const wrong = faults.reduce<unknown>((value, [at, by]) => {
          const places = placesOf(value)
          return places.length === 0 ? value : spoilt(value, places[at % places.length] ?? [], by)
        }, config)
        for (const { path, message } of violations(wrong)) {
          found++
          expect([path, message, leadsSomewhere(wrong, path)]).toEqual([path, message, true])
          expect(message).not.toBe('')
        }
      },
    ),
    { numRuns: 1_000 },
  )
  expect(found).toBeGreaterThan(300)
})

test('anything at all is either read or refused', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(violations(value).every(({ path }) => leadsSomewhere(value, path))).toBe(true)
    }),
    { numRuns: 500 },
  )
})
