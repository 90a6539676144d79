import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  type BudgetBench,
  budgetBench,
  budgetPolicy,
  WORKSPACE,
} from '../../../src/budgets/test-support/budget-bench.ts'
import type { OwnedLimits } from '../../../src/core/limits.ts'
import type { CallRecord, CallRecorder } from '../../../src/core/records.ts'
import type { FoundKey } from '../../../src/kit/plugin.ts'
import { systemClock } from '../../../src/observe/clock.ts'
import { WORKSPACE_SERVICE_SCOPES } from '../../../src/store/scopes.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { eventually } from '../faults/support/wire.ts'
import { closeSessions, openSession, type Session } from './support/session.ts'

/** A provider that answers each `response.create` with the usage that is set, at the price of gpt-realtime. */
let provider: Bun.Server<undefined>
let usage: { readonly input_tokens: number; readonly output_tokens: number; readonly total_tokens: number }
beforeAll(() => {
  provider = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response('', { status: 426 })),
    websocket: {
      message(socket) {
        socket.sendText('{"type":"response.created","response":{"status":"in_progress"}}')
        socket.sendText(JSON.stringify({ type: 'response.done', response: { status: 'completed', usage } }))
      },
    },
  })
})
afterAll(() => provider.stop(true))
beforeEach(() => {
  usage = { input_tokens: 10, output_tokens: 10, total_tokens: 20 }
})
afterEach(closeSessions)

interface World {
  readonly gateway: TestGateway
  readonly bench: BudgetBench
  readonly records: readonly CallRecord[]
  readonly opened: readonly string[]
}

/** A gateway with limits and budgets in memory, whose records count as the ledger counts them. */
const start = async (
  bench: BudgetBench,
  limits: readonly OwnedLimits[] = [],
  more: Partial<FoundKey> = {},
): Promise<World> => {
  const records: CallRecord[] = []
  const opened: string[] = []
  const recorder: CallRecorder = {
    prepare: () => undefined,
    open: ({ id }) => void opened.push(id),
    announce: () => () => undefined,
    close(closed) {
      records.push(...closed)
      for (const { charges = [], workspaceId, time } of closed) bench.counters.spent(workspaceId, charges, time, 1)
    },
    durable: () => undefined,
    feedback: () => undefined,
    stored: async () => true,
  }
  const key: FoundKey = {
    principal: {
      keyId: 'key-1',
      keyName: 'key',
      kind: 'workspace-service',
      organisationId: 'organisation',
      workspaceId: WORKSPACE,
      scopes: new Set(WORKSPACE_SERVICE_SCOPES),
    },
    limits,
    ...more,
  }
  const gateway = await startTestGateway({
    config: {
      plugins: ['defaults', { openai: { baseURL: `http://127.0.0.1:${provider.port}/v1`, apiKey: 'provider-key' } }],
    },
    keys: { find: (text) => (text === API_KEY ? key : undefined) },
    deps: { limits: bench.limits, records: recorder },
  })
  return { gateway, bench, records, opened }
}

const ofKey = (...limits: OwnedLimits['limits']): readonly OwnedLimits[] => [{ owner: 'api_key', id: 'key-1', limits }]

const open = ({ gateway }: World): Promise<Session> =>
  openSession(gateway, {
    path: '/v1/realtime?model=gpt-realtime',
    headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'openai' },
  })

const respond = async (session: Session): Promise<void> => {
  const done = session.next('response.done')
  session.send({ type: 'response.create' })
  await done
}

const responsesOf = ({ records }: World) => records.filter(({ kind }) => kind === 'realtime')
const sessionsOf = ({ records }: World) => records.filter(({ kind }) => kind === 'call')

describe('limits of tokens', () => {
  test('are counted response by response, and close the session with 1008 when they are used up', async () => {
    const world = await start(budgetBench(), ofKey({ type: 'tokens', unit: 'rpm', value: 50 }))
    const session = await open(world)
    await respond(session)
    await respond(session)
    expect(session.socket.readyState).toBe(WebSocket.OPEN)
    const error = session.next('error')
    await respond(session)
    expect((await error).error).toMatchObject({
      type: 'api_key_rate_limit_error',
      rate_limit: { type: 'tokens', limit: 50 },
      event_id: null,
    })
    const { code, reason } = await session.closed
    expect([code, reason.startsWith('rate_limited: ')]).toEqual([1008, true])
    expect(responsesOf(world).map(({ totalTokens, success }) => [totalTokens, success])).toEqual([
      [20, true],
      [20, true],
      [20, true],
    ])
    await eventually(() => sessionsOf(world).length === 1, 'the session is recorded')
    expect(sessionsOf(world)[0]).toMatchObject({ status: 101, errorCode: 'rate_limited', attempts: 1 })
    expect(sessionsOf(world)[0]?.totalTokens).toBeUndefined()
    // The next one is refused before it is one.
    await expect(open(world)).rejects.toThrow('it was not opened')
    await world.gateway.close()
  })

  test('that somebody else has used up stop the next response as it begins', async () => {
    const world = await start(budgetBench(), ofKey({ type: 'tokens', unit: 'rpm', value: 25 }))
    const [first, second] = [await open(world), await open(world)]
    usage = { input_tokens: 10, output_tokens: 20, total_tokens: 30 }
    await respond(first)
    expect((await first.closed).code).toBe(1008)
    second.send({ type: 'response.create' })
    expect((await second.closed).code).toBe(1008)
    expect(second.events.map(({ type }) => type)).toEqual(['error'])
    await world.gateway.close()
  })
})

