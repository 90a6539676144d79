import { afterEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { startClickhouse, type TestClickhouse } from '../../support/clickhouse/clickhouse.ts'
import type { RunningGateway } from '../../support/command.ts'
import { send } from '../management/support/http.ts'
import { ADMIN_KEY, API_KEY, openScene, type Scene } from '../management/support/scene.ts'

/** Deaths of a whole gateway. */
const ROUNDS = 4
const LONGEST_MS = 240_000
/** Cents for a token. */
const PRICES = {
  openai: {
    mock: { pay_as_you_go: { request_token: { price: 0.1 }, response_token: { price: 0.3 } } },
  },
}
/** The first target is always overloaded. */
const CONFIG = JSON.stringify({
  strategy: { mode: 'fallback' },
  targets: [
    { provider: 'openai', api_key: 'sk-first', override_params: { model: 'mock:fault=overloaded' } },
    { provider: 'openai', api_key: 'sk-second', override_params: { model: 'mock' } },
  ],
})

let scene: Scene
/** Where the records go, instead of to the database. */
let clickhouse: TestClickhouse | undefined

afterEach(async () => {
  await scene.close()
  await clickhouse?.close()
})

const ask = (gateway: RunningGateway, body: Readonly<Record<string, unknown>>): Promise<Response> =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'x-gateway-config': CONFIG, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'mock', messages: [{ role: 'user', content: 'Hello there' }], ...body }),
  })

/** Reads a stream up to its terminator, and not further. @returns the id of the call */
const untilDone = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ''
  if (response.body === null) throw new Error('there is no stream')
  for await (const bytes of response.body) {
    text += decoder.decode(bytes, { stream: true })
    if (text.includes('data: [DONE]')) return response.headers.get('x-gateway-request-id') ?? ''
  }
  throw new Error(`the stream had no end: ${text}`)
}

type Row = Readonly<Record<string, unknown>>

const rowOf = async (gateway: RunningGateway, id: string): Promise<Row | undefined> => {
  const { status, body, text } = await send(`${gateway.url}/v2/logs?id=${id}`, { token: ADMIN_KEY })
  if (status !== 200 || !Array.isArray(body.data)) throw new Error(`the list of logs answered ${status}: ${text}`)
  return body.data.find((row: Row) => row.id === id)
}

/** The row of a call, as soon as it is there. */
const seen = async (gateway: RunningGateway, id: string): Promise<Row> => {
  for (let look = 0; look < 200; look++) {
    const row = await rowOf(gateway, id)
    if (row !== undefined) return row
    await Bun.sleep(100)
  }
  throw new Error(`${id} is in no log: ${(await send(`${gateway.url}/readyz`)).text}`)
}

describe.each(['postgres', 'pglite', 'clickhouse'] as const)('a gateway that is killed (%s)', (store) => {
  test(
    'has recorded every call whose end a client has seen, and tells of those that were cut off',
    async () => {
      scene = await openScene({ store: store === 'clickhouse' ? 'pglite' : store })
      clickhouse = store === 'clickhouse' ? await startClickhouse() : undefined
      const env = clickhouse === undefined ? {} : { CLICKHOUSE_URL: clickhouse.url }
      const { folder, ownUpstream } = scene
      await Bun.write(join(folder, 'prices.json'), JSON.stringify(PRICES))
      await Bun.write(
        join(folder, 'weir.config.yaml'),
        `plugins:\n  - defaults\n  - openai: { baseURL: "${ownUpstream.url}/v1" }\n  - prices: { file: prices.json }\n`,
      )
      const ended: { readonly id: string; readonly stream: boolean }[] = []
      const cutOff: string[] = []
      // An answer that nobody refers to is collected as garbage, and its connection closed.
      const unread: Response[] = []
      let gateway = await scene.start(env)
      for (let round = 0; round < ROUNDS; round++) {
        const stream = round % 2 === 0
        // Begins, and never ends.
        const slow = await ask(gateway, { stream: true, mock: { fault: 'hang-mid-stream' } })
        unread.push(slow)
        cutOff.push(slow.headers.get('x-gateway-request-id') ?? '')
        const response = await ask(gateway, { stream })
        const id = stream ? await untilDone(response) : (response.headers.get('x-gateway-request-id') ?? '')
        if (!stream) await response.text()
        gateway.signal('SIGKILL')
        ended.push({ id, stream })
        await gateway.exited
        gateway = await scene.start(env)
      }
      for (const { id, stream } of ended) {
        const row = await seen(gateway, id)
        const { req_units: input, res_units: output } = row
        expect(row).toMatchObject({
          outcome: 'completed',
          stream,
          is_success: 1,
          response_status_code: 200,
          ai_org: 'openai',
          fallback: true,
          attempts: 2,
          option_path: 'config.targets[1]',
          unpriced: false,
        })
        expect(Number(input)).toBeGreaterThan(0)
        expect(Number(output)).toBeGreaterThan(0)
        expect(row.cost).toBeCloseTo(Number(input) * 0.1 + Number(output) * 0.3, 9)
      }
      for (const id of cutOff) {
        expect(await seen(gateway, id)).toMatchObject({
          outcome: 'interrupted',
          is_success: 0,
          response_status_code: 499,
          error_code: 'interrupted',
          cost: null,
          unpriced: true,
        })
      }
      expect(unread).toHaveLength(ROUNDS)
      // Nothing is there twice, after all the deaths.
      const { body } = await send(`${gateway.url}/v2/logs?limit=500`, { token: ADMIN_KEY })
      const ids = Array.isArray(body.data) ? body.data.map((row: Row) => String(row.id)) : []
      expect(ids.toSorted()).toEqual([...ended.map(({ id }) => id), ...cutOff].toSorted())
      expect((await gateway.stop()).code).toBe(0)
    },
    LONGEST_MS,
  )
})
