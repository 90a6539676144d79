/** `bun run bench:call-records`: measures what the record of a call costs the main thread, and prints a table in Markdown. */

import { attemptRecords } from '../../../plugins/pipeline/logging/attempt-records.ts'
import { callFacts, isOwned } from '../../../plugins/pipeline/logging/call-record.ts'
import { costOfCall } from '../../../plugins/pipeline/logging/cost.ts'
import { jsonPlan } from '../../../plugins/providers/mock/plan.ts'
import { startMockServer } from '../../../plugins/providers/mock/server.ts'
import type { Prices } from '../../../src/core/prices.ts'
import { type Call, definePlugin, type Finish, t } from '../../../src/kit/index.ts'
import { API_KEY, startTestGateway } from '../../support/gateway.ts'
import { timeEach } from '../limits/samples.ts'
import { type Row, toTable, us } from '../limits/table.ts'

const RECORDS = 200_000
const TARGET_US = 5

interface Caught {
  readonly call: Call
  readonly finish: Finish
}

const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-5-mini',
  service_tier: 'default',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello.' } }],
  usage: {
    prompt_tokens: 900,
    completion_tokens: 120,
    total_tokens: 1_020,
    prompt_tokens_details: { cached_tokens: 512 },
  },
}

const upstream = await startMockServer({ answer: () => jsonPlan(200, ANSWER) })
const caught: Caught[] = []
let prices: Prices | undefined
const catcher = definePlugin({
  name: 'catcher',
  config: t.Object({}),
  placement: { after: 'logging' },
  needs: ['prices'],
  setup(_config, host) {
    prices = host.prices
    return {
      stages: [
        {
          name: 'catcher',
          run(call, next) {
            call.onFinish((finish) => caught.push({ call, finish }))
            return next()
          },
        },
      ],
    }
  },
})
const gateway = await startTestGateway({
  config: {
    plugins: ['defaults', 'catcher', { openai: { baseURL: `${upstream.url}/v1`, apiKey: 'sk-of-the-operator' } }],
  },
  plugins: [catcher],
})
const target = { provider: 'openai' }
const configs = [target, { strategy: { mode: 'fallback', on_status_codes: [200] }, targets: [target, target] }]
for (const config of configs) {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'x-gateway-api-key': API_KEY,
      'x-gateway-config': JSON.stringify(config),
      'x-gateway-metadata': '{"_user":"anna","team":"search"}',
      'user-agent': 'OpenAI/Python 1.99.0',
    },
    body: JSON.stringify({ model: 'gpt-5-mini', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  await response.text()
}
await gateway.close()
await upstream.close()

const [once, twice] = caught
if (once === undefined || twice === undefined || prices === undefined) throw new Error('the calls were not caught')
const known = prices

const boughtBy = ({ call, finish }: Caught) => costOfCall(call, call, finish, known)

const factsOf = (each: Caught, bought = boughtBy(each)) =>
  callFacts(each.call, each.finish, {
    current: each.call,
    bought,
    charges: undefined,
    prices: known,
    timeMs: 1_795_000_000_000,
    hasBodies: false,
  })

const sizeOf = (each: Caught): number => {
  const bought = boughtBy(each)
  const facts = factsOf(each, bought)
  if (!isOwned(facts)) throw new Error('the record is nobody’s')
  const idAt = (): string => facts.id
  let size = JSON.stringify(facts).length
  for (const record of attemptRecords(each.call, each.finish, facts, { current: each.call, bought, idAt }))
    size += JSON.stringify(record).length
  return size
}

if (factsOf(once).cost === undefined) throw new Error('the call has no price')

const rowOf = (metric: string, work: () => number, targetUs?: number): Row => {
  const { p50, p99 } = timeEach(RECORDS, () => {
    if (work() === 0) throw new Error('Nothing was made')
  })
  return {
    metric: `${metric}, p50 / p99`,
    target: targetUs === undefined ? '' : `≤ ${targetUs} µs`,
    measured: `${us(p50)} / ${us(p99)}`,
    met: targetUs === undefined ? undefined : p50 <= targetUs,
  }
}

process.stdout.write(
  toTable([
    rowOf('The record with its cost', () => factsOf(once).totalUs + 1),
    rowOf(`The record as JSON (${sizeOf(once)} bytes)`, () => sizeOf(once), TARGET_US),
    rowOf(`Three records of a fallback as JSON (${sizeOf(twice)} bytes)`, () => sizeOf(twice)),
  ]),
)