test('a session is one request, however many responses it has', async () => {
  const world = await start(budgetBench(), ofKey({ type: 'requests', unit: 'rpm', value: 1 }))
  const session = await open(world)
  for (let turn = 0; turn < 3; turn++) await respond(session)
  expect(session.socket.readyState).toBe(WebSocket.OPEN)
  await expect(open(world)).rejects.toThrow('it was not opened')
  await world.gateway.close()
})

describe('budgets', () => {
  // 4 dollars a million in, 16 out: 20 cents a response.
  const dear = { input_tokens: 10_000, output_tokens: 10_000, total_tokens: 20_000 }
  const COST = 200_000_000_000

  test('of money are charged response by response, and close the session with 1008 when they are used up', async () => {
    const policy = budgetPolicy({ dollars: 0.5 })
    const world = await start(budgetBench({ policies: [policy] }))
    const session = await open(world)
    usage = dear
    for (let turn = 0; turn < 3; turn++) await respond(session)
    const { code, reason } = await session.closed
    expect([code, reason.startsWith('budget_exhausted: ')]).toEqual([1008, true])
    expect(responsesOf(world).map(({ cost, charges }) => [cost?.total, charges?.map(({ amount }) => amount)])).toEqual([
      [COST, [COST]],
      [COST, [COST]],
      [COST, [COST]],
    ])
    await eventually(() => sessionsOf(world).length === 1, 'the session is recorded')
    expect(sessionsOf(world)[0]).toMatchObject({ errorCode: 'budget_exhausted', refusedBy: [policy.id] })
    expect(sessionsOf(world)[0]?.charges).toBeUndefined()
    // Each response was opened before it was charged: a crash in between would be seen.
    expect(new Set(world.opened)).toEqual(new Set(world.records.map(({ id }) => id)))
    await world.gateway.close()
  })

  test('that reserve hold the worst of one response back, and give it back', async () => {
    // The worst that a response of this model costs by the list is some 13 cents of input and 7 of output, as text.
    const policy = budgetPolicy({ dollars: 2, enforcement: 'reserve' })
    const world = await start(budgetBench({ policies: [policy] }))
    const session = await open(world)
    usage = { input_tokens: 10, output_tokens: 10, total_tokens: 20 }
    for (let turn = 0; turn < 10; turn++) await respond(session)
    expect(session.socket.readyState).toBe(WebSocket.OPEN)
    const used = world.bench.usage.usage(policy).map((each) => each.used)
    expect(used).toEqual([expect.closeTo(10 * 0.000_2, 9)])
    await world.gateway.close()
  })

  test('of requests count the session alone', async () => {
    const policy = budgetPolicy({ type: 'requests', limit: 5 })
    const world = await start(budgetBench({ policies: [policy] }))
    const session = await open(world)
    for (let turn = 0; turn < 8; turn++) await respond(session)
    session.socket.close()
    await eventually(() => sessionsOf(world).length === 1, 'the session is recorded')
    expect(world.records.flatMap(({ charges = [] }) => charges.map(({ amount }) => amount))).toEqual([1])
    await world.gateway.close()
  })
})

test('the records of responses name their session, in order, with times of their own', async () => {
  const world = await start(budgetBench())
  const session = await open(world)
  const before = systemClock.now() * 1_000
  for (let turn = 0; turn < 3; turn++) await respond(session)
  session.socket.close()
  await eventually(() => sessionsOf(world).length === 1, 'the session is recorded')
  const [own] = sessionsOf(world)
  expect(own).toMatchObject({
    endpoint: 'realtime',
    requestType: 'realtime',
    model: 'gpt-realtime',
    outcome: 'completed',
  })
  for (const [index, response] of responsesOf(world).entries()) {
    expect(response).toMatchObject({
      ...{ callId: own?.id, attempt: index + 1, status: 200, success: true, provider: 'openai', model: 'gpt-realtime' },
      ...{ inputTokens: 10, outputTokens: 10, traceId: own?.traceId, apiKeyId: 'key-1' },
    })
    expect(response.time).toBeGreaterThanOrEqual(before)
    expect(response.totalUs).toBeLessThanOrEqual(own?.totalUs ?? 0)
  }
  expect(responsesOf(world).length).toBe(3)
  await world.gateway.close()
})
