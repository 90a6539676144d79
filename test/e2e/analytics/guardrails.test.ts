import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { RunningGateway } from '../../support/command.ts'
import { eventually } from '../../support/start-process.ts'
import { send } from '../management/support/http.ts'
import { ADMIN_KEY, openScene, type Scene, SLOW_MS } from '../management/support/scene.ts'
import { ask, chatAs } from './scene.ts'

setDefaultTimeout(SLOW_MS)

/** How long a record may take until it is in an answer. */
const VISIBLE_MS = 30_000

const GUARDED = JSON.stringify({
  provider: 'mock',
  input_guardrails: [
    {
      'default.contains': { words: ['4111'], operator: 'none' },
      id: 'no-cards',
      deny: true,
      on_fail: { feedback: { value: -4, weight: 0.5, metadata: { team: 'safety' } } },
      on_success: { feedback: { value: 2 } },
    },
  ],
})

let scene: Scene
let gateway: RunningGateway
const ids: string[] = []

beforeAll(async () => {
  scene = await openScene({ store: 'pglite' })
  gateway = await scene.start()
  const call = async (content: string, trace: string) => {
    const headers = { 'x-gateway-config': GUARDED, 'x-gateway-trace-id': trace }
    const reply = await chatAs(gateway, headers, { messages: [{ role: 'user', content }] })
    ids.push(reply.headers.get('x-gateway-request-id') ?? '')
    return reply.status
  }
  expect([await call('my card is 4111', 'refused'), await call('hello', 'passed')]).toEqual([446, 200])
})
afterAll(() => scene.close())

const ofTrace = (trace: string) =>
  ask(gateway, 'graphs/feedbacks/weighted', { trace_id: trace }).then(({ summary }) => summary)

test('feedback of guardrails is in analytics, by its trace', async () => {
  const total = async () => ((await ask(gateway, 'graphs/feedbacks')).summary as { total: number }).total
  await eventually(async () => (await total()) === 2, VISIBLE_MS)
  expect(await ofTrace('refused')).toMatchObject({ avg: -2 })
  expect(await ofTrace('passed')).toMatchObject({ avg: 2 })
})

test('the log of a call says what its guardrails came to', async () => {
  const log = (id = '') => send(`${gateway.url}/v1/logs/${id}`, { token: ADMIN_KEY })
  for (const id of ids) await eventually(async () => (await log(id)).status === 200, VISIBLE_MS)
  const { body: refused } = await log(ids[0])
  expect(refused).toMatchObject({
    response: { status: 446 },
    hook_results: {
      before_request_hooks: [
        {
          id: 'no-cards',
          verdict: false,
          deny: true,
          checks: [{ id: 'default.contains', verdict: false }],
          feedback: { value: -4, weight: 0.5, metadata: { team: 'safety', failedChecks: 'default.contains' } },
        },
      ],
      after_request_hooks: [],
    },
  })
  expect((await log(ids[1])).body.hook_results).toMatchObject({
    before_request_hooks: [{ id: 'no-cards', verdict: true }],
  })
})

test('checks are counted', async () => {
  let text = ''
  const counting = async (): Promise<boolean> => {
    text = (await send(`${gateway.url}/metrics`, { token: ADMIN_KEY })).text
    return text.split('\n').filter((line) => line.startsWith('weir_guardrail_checks_total{')).length === 2
  }
  await eventually(counting, VISIBLE_MS)
  const counted = (verdict: string) =>
    text.split('\n').find((line) => line.startsWith('weir_guardrail_checks_total') && line.includes(`"${verdict}"`))
  for (const verdict of ['pass', 'fail']) {
    expect(counted(verdict)).toContain('check="default.contains"')
    expect(counted(verdict)).toEndWith(' 1')
  }
  expect(text).toContain('weir_guardrail_check_duration_seconds_count{')
  expect(text).not.toContain('4111')
})
