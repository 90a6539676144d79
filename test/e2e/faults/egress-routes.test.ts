import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { jsonPlan } from '../../../plugins/providers/mock/plan.ts'
import { systemClock } from '../../../src/observe/clock.ts'
import { EGRESS_HOSTS, egressCorpus, LOOKUPS } from './support/egress-corpus.ts'
import { BASE, callsOf, type EgressWorld, startEgressWorld } from './support/egress-world.ts'
import { hostWaysOf, settingWaysOf } from './support/host-ways.ts'

const SLOW_MS = 60_000
/** Calls, each in one way, that are made with every host of the corpus; the others with one of so many shares of it. */
const WHOLE = 12
const SHARES = 5

let world: EgressWorld
beforeAll(async () => {
  world = await startEgressWorld({ lookup: (hostname) => LOOKUPS[hostname] })
})
afterAll(() => world.close())

const AZURE = { name: 'resource_name', header: 'x-gateway-azure-resource-name' }

/** What a resource could be, if it were put into a host without a look at it. */
const RESOURCES = [
  ...EGRESS_HOSTS,
  ...['#', '/', '?', '\\', '@', ':PORT/', ':PORT#', '%2f', '%23', '\u2044', ' ', '\t'].flatMap((end) => [
    `127.0.0.1${end}`,
    `localhost${end}`,
  ]),
  'x@127.0.0.1:PORT/',
  'x@127.0.0.1:PORT#',
  'x/../..//127.0.0.1:PORT',
  '127.0.0.1:PORT',
  'http://127.0.0.1:PORT/',
  '//127.0.0.1:PORT/',
]

describe('a host that the caller chose', () => {
  test('is reached on every route and in every way, where the operator trusts it', async () => {
    const trusted = `http://127.0.0.1:${world.provider.port}/chosen`
    for (const sample of callsOf(world)) {
      for (const way of hostWaysOf(sample, 'probe')) {
        const choosing = way.choose(trusted)
        if (choosing === undefined) throw new Error(`${way.name} cannot name a plain host`)
        const before = world.provider.counters.received
        await world.ask(sample, choosing)
        const reached = world.provider.requests.slice(-1).map(({ path }) => path.startsWith('/chosen'))
        expect([sample.path, way.name, world.provider.counters.received - before, reached]).toEqual([
          sample.path,
          way.name,
          1,
          [true],
        ])
      }
    }
  })

  test(
    'never leads inside: every route in every way, and each host of the corpus on many of them',
    async () => {
      const corpus = egressCorpus(world.canary.port)
      expect(new Set(corpus).size).toBeGreaterThanOrEqual(350)
      const before = world.provider.counters.received
      const failures: string[] = []
      let asked = 0
      let turn = 0
      for (const sample of callsOf(world)) {
        for (const way of hostWaysOf(sample, 'probe')) {
          turn++
          for (const [place, url] of corpus.entries()) {
            // All routes ask one guard: the first ones meet the whole corpus, the others take turns.
            if (turn > WHOLE && place % SHARES !== turn % SHARES) continue
            const choosing = way.choose(url)
            if (choosing === undefined) continue
            asked++
            const { status, code } = await world.ask(sample, choosing)
            // A name that nobody knows is refused by the name service.
            const unknown = status === 502 && code === 'upstream_unreachable' && /nothing\.attacker/.test(url)
            if (!(status === 400 && code === 'egress_refused') && !unknown)
              failures.push(`${sample.method} ${sample.path}, ${way.name}: ${JSON.stringify(url)} → ${status} ${code}`)
          }
        }
      }
      expect(failures).toEqual([])
      expect(turn).toBeGreaterThan(5 * SHARES)
      expect(asked).toBeGreaterThan(15_000)
      expect([world.canary.connects, world.provider.counters.received - before]).toEqual([0, 0])
    },
    3 * SLOW_MS,
  )
})

test(
  'a setting that is part of a host cannot become another host, on any route',
  async () => {
    const before = world.provider.counters.received
    world.lookups.length = 0
    const failures: string[] = []
    for (const sample of callsOf(world)) {
      for (const way of settingWaysOf(sample, 'azure-openai', AZURE)) {
        for (const value of RESOURCES.map((each) => each.replaceAll('PORT', String(world.canary.port)))) {
          const choosing = way.choose(value)
          if (choosing === undefined) continue
          const headers = { ...choosing.headers, 'api-key': 'sk-of-the-call' }
          const { status, code } = await world.ask(sample, { ...choosing, headers })
          const isLabel = /^[A-Za-z0-9-]+$/.test(value)
          const expected = isLabel ? [502, 'upstream_unreachable'] : [400, 'invalid_header']
          // What Azure cannot be asked at all goes nowhere either.
          if (code === 'unsupported_endpoint') continue
          if (status !== expected[0] || code !== expected[1])
            failures.push(`${sample.method} ${sample.path}, ${way.name}: ${JSON.stringify(value)} → ${status} ${code}`)
        }
      }
    }
    expect(failures).toEqual([])
    expect(world.lookups.filter((name) => !/^[a-z0-9-]+\.openai\.azure\.com$/.test(name))).toEqual([])
    expect(world.lookups.length).toBeGreaterThan(0)
    expect([world.canary.connects, world.provider.counters.received - before]).toEqual([0, 0])
  },
  SLOW_MS,
)

test('a redirect is followed on no route', async () => {
  const redirecting = await startEgressWorld({
    answer: (port) => jsonPlan(307, {}, { location: `http://127.0.0.1:${port}${BASE}/chat/completions` }),
  })
  for (const sample of callsOf(redirecting)) {
    const { status } = await redirecting.ask(sample, { headers: { 'x-gateway-provider': 'probe' } })
    expect([sample.path, status]).toEqual([sample.path, 502])
  }
  expect(redirecting.provider.counters.received).toBe(callsOf(redirecting).length)
  expect(redirecting.canary.connects).toBe(0)
  await redirecting.close()
})

test('a name that moves inside is refused on every route, once the name was asked for again', async () => {
  let clockMs = 0
  let inside = false
  const moving = await startEgressWorld({
    // The one address is trusted, the other is not.
    trustedHosts: () => ['127.0.0.1/32'],
    lookup: () => (inside ? ['127.0.0.2'] : ['127.0.0.1']),
    deps: { clock: { now: () => Date.now(), monotonicMs: () => systemClock.monotonicMs() + clockMs } },
  })
  const calls = callsOf(moving)
  for (const [index, sample] of calls.entries()) {
    const host = `http://moving-${index}.attacker.test:${moving.provider.port}${BASE}`
    const choosing = { headers: { 'x-gateway-provider': 'probe', 'x-gateway-custom-host': host } }
    inside = false
    await moving.ask(sample, choosing)
    expect([sample.path, moving.provider.counters.received]).toEqual([sample.path, 3 * index + 1])
    // Asked again at once, the old answer is used: nobody is asked between the check and the call.
    inside = true
    await moving.ask(sample, choosing)
    expect([sample.path, moving.provider.counters.received]).toEqual([sample.path, 3 * index + 2])
    clockMs += 31_000
    // It is used once more while the name is asked for again.
    await moving.ask(sample, choosing)
    expect([sample.path, moving.provider.counters.received]).toEqual([sample.path, 3 * index + 3])
    expect([sample.path, await moving.ask(sample, choosing)]).toEqual([
      sample.path,
      { status: 400, code: 'egress_refused' },
    ])
  }
  expect(moving.lookups.length).toBe(2 * calls.length)
  expect([moving.provider.counters.received, moving.canary.connects]).toEqual([3 * calls.length, 0])
  await moving.close()
})
