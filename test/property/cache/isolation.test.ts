import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isRecord } from '#kit'
import { ACME, type CacheAsk, cacheWorld, completion, jsonAnswer, streamAnswer } from '../../support/caching.ts'

/** All that an answer may depend on, as the test knows it. Two calls may share an answer only if all of it is equal. */
interface Situation {
  readonly organisationId: string
  readonly workspaceId: string
  readonly metadata: Readonly<Record<string, string>>
  readonly namespace?: string
  readonly endpoint: 'chat' | 'embeddings'
  readonly body: Readonly<Record<string, unknown>>
  readonly overrideParams?: Readonly<Record<string, unknown>>
  readonly defaultParams?: Readonly<Record<string, unknown>>
  readonly providerId: string
  readonly baseURL: string
  readonly apiKey?: string
  readonly storedProvider?: string
  readonly customHost?: string
  readonly settings: Readonly<Record<string, string>>
  readonly targetHeaders?: Readonly<Record<string, string>>
  readonly strict: boolean
  readonly beta?: string
  readonly forwarded?: string
}

const few = <T>(...values: readonly T[]) => fc.constantFrom(...values)

const body = fc.record(
  {
    model: few('m-1', 'm-2'),
    messages: few(
      [{ role: 'user', content: 'a' }],
      [{ role: 'user', content: 'b' }],
      [{ role: 'system', content: 'a' }],
      [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b' },
      ],
    ),
    temperature: few(0, 1),
    user: few('u-1', 'u-2'),
    seed: few(1, 2),
  },
  { requiredKeys: ['model', 'messages'] },
)

const situation: fc.Arbitrary<Situation> = fc.record(
  {
    // Joined without a mark between them, these would look the same.
    organisationId: few('o-1', 'o-11'),
    workspaceId: few('1-w', 'w'),
    metadata: few({}, { _user: 'a' }, { _user: 'b' }, { team: 'a' }),
    namespace: few('n-1', 'n-2'),
    endpoint: few('chat', 'embeddings'),
    body,
    overrideParams: few({ model: 'm-2' }, { temperature: 0 }),
    defaultParams: few({ seed: 1 }, { temperature: 1 }),
    providerId: few('acme', 'other'),
    baseURL: few('https://acme.example/v1', 'https://acme.example/v2'),
    apiKey: few('sk-1', 'sk-2', ''),
    storedProvider: few('slug-1', 'slug-2'),
    customHost: few('https://one.example', 'https://two.example'),
    settings: few({}, { region: 'a' }, { region: 'b' }),
    targetHeaders: few({ 'x-team': 'a' }, { 'x-team': 'b' }),
    strict: fc.boolean(),
    beta: few('one', 'two'),
    forwarded: few('one', 'two'),
  },
  {
    requiredKeys: [
      'organisationId',
      'workspaceId',
      'metadata',
      'endpoint',
      'body',
      'providerId',
      'baseURL',
      'settings',
      'strict',
    ],
  },
)

const inOrder = (_key: string, value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1))) : value

/** What the answer says: the whole situation, params as the target gets them. */
const identityOf = (given: Situation): string => {
  const { metadata, namespace, body: sent, overrideParams, defaultParams, apiKey, storedProvider, ...rest } = given
  const all = {
    ...rest,
    partition: namespace ?? metadata,
    hasNamespace: namespace !== undefined,
    storedProvider,
    // The key of a stored provider may change.
    apiKey: storedProvider === undefined ? apiKey : undefined,
    params: { ...defaultParams, ...sent, ...overrideParams },
  }
  return JSON.stringify(all, inOrder)
}

