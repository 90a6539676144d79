import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startClickhouse } from '../../support/clickhouse/clickhouse.ts'
import { type RunningGateway, startCommand } from '../../support/command.ts'
import { copyEmbeddedDatabase } from '../../support/embedded-database.ts'
import { privateDatabase } from '../../support/services.ts'

setDefaultTimeout(120_000)

const KEY = 'preset-key-of-calls-that-survive-0123456789'
const ADMIN_KEY = 'preset-admin-key-of-calls-that-survive-0123456789'
const MASTER_KEY = 'master-key-of-calls-that-survive-0123456789'

/** Cents of one token of the mock: odd ones, so that nothing comes out even. */
const INPUT_CENTS = 0.00123
const OUTPUT_CENTS = 0.00457

const CALLS = 24
/** The first target fails, the second one answers. */
const FALLBACK = JSON.stringify({
  strategy: { mode: 'fallback' },
  targets: [
    { provider: 'mock', override_params: { mock: { fault: 'html-error' } } },
    { provider: 'mock', override_params: { model: 'mock-reasoning' } },
  ],
})

/** A store of records: what the environment says for it, and what undoes that. */
interface Place {
  readonly env: Readonly<Record<string, string>>
  close?(): Promise<void>
}

const STORES: Readonly<Record<string, () => Promise<Place>>> = {
  sqlite: async () => ({ env: {} }),
  postgres: async () => {
    const database = await privateDatabase()
    return { env: { DATABASE_URL: database.url }, close: () => database.drop() }
  },
  clickhouse: async () => {
    const { url, close } = await startClickhouse()
    return { env: { CLICKHOUSE_URL: url }, close }
  },
}

const undo: (() => Promise<unknown>)[] = []
const running = new Set<RunningGateway>()
afterEach(async () => {
  for (const gateway of running) await gateway.stop('SIGKILL')
  running.clear()
})
afterAll(async () => {
  for (const each of undo.toReversed()) await each()
})

const start = async (folder: string, env: Readonly<Record<string, string>>): Promise<RunningGateway> => {
  const gateway = await startCommand({
    folder,
    env: { PORT: '0', WEIR_API_KEY: KEY, WEIR_ADMIN_KEY: ADMIN_KEY, WEIR_MASTER_KEY: MASTER_KEY, ...env },
  })
  running.add(gateway)
  return gateway
}

/** A call that is read to its end. @returns what the client saw of its tokens */
const call = async ({ url }: RunningGateway, index: number): Promise<{ readonly id: string }> => {
  const stream = index % 2 === 0
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'x-gateway-api-key': KEY,
      'x-gateway-config': index % 3 === 0 ? FALLBACK : '{"provider":"mock"}',
      'x-gateway-metadata': JSON.stringify({ team: `team-${index % 4}` }),
    },
    body: JSON.stringify({
      model: 'mock',
      stream,
      messages: [{ role: 'user', content: 'question '.repeat(index + 1) }],
    }),
  })
  expect(response.status).toBe(200)
  const text = await response.text()
  if (stream) expect(text).toEndWith('data: [DONE]\n\n')
  return { id: response.headers.get('x-gateway-request-id') ?? '' }
}

const ask = async <Body>({ url }: RunningGateway, path: string): Promise<Body> => {
  const response = await fetch(`${url}${path}`, { headers: { 'x-gateway-api-key': ADMIN_KEY } })
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Body
}

interface Row {
  readonly id: string
  readonly req_units: number
  readonly res_units: number
  readonly total_units: number
  readonly cost: number
  readonly attempts: number
}

/** The rows of all calls, once they are there. */
const rows = async (gateway: RunningGateway): Promise<readonly Row[]> => {
  for (const untilMs = performance.now() + 30_000; ; await Bun.sleep(100)) {
    const { data } = await ask<{ readonly data: readonly Row[] }>(gateway, '/v2/logs?limit=500')
    if (data.length >= CALLS || performance.now() > untilMs) return data
  }
}

describe.each(Object.keys(STORES))('a gateway that is killed, with records in %s', (store) => {
  test('has every call that was answered, with its tokens, its cost and its way, and graphs that agree', async () => {
    const place = await STORES[store]?.()
    if (place === undefined) throw new Error('no such store')
    if (place.close !== undefined) undo.push(place.close)
    const folder = await mkdtemp(join(tmpdir(), 'weir-survives-'))
    undo.push(() => rm(folder, { recursive: true, force: true }))
    if (place.env.DATABASE_URL === undefined) {
      await mkdir(join(folder, '.weir'), { mode: 0o700 })
      await copyEmbeddedDatabase(join(folder, '.weir'))
    }
    const price = { request_token: { price: INPUT_CENTS }, response_token: { price: OUTPUT_CENTS } }
    await Bun.write(join(folder, 'prices.json'), JSON.stringify({ mock: { '*': { pay_as_you_go: price } } }))
    await Bun.write(
      join(folder, 'weir.config.json'),
      JSON.stringify({ plugins: ['defaults', 'mock', { prices: { file: './prices.json' } }] }),
    )

    const first = await start(folder, place.env)
    const made = await Promise.all(Array.from({ length: CALLS }, (_, index) => call(first, index)))
    first.signal('SIGKILL')
    await first.exited

    const second = await start(folder, place.env)
    const found = await rows(second)
    expect(found.map(({ id }) => id).toSorted()).toEqual(made.map(({ id }) => id).toSorted())
    for (const row of found) {
      expect(row.req_units).toBeGreaterThan(0)
      expect(row.res_units).toBeGreaterThan(0)
      expect(row.total_units).toBe(row.req_units + row.res_units)
      expect(row.cost).toBeCloseTo(row.req_units * INPUT_CENTS + row.res_units * OUTPUT_CENTS, 9)
    }

    const fell = found.filter(({ attempts }) => attempts > 1)
    expect(fell).toHaveLength(CALLS / 3)
    for (const { id } of fell) {
      const log = await ask(second, `/v1/logs/${id}`)
      expect(log).toMatchObject({
        metrics: { ai_model: 'mock-reasoning', is_success: 1 },
        response: { lastUsedOptionJsonPath: 'config.targets[1]' },
        attempts: [
          {
            metrics: { response_status_code: 502, is_success: 0 },
            response: { lastUsedOptionJsonPath: 'config.targets[0]' },
          },
          {
            metrics: { response_status_code: 200, ai_model: 'mock-reasoning' },
            response: { lastUsedOptionJsonPath: 'config.targets[1]' },
          },
        ],
      })
    }

    const now = Date.now()
    const window = `time_of_generation_min=${new Date(now - 3_600_000).toISOString()}&time_of_generation_max=${new Date(now + 60_000).toISOString()}`
    const sum = (name: keyof Row): number => found.reduce((total, row) => total + Number(row[name]), 0)
    interface Graph {
      readonly summary: { readonly total: number }
      readonly data_points: readonly { readonly total: number }[]
    }
    const cost = await ask<Graph>(second, `/v1/analytics/graphs/cost?${window}`)
    expect(cost.summary.total).toBeCloseTo(sum('cost'), 6)
    expect(cost.data_points.reduce((total, point) => total + point.total, 0)).toBeCloseTo(sum('cost'), 6)
    expect(await ask(second, `/v1/analytics/graphs/tokens?${window}`)).toMatchObject({
      summary: { total: sum('total_units') },
    })
    expect(await ask(second, `/v1/analytics/graphs/requests?${window}`)).toMatchObject({ summary: { total: CALLS } })
    await second.stop()
    running.delete(second)
  })
})
