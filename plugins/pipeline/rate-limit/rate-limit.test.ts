import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type CallAccount, definePlugin, openaiCompatible, RateLimited, type RateLimits, t } from '#kit'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'

/** What the limits were asked, in order. */
let asked: string[] = []
/** How often the call itself is still refused. */
let refusals = 0
/** True: the cache has the answer. */
let hit = false

const account: CallAccount = {
  admitCall(_options, to) {
    asked.push(`call ${to?.provider ?? '-'}`)
    refusals--
    if (refusals >= 0) throw new RateLimited('too many')
  },
  admitTarget(_options, to) {
    asked.push(`target ${to.provider}`)
  },
  attemptFailed: () => undefined,
  settle: () => undefined,
  headers: () => new Map([['x-ratelimit-limit-requests', '9']]),
  shadowRefusals: [],
}
const limits: RateLimits = {
  open: () => account,
  explain: async () => ({ allowed: true, status: 200, targets: [] }),
}

/** Stands for the cache. */
const memory = definePlugin({
  name: 'memory',
  config: t.Object({}),
  placement: { before: 'target-limit' },
  setup: () => ({
    stages: [{ name: 'memory', run: (_call, next) => (hit ? Promise.resolve(answer()) : next()) }],
    providers: ['acme', 'other'].map((id) => openaiCompatible({ id, baseURL: `https://api.${id}.example/v1` })),
  }),
})

const sink = definePlugin({
  name: 'sink',
  config: t.Object({}),
  placement: { after: 'target-limit' },
  setup: () => ({ stages: [{ name: 'sink', run: () => Promise.resolve(answer()) }] }),
})

const answer = () => ({ status: 200, headers: new Headers(), body: new Uint8Array(0) })

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ plugins: [memory, sink], deps: { limits } })
})
afterAll(() => gateway.close())
beforeEach(() => {
  asked = []
  refusals = 0
  hit = false
})

const send = (config: unknown): Promise<Response> =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-config': JSON.stringify(config) },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] }),
  })

const one = { provider: 'acme' }
const two = { strategy: { mode: 'fallback' }, targets: [{ provider: 'acme' }, { provider: 'other' }] }
const LIMIT = 'x-ratelimit-limit-requests'

test('a call that can only go to one place is charged with it', async () => {
  expect((await send(one)).headers.get(LIMIT)).toBe('9')
  expect(asked).toEqual(['call acme', 'target acme'])
})

test('a call with several targets is charged by itself, and then for the target', async () => {
  expect((await send(two)).headers.get(LIMIT)).toBe('9')
  expect(asked).toEqual(['call -', 'target acme'])
})

test('an answer from the cache is not charged at all', async () => {
  hit = true
  for (const config of [one, two]) {
    const response = await send({ ...config, cache: 'simple' })
    expect([response.status, response.headers.get(LIMIT)]).toEqual([200, null])
  }
  expect(asked).toEqual([])
})

test('without one it is charged at the target', async () => {
  expect((await send({ ...one, cache: 'simple' })).headers.get(LIMIT)).toBe('9')
  expect(asked).toEqual(['call acme', 'target acme'])
  asked = []
  expect((await send({ ...two, cache: 'simple' })).headers.get(LIMIT)).toBe('9')
  expect(asked).toEqual(['call -', 'target acme'])
})

test('a call that is refused there is refused at its next target too', async () => {
  refusals = 5
  expect((await send({ ...two, cache: 'simple' })).status).toBe(429)
  expect(asked).toEqual(['call -', 'call -'])
  asked = []
  refusals = 1
  expect((await send({ ...two, cache: 'simple' })).status).toBe(200)
  expect(asked).toEqual(['call -', 'call -', 'target other'])
})
