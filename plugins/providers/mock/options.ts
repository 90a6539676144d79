import { isRecord } from '#kit'
import { type FaultName, isFaultName, MOCK_FAULTS } from './faults.ts'
import { MockRefusal } from './refusal.ts'

/** How the mock shall behave for one request. Every part is optional. */
export interface MockOptions {
  readonly fault?: FaultName
  readonly latencyMs?: number
  readonly intervalMs?: number
  readonly chunkBytes?: number
  readonly tokens?: number
  readonly cachedTokens?: number
  readonly at?: number
  readonly atBytes?: number
  readonly bytes?: number
  readonly depth?: number
  readonly count?: number
  readonly status?: number
  readonly retryAfter?: string
  readonly times?: number
  readonly key?: string
}

export interface MockOptionRow {
  /** Name in the suffix of a model. Either name works in either place. */
  readonly short: string
  /** Whole numbers within these bounds; absent for text. */
  readonly range?: readonly [min: number, max: number]
  readonly description: string
}

const HOUR_MS = 3_600_000
const MAX_BYTES = 256 * 1024 ** 2

/** Every behaviour switch, by its name in the `mock` field of a request. The documentation prints this table. */
export const MOCK_OPTIONS = {
  fault: { short: 'fault', description: 'Name of a fault.' },
  latencyMs: { short: 'latency', range: [0, HOUR_MS], description: 'Milliseconds before the first byte.' },
  intervalMs: { short: 'interval', range: [0, HOUR_MS], description: 'Milliseconds between two pieces of the body.' },
  chunkBytes: { short: 'chunk', range: [1, MAX_BYTES], description: 'Largest piece written at once, in bytes.' },
  tokens: { short: 'tokens', range: [0, 1_000_000], description: 'Length of the answer in words.' },
  cachedTokens: { short: 'cached', range: [0, 1_000_000], description: 'Cached part of the reported prompt tokens.' },
  at: { short: 'at', range: [0, 1_000_000], description: 'Events before a fault inside a stream (default 2).' },
  atBytes: {
    short: 'at-bytes',
    range: [0, MAX_BYTES],
    description: 'Bytes of the body before a fault; wins over `at`.',
  },
  bytes: { short: 'bytes', range: [1, MAX_BYTES], description: 'Size for the faults that send a lot.' },
  depth: { short: 'depth', range: [1, 1_000_000], description: 'Levels for `deep-json`.' },
  count: { short: 'count', range: [0, 100_000_000], description: 'Events for `empty-deltas`.' },
  status: { short: 'status', range: [400, 599], description: 'Status to answer with; means `fault: "status"`.' },
  retryAfter: { short: 'retry-after', description: '`Retry-After` header of `fault: "status"`, as it stands.' },
  times: {
    short: 'times',
    range: [0, 1_000_000],
    description: 'The fault only hits so many requests of the same key.',
  },
  key: { short: 'key', description: 'What `times` counts by (default: the request body).' },
} as const satisfies Record<keyof MockOptions, MockOptionRow>

type OptionName = keyof typeof MOCK_OPTIONS

/**
 * Reads the switches of a request: `model: "mock:fault=overloaded,latency=200"` and the field `mock: {…}`, which wins.
 * Values in a model name may be percent-encoded.
 * @throws MockRefusal (400) naming an unknown switch or fault, or a value out of range.
 */
export const readOptions = (model: string, field: unknown): { model: string; options: MockOptions } => {
  const colon = model.indexOf(':')
  const fromModel = colon === -1 ? {} : read(suffixEntries(model.slice(colon + 1)), 'model')
  if (field !== undefined && !isRecord(field)) throw new MockRefusal(400, '`mock` must be an object.', 'mock')
  const merged: MockOptions = { ...fromModel, ...read(Object.entries(field ?? {}), 'mock') }
  const wantsStatus = merged.status !== undefined || merged.retryAfter !== undefined
  if (wantsStatus && merged.fault !== undefined && merged.fault !== 'status') {
    throw new MockRefusal(400, `\`status\` and \`retryAfter\` do not go with the fault \`${merged.fault}\`.`, 'mock')
  }
  return {
    model: colon === -1 ? model : model.slice(0, colon),
    options: wantsStatus ? { ...merged, fault: 'status' } : merged,
  }
}

const suffixEntries = (suffix: string): [string, string][] =>
  suffix.split(',').map((item) => {
    const equals = item.indexOf('=')
    if (equals === -1) throw new MockRefusal(400, `Mock switch \`${item}\` has no value: write name=value.`, 'model')
    try {
      return [item.slice(0, equals), decodeURIComponent(item.slice(equals + 1))]
    } catch {
      throw new MockRefusal(400, `Mock switch \`${item}\` is not percent-encoded correctly.`, 'model')
    }
  })

const read = (entries: readonly (readonly [string, unknown])[], place: 'model' | 'mock'): MockOptions => {
  const options: Partial<Record<OptionName, string | number>> = {}
  for (const [given, value] of entries) {
    const name = OPTION_NAMES.get(given)
    const param = place === 'model' ? place : `mock.${given}`
    if (name === undefined) {
      throw new MockRefusal(
        400,
        `Unknown mock switch \`${given}\`. Known: ${Object.keys(MOCK_OPTIONS).join(', ')}.`,
        param,
      )
    }
    options[name] = readValue(name, given, value, param)
  }
  // Safe: `readValue` gave each name the type of its row.
  return options as MockOptions
}

const OPTION_NAMES: ReadonlyMap<string, OptionName> = new Map(
  Object.entries(MOCK_OPTIONS).flatMap(([name, { short }]) => [
    [name, name as OptionName],
    [short, name as OptionName],
  ]),
)

const readValue = (name: OptionName, given: string, value: unknown, param: string): string | number => {
  const row: MockOptionRow = MOCK_OPTIONS[name]
  if (row.range === undefined) {
    if (typeof value !== 'string') throw new MockRefusal(400, `Mock switch \`${given}\` must be text.`, param)
    if (name === 'fault' && !isFaultName(value)) {
      throw new MockRefusal(
        400,
        `Unknown mock fault \`${value}\`. Known: ${Object.keys(MOCK_FAULTS).join(', ')}.`,
        param,
      )
    }
    return value
  }
  const [min, max] = row.range
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max) {
    throw new MockRefusal(400, `Mock switch \`${given}\` must be a whole number from ${min} to ${max}.`, param)
  }
  return number
}
