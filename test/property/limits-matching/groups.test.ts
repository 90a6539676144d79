import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { compilePolicies, type Facts } from '../../../src/limits/match/compile.ts'
import { groupOf, hashGroup, toGroup } from '../../../src/limits/match/groups.ts'

const RUNS = 20_000
const TIMEOUT_MS = 60_000

/** Any UTF-16 there is, half surrogate pairs included, and what has a meaning in JSON, Redis or Unicode. */
const values: fc.Arbitrary<string | null> = fc.oneof(
  fc.array(fc.nat({ max: 0xffff }), { maxLength: 6 }).map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom('a', '-', '"', ',', '[', ']', '{', '}', '\\', '\0', ':', '\uD800', '\uDC00', 'e\u0301', 'é'),
      {
        maxLength: 6,
      },
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('null', '(absent)', '(shared)', 'overflow', '…'),
  fc.constant(null),
)

const policyOf = (count: number) => ({
  id: 'policy-1',
  groupBy: Array.from({ length: count }, (_, index) => `metadata.${index}`),
})

const lists = fc.array(values, { minLength: 1, maxLength: 3 })

/** Lists that are easily taken for each other. */
const neighbours = fc.tuple(lists, fc.nat({ max: 12 }), fc.nat({ max: 12 })).map(([list, from, to]) => {
  const text = list.map((value) => value ?? 'null').join('')
  const resplit = [text.slice(0, from % (text.length + 1)), text.slice(from % (text.length + 1))]
  const variants: readonly (readonly (string | null)[])[] = [
    list,
    resplit,
    list.map((value) => value?.normalize('NFC') ?? null),
    list.map((value) => value?.normalize('NFD') ?? null),
    list.map((value) => value ?? '(absent)'),
    list.map((value) => value ?? ''),
    list.map((value) => value?.toWellFormed() ?? null),
    list.map((value) => value?.replaceAll('\0', '') ?? null),
    list.toReversed(),
    [JSON.stringify(list)],
    [...list, null],
  ]
  return [list, variants[to % variants.length] ?? list] as const
})

test(
  'groups have the same hash only for the same values',
  () => {
    let different = 0
    fc.assert(
      fc.property(fc.oneof(neighbours, fc.tuple(lists, lists)), ([left, right]) => {
        const isSame = left.length === right.length && left.every((value, index) => value === right[index])
        const hashes = [left, right].map((list) => toGroup(policyOf(list.length), list).hash)
        expect(hashes[0] === hashes[1]).toBe(isSame)
        if (!isSame) different += 1
      }),
      { numRuns: RUNS },
    )
    expect(different).toBeGreaterThan(RUNS / 4)
  },
  TIMEOUT_MS,
)

test(
  'so have a scope and its text',
  () => {
    const texts = values.map((value) => value ?? '')
    fc.assert(
      fc.property(texts, texts, fc.nat({ max: 12 }), (scope, text, at) => {
        const whole = scope + text
        const cut = at % (whole.length + 1)
        const isSame = cut === scope.length
        expect(hashGroup(scope, text) === hashGroup(whole.slice(0, cut), whole.slice(cut))).toBe(isSame)
      }),
      { numRuns: RUNS },
    )
  },
  TIMEOUT_MS,
)

test(
  'a label is JSON of at most 512 characters, whatever the values',
  () => {
    const long = fc.tuple(values, fc.nat({ max: 300 })).map(([value, times]) => value?.repeat(times) ?? null)
    const names = fc.tuple(values, fc.nat({ max: 12 })).map(([name, times]) => `metadata.${name?.repeat(times)}`)
    fc.assert(
      fc.property(fc.array(fc.tuple(names, long), { maxLength: 12 }), (pairs) => {
        const policy = { id: 'policy-1', groupBy: pairs.map(([key]) => key) }
        const { label } = toGroup(
          policy,
          pairs.map(([, value]) => value),
        )
        expect(label.length).toBeLessThanOrEqual(512)
        const shown: unknown = JSON.parse(label)
        expect(Array.isArray(shown) && shown.every((pair) => Array.isArray(pair) && pair.length === 2)).toBe(true)
        if (!label.includes('…')) expect(shown).toEqual(pairs)
      }),
      { numRuns: RUNS / 4 },
    )
  },
  TIMEOUT_MS,
)

test(
  'a group is the same from the cache, without it, and as an operator names it',
  () => {
    const groupBy = ['metadata.a', 'metadata.b']
    const policy = {
      ...policyOf(2),
      groupBy,
      organisationId: 'organisation-1',
      workspaceId: 'workspace-1',
      name: null,
      target: 'llm',
      conditions: [],
      type: 'requests',
      unit: 'rpm',
      value: 1,
      onStoreFailure: 'local',
      reservation: 'bounded',
      mode: 'enforce',
    } as const
    const compiled = compilePolicies([policy], { target: 'llm', now: () => 0 })
    fc.assert(
      fc.property(values, values, (a, b) => {
        const metadata = { ...(a === null ? {} : { a }), ...(b === null ? {} : { b }) }
        const facts: Facts = { organisationId: '', workspaceId: '', metadata, endpointType: '' }
        const named = groupOf(policy, { 'metadata.a': a, 'metadata.b': b })
        for (const _ of [1, 2]) expect(compiled.match(facts)).toEqual([{ policy, group: named }])
        expect(named.values).toEqual({ 'metadata.a': a || null, 'metadata.b': b || null })
      }),
      { numRuns: RUNS },
    )
  },
  TIMEOUT_MS,
)
