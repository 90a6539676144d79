import { afterAll, beforeAll, expect, test } from 'bun:test'
import { definePlugin, openaiCompatible, t } from '#kit'
import { type MockServer, startMockServer } from '../../../plugins/providers/mock/server.ts'
import { startTestGateway, type TestGateway, testConfig } from '../../support/gateway.ts'
import { delta, ENDING, gate, streamPlan } from './support/gated.ts'
import { CALL_HEADERS, chat } from './support/probe.ts'
import { eventually, openCall } from './support/wire.ts'

const SWAPS = 50
const CLIENTS = 20

let upstream: MockServer
let gateway: TestGateway
const held = gate()
const lives = { made: 0, closed: [] as number[] }

/** A provider that counts its own lives: each config makes one. */
const counted = definePlugin({
  name: 'probe',
  config: t.Object({ generation: t.Integer({ default: 0, description: 'Which config it belongs to.' }) }),
  setup: ({ generation }) => {
    lives.made++
    return {
      providers: [openaiCompatible({ id: 'probe', baseURL: `${upstream.url}/v1`, needsKey: false })],
      close: () => {
        lives.closed.push(generation)
      },
    }
  },
})

beforeAll(async () => {
  upstream = await startMockServer({
    answer: ({ headers }) =>
      headers.has('x-held')
        ? streamPlan(
            (async function* () {
              yield delta('begun')
              await held.opened
              yield* ENDING
            })(),
          )
        : undefined,
  })
  gateway = await startTestGateway({ plugins: [counted], config: { plugins: ['defaults', 'probe'] } })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

test('a config is swapped under load without a failed call, and the old plugins are closed after their last one', async () => {
  const port = gateway.server.port ?? 0
  const stream = await openCall(port, chat({}, { stream: true }), {
    'x-held': 'yes',
    'x-gateway-forward-headers': 'x-held',
  })
  await stream.until((received) => received.includes('begun'))

  let swapping = true
  const failures: string[] = []
  let served = 0
  const client = async (number: number): Promise<void> => {
    while (swapping) {
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: CALL_HEADERS,
        body: JSON.stringify(chat({ latencyMs: 3 }, { stream: number % 2 === 0 })),
      })
      const text = await response.text()
      if (response.status !== 200 || (number % 2 === 0 && !text.endsWith('data: [DONE]\n\n'))) failures.push(text)
      served++
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number))
  for (let generation = 1; generation <= SWAPS; generation++) {
    const before = served
    await gateway.gateway.reload(testConfig({ plugins: ['defaults', { probe: { generation } }] }), `v${generation}`)
    // Each config serves some calls of its own.
    await eventually(() => served > before, 'calls go on')
  }
  swapping = false
  await Promise.all(clients)
  expect(failures).toEqual([])
  expect(served).toBeGreaterThan(SWAPS)
  expect(lives.made).toBe(SWAPS + 1)
  await eventually(() => lives.closed.length === SWAPS - 1, 'the configs between are closed')
  // The first config still has its stream, the last one is in use.
  expect(lives.closed.toSorted((a, b) => a - b)).toEqual(Array.from({ length: SWAPS - 1 }, (_, index) => index + 1))
  held.open()
  await stream.until((received) => received.includes('data: [DONE]'))
  stream.leave()
  await eventually(() => lives.closed.includes(0), 'the first config is closed after its last call')
  expect(lives.closed).not.toContain(SWAPS)
  const ready = (await (await fetch(`${gateway.url}/readyz`)).json()) as { config: unknown }
  expect(ready.config).toEqual({ version: `v${SWAPS}` })
}, 40_000)

test('a config that cannot run leaves the last good one in place', async () => {
  const made = lives.made
  await expect(gateway.gateway.reload(testConfig({ plugins: ['defaults', 'no-such-plugin'] }), 'bad')).rejects.toThrow(
    'no-such-plugin',
  )
  await expect(
    gateway.gateway.reload(testConfig({ plugins: ['probe', { defaults: { without: ['auth'] } }] }), 'bad'),
  ).rejects.toThrow('auth')
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: CALL_HEADERS,
    body: JSON.stringify(chat()),
  })
  expect(response.status).toBe(200)
  // What the refused config had already set up is closed again.
  expect(lives.made).toBe(made + 1)
  expect(lives.closed).toContain(0)
})
