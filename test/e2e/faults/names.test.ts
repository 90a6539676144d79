import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chat, type Probe, startProbe } from './support/probe.ts'

/** Long enough for the known host on a busy machine. Calls that waited for each other's lookups would take 25 times as long. */
const FIRST_BYTE_MS = 2_000

/** Lookups that nobody answers. */
let silent = 0
let probe: Probe
beforeAll(async () => {
  probe = await startProbe({
    config: { deadlines: { firstByteMs: FIRST_BYTE_MS } },
    deps: {
      lookup: () => {
        silent++
        return new Promise(() => undefined)
      },
    },
  })
})
afterAll(() => probe.close())

test('200 calls to names that do not resolve hold few lookups, end in time, and hold up no known host', async () => {
  const port = new URL(probe.upstream.url).port
  const to = (host: string) => ({ headers: { 'x-gateway-custom-host': `http://${host}:${port}/v1` } })
  const startMs = performance.now()
  const lost = Array.from({ length: 200 }, (_, index) => probe.call(chat(), to(`${index}.invalid.test`)))
  const known = await probe.call(chat(), { headers: { 'x-gateway-provider': 'probe' } })
  expect(known.status).toBe(200)
  const ended = await Promise.all(lost)
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set([504]))
  expect(performance.now() - startMs).toBeLessThan(5 * FIRST_BYTE_MS)
  expect(silent).toBeLessThanOrEqual(8)
})
