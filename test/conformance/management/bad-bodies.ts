import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** A body that must be refused. */
export interface BadBody {
  /** For messages of the test. */
  readonly about: string
  readonly raw: string | Uint8Array<ArrayBuffer>
  /** What the refusal must name: this field or one inside of it. Absent where the body as a whole is wrong. */
  readonly path?: string
  /** Default: 400. */
  readonly status?: number
}

type Fields = Readonly<Record<string, unknown>>

const BYTES_OF_A_MEGABYTE = 1_000_000
const encoder = new TextEncoder()

/** What a client might send instead: each is wrong for most fields. */
const CANDIDATES: readonly unknown[] = [
  null,
  true,
  5,
  -1,
  1.5,
  1e300,
  '',
  'no such \u{1f600} value',
  'a'.repeat(BYTES_OF_A_MEGABYTE),
  [],
  [5],
  [null],
  {},
  { nonsense: 5 },
]

/** Wrong bodies of a route, made from one that works. @param maxBytes that the route takes */
export function* badBodies(
  body: TSchema,
  good: Fields,
  isOptional: boolean,
  maxBytes = BYTES_OF_A_MEGABYTE,
): Generator<BadBody> {
  // One that may be a list of them too is tried as one.
  const schema: TSchema = body.anyOf?.[0] ?? body
  yield* wrongAsWhole(isOptional, maxBytes)
  yield* wrongKeys(good)
  for (const [name, property] of Object.entries<TSchema>(schema.properties ?? {})) {
    yield* wrongValues(name, property, good)
    if (required(schema).includes(name) && property.default === undefined) {
      const { [name]: _, ...rest } = good
      yield { about: `without ${name}`, raw: JSON.stringify(rest), path: name }
    }
  }
}

function* wrongAsWhole(isOptional: boolean, maxBytes: number): Generator<BadBody> {
  if (!isOptional) yield { about: 'nothing', raw: '' }
  for (const raw of ['{', '[]', '5', 'null', '"text"', '{"a":1,}', "{'a':1}", '\ufeff{}x']) yield { about: raw, raw }
  yield { about: 'deep nesting', raw: `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}` }
  yield { about: 'more bytes than it takes', raw: JSON.stringify({ a: 'a'.repeat(2 * maxBytes) }), status: 413 }
  yield { about: 'bytes that are not UTF-8', raw: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) }
  yield { about: 'half a character', raw: new Uint8Array([...encoder.encode('{"name":"'), 0xe2, 0x82, 0x22, 0x7d]) }
}

function* wrongKeys(good: Fields): Generator<BadBody> {
  const json = JSON.stringify(good)
  const inner = json === '{}' ? '' : `,${json.slice(1, -1)}`
  yield { about: 'an unknown key', raw: `{"nonsense":1${inner}}`, path: 'nonsense' }
  yield { about: '__proto__', raw: `{"__proto__":{"nonsense":1}${inner}}`, path: '__proto__' }
  yield { about: 'constructor', raw: `{"constructor":{"prototype":{}}${inner}}`, path: 'constructor' }
  yield { about: 'a key of a megabyte', raw: `{"${'k'.repeat(BYTES_OF_A_MEGABYTE)}":1${inner}}`, path: 'kkk' }
  for (const [name, value] of Object.entries(good)) {
    yield { about: `${name} twice`, raw: `{"${name}":${JSON.stringify(value)}${inner}}` }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
    const planted = JSON.stringify({ ...good, [name]: { ...value, PLANTED: 1 } })
    yield { about: `${name}.__proto__`, raw: planted.replace('PLANTED', '__proto__'), path: name }
  }
}

function* wrongValues(name: string, schema: TSchema, good: Fields): Generator<BadBody> {
  const withValue = (value: unknown): string => JSON.stringify({ ...good, [name]: value })
  for (const candidate of CANDIDATES) {
    if (isAccepted(schema, candidate)) continue
    yield { about: `${name}: ${JSON.stringify(candidate).slice(0, 40)}`, raw: withValue(candidate), path: name }
  }
  if (typeof good[name] !== 'string') return
  for (const text of ['a\0b', 'a\ud800b']) {
    yield { about: `${name}: ${JSON.stringify(text)}`, raw: withValue(text), path: name }
  }
}

/** A field of an object that is left out and has a default is as good as given. */
const isAccepted = (schema: TSchema, candidate: unknown): boolean =>
  Value.Check(schema, Value.Default(schema, structuredClone(candidate)))

const required = (schema: TSchema): readonly string[] => (Array.isArray(schema.required) ? schema.required : [])