const askOf = (given: Situation, stream: boolean): CacheAsk => {
  const { namespace, beta, forwarded, overrideParams, defaultParams, apiKey, storedProvider, customHost } = given
  const says = identityOf(given)
  const isStream = stream && given.endpoint === 'chat'
  return {
    tenant: { organisationId: given.organisationId, workspaceId: given.workspaceId },
    metadata: given.metadata,
    endpoint: given.endpoint,
    body: { ...given.body, ...(isStream ? { stream: true } : {}) },
    headers: {
      ...(namespace === undefined ? {} : { 'x-gateway-cache-namespace': namespace }),
      ...(beta === undefined ? {} : { 'openai-beta': beta }),
      ...(forwarded === undefined ? {} : { 'x-forwarded': forwarded }),
    },
    to: {
      provider: { ...ACME, id: given.providerId, baseURL: given.baseURL },
      settings: given.settings,
      strict: given.strict,
      forwardHeaders: ['x-forwarded'],
      ...(given.targetHeaders === undefined ? {} : { headers: given.targetHeaders }),
      ...(overrideParams === undefined ? {} : { overrideParams }),
      ...(defaultParams === undefined ? {} : { defaultParams }),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(storedProvider === undefined ? {} : { storedProvider }),
      ...(customHost === undefined ? {} : { customHost }),
    },
    provider: () => (isStream ? streamAnswer([says]) : jsonAnswer(completion(says))),
  }
}

/** The text of an answer, in either form. */
const contentOf = (text: string): string => {
  if (!text.startsWith('data:')) return JSON.parse(text).choices[0].message.content
  return text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)).choices[0]?.delta.content ?? '')
    .join('')
}

const calls = fc.array(fc.array(fc.record({ situation, stream: fc.boolean() }), { minLength: 1, maxLength: 6 }), {
  minLength: 2,
  maxLength: 6,
})

test('nobody gets an answer that was given to another tenant, or to any other question', async () => {
  let hits = 0
  await fc.assert(
    fc.asyncProperty(calls, async (batches) => {
      const world = await cacheWorld()
      // The calls of a batch run at once; every second batch is sent again.
      for (const batch of batches.flatMap((each, index) => (index % 2 === 0 ? [each, each] : [each]))) {
        const told = await Promise.all(
          batch.map(async ({ situation: given, stream }) => {
            const reply = await world.ask(askOf(given, stream))
            if (reply.status === 'HIT') hits++
            return contentOf(await reply.text())
          }),
        )
        expect(told).toEqual(batch.map(({ situation: given }) => identityOf(given)))
      }
    }),
    { numRuns: 300 },
  )
  // It is no proof when nothing is ever given again.
  expect(hits).toBeGreaterThan(500)
}, 60_000)

test('situations that differ in one thing never share an answer', async () => {
  const other: { readonly [Name in keyof Situation]-?: fc.Arbitrary<NonNullable<Situation[Name]>> } = {
    organisationId: few('o-2'),
    workspaceId: few('w-2'),
    metadata: few({ _user: 'c' }),
    namespace: few('n-3'),
    endpoint: few('chat', 'embeddings'),
    body: few({ model: 'm-3', messages: [] }),
    overrideParams: few({ model: 'm-4' }),
    defaultParams: few({ unknown: 1 }),
    providerId: few('third'),
    baseURL: few('https://acme.example/v3'),
    apiKey: few('sk-3'),
    storedProvider: few('slug-3'),
    customHost: few('https://three.example'),
    settings: few({ zone: 'a' }),
    targetHeaders: few({ 'x-team': 'c' }),
    strict: fc.boolean(),
    beta: few('three'),
    forwarded: few('three'),
  }
  const change = fc
    .constantFrom(...(Object.keys(other) as (keyof Situation)[]))
    .chain((name) => fc.tuple(fc.constant(name), other[name] as fc.Arbitrary<unknown>))
  await fc.assert(
    fc.asyncProperty(situation, change, async (given, [name, value]) => {
      const changed: Situation = { ...given, [name]: value }
      const world = await cacheWorld()
      await world.status(askOf(given, false))
      const status = await world.status(askOf(changed, false))
      expect(status).toBe(identityOf(changed) === identityOf(given) ? 'HIT' : 'MISS')
    }),
    { numRuns: 1_000 },
  )
}, 60_000)
