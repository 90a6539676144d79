import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { builtInEndpoints } from '../../../../plugins/built-in.ts'
import { expectError, paramOf } from '../../../../test/conformance/management/expect-error.ts'
import { createWorld, type World } from '../../../../test/conformance/management/world.ts'
import { createFold } from '../../../../test/support/records/fold.ts'
import { aRecord } from '../../../../test/support/records/record.ts'
import { batchOf, sampleRecords } from '../../../../test/support/records/samples.ts'
import type { BodyReaders, BodyRules } from '../../../core/log-settings.ts'
import type { CallRecord, CallRecorder, RecordedMessage, SealedBodies } from '../../../core/records.ts'
import { createSeals } from '../../../records/seals.ts'
import { auditLog } from '../../../store/schema/audit-log.ts'
import { describeOnBothStores } from '../../../store/testing.ts'
import { oneLogRoutes } from './routes.ts'

const NOW = Date.UTC(2026, 10, 22, 18)
const KEY = 'sk-proj-0123456789abcdef0123456789'

describeOnBothStores('one log', (store) => {
  let world: World
  let fold: ReturnType<typeof createFold>
  let position = 0
  let rules: BodyRules = { bodies: 'all' }
  let readers: BodyReaders = 'workspace'
  let isDurable = true
  const seals = createSeals({ derive: () => ({ version: 1, bytes: new Uint8Array(32).fill(7) }) })

  const write = async (records: readonly CallRecord[], bodies: readonly SealedBodies[] = []): Promise<void> => {
    const batch = batchOf({ records, bodies }, { from: position })
    position = batch.to
    await fold.write(batch)
  }
  const sealedOf = (record: CallRecord, messages: readonly RecordedMessage[]): SealedBodies => {
    const { id: recordId, organisationId, workspaceId, time } = record
    void seals.prepare(organisationId, workspaceId)
    const sealed = seals.seal(organisationId, workspaceId, recordId, messages)
    if (sealed === undefined) throw new Error('was prepared')
    return { recordId, organisationId, workspaceId, time, sealed }
  }
  const recorder: CallRecorder = {
    prepare: (organisationId, workspaceId) => seals.prepare(organisationId, workspaceId),
    open: () => undefined,
    announce: () => () => undefined,
    close: (records, messages) => {
      const kept = records.map((record) => ({ ...record, hasBodies: messages?.has(record.id) }))
      void write(
        kept,
        kept.flatMap((record) => {
          const found = messages?.get(record.id)
          return found === undefined ? [] : [sealedOf(record, found)]
        }),
      )
    },
    durable: () => (isDurable ? undefined : new Promise(() => undefined)),
    feedback: () => undefined,
    stored: async () => true,
  }
  const recordOf = (changes: Partial<CallRecord> = {}): CallRecord => {
    const id = changes.id ?? Bun.randomUUIDv7()
    const { organisationId, first } = world.ours
    return aRecord({ id, callId: id, organisationId, workspaceId: first.id, time: NOW * 1000, ...changes })
  }
  const message = (
    side: RecordedMessage['side'],
    body: unknown,
    more: Partial<RecordedMessage> = {},
  ): RecordedMessage => ({
    side,
    headers: { 'content-type': 'application/json', 'x-gateway-provider': 'openai' },
    url: `/of/${side}`,
    method: 'POST',
    ...(body === undefined ? {} : { body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }),
    ...more,
  })

  const read = (id: string, token = world.ours.first.serviceKey, query = '') =>
    world.call({ method: 'GET', path: `/logs/${id}${query}`, token })
  const insert = (body: unknown, token = world.ours.first.serviceKey) =>
    world.call({ method: 'POST', path: '/logs', token, body })
  const all = async (): Promise<readonly CallRecord[]> => {
    const filter = { organisationId: world.ours.organisationId, from: 0, to: NOW * 2000, where: [] }
    return (await fold.page(filter, { limit: 1_000, order: 'newest' })).records
  }

  beforeAll(async () => {
    fold = createFold()
    const deps = {
      records: fold,
      seals,
      recorder,
      now: () => NOW,
      retentionDays: () => 30,
      idAt: (timeMs: number) => Bun.randomUUIDv7('hex', timeMs),
      bodyRules: { of: () => rules },
      readersOf: () => readers,
      endpoints: () => builtInEndpoints,
      prices: {
        costOf: ({ models, usage }: Parameters<import('../../../core/prices.ts').Prices['costOf']>[0]) =>
          models.includes('priced')
            ? {
                priceId: 'table:test',
                cost: {
                  total: usage.totalTokens * 1000,
                  input: 0,
                  output: 0,
                  cache: 0,
                  other: usage.totalTokens * 1000,
                },
              }
            : undefined,
        worstOf: () => undefined,
        sizesOf: () => undefined,
        describe: () => undefined,
        list: () => ({ rows: [], total: 0 }),
      },
    }
    world = await createWorld(store(), oneLogRoutes(deps))
  })

  describe('that is read', () => {
    test('has what guardrails came to, with what they said where that is kept', async () => {
      const { hookResults } = sampleRecords(1)[0] ?? {}
      if (hookResults === undefined) throw new Error('the first sample has guardrails')
      const plain = recordOf({ hookResults })
      const whole = recordOf({ hookResults, hasBodies: true })
      const cut = recordOf({ hookResults, hasBodies: true })
      const [hook] = hookResults.before_request_hooks
      const said = {
        ...hookResults,
        before_request_hooks: [{ ...hook, checks: [{ ...hook?.checks[0], data: { why: 1 } }] }],
      }
      await write(
        [plain, whole, cut, recordOf()],
        [sealedOf(whole, [message('hooks', said)]), sealedOf(cut, [message('hooks', '{"before_request_hooks":[')])],
      )
      const shown = async (record: CallRecord) => (await read(record.id)).body.hook_results
      expect(await shown(plain)).toEqual(hookResults)
      expect(await shown(whole)).toEqual(said)
      expect(await shown(cut)).toEqual(hookResults)
    })

    test('has the documented form, with its messages, and is written down', async () => {
      const record = recordOf({
        hasBodies: true,
        optionPath: 'config.targets[2]',
        totalUs: 1_500,
        upstreamUs: 1_000,
        metadata: { _user: 'ann', team: 'blue' },
        cost: { total: 12_345_000_000, input: 0, output: 0, cache: 0, other: 12_345_000_000 },
        sdk: 'openai/6.1.0',
        runtime: 'node/22.1',
      })
      const bodies = sealedOf(record, [
        message('request', { model: 'm', messages: [] }),
        message('answer', { id: 'x' }, { status: 200 }),
        message('sent', undefined, { url: 'https://api.example/v1/x' }),
        message('received', undefined, { status: 200 }),
      ])
      await write([record], [bodies])
      const { status, body } = await read(record.id, undefined, '?path_format=v2&type=hooks')
      expect([status, body]).toEqual([200, body])
      expect(body).toMatchObject({
        _id: record.id,
        organisation_id: record.organisationId,
        created_at: '2026-11-22T18:00:00.000000Z',
        request: {
          url: '/of/request',
          method: 'POST',
          body: { model: 'm', messages: [] },
          gatewayHeaders: { 'x-gateway-provider': 'openai' },
        },
        response: {
          status: record.status,
          body: { id: 'x' },
          responseTime: 1.5,
          lastUsedOptionJsonPath: 'config.targets[2]',
        },
        finalUntransformedRequest: { body: { model: 'm', messages: [] } },
        transformedRequest: { url: 'https://api.example/v1/x', body: { model: 'm', messages: [] } },
        originalResponse: { status: 200, body: { id: 'x' } },
        metrics: {
          id: record.id,
          organisation_name: expect.any(String),
          workspace_slug: world.ours.first.slug,
          cost: 1.2345,
          cost_currency: 'USD',
          last_used_option_index: 2,
          response_time: 1.5,
          gateway_processing_time: 0.5,
          sdk_version: '6.1.0',
          runtime: 'node',
          runtime_version: '22.1',
          'metadata.key': ['_user', 'team'],
          'metadata.value': ['ann', 'blue'],
        },
        attempts: [],
      })
      const rows = await store().db.select().from(auditLog).where(eq(auditLog.objectId, record.id))
      expect(rows).toMatchObject([
        { action: 'logs.view', objectKind: 'log', workspaceId: record.workspaceId, method: 'GET' },
      ])
    })

    test('shows a stream as the answer that its events make, and those as they are that make none', async () => {
      const chunk = (delta: object, finish: string | null = null) =>
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
      const events = `${chunk({ role: 'assistant', content: 'Hel' })}${chunk({ content: 'lo' })}${chunk({}, 'stop')}data: [DONE]\n\n`
      const [whole, cut] = [events, events.slice(0, 90)].map((body) => {
        const record = recordOf({ hasBodies: true, stream: true, endpoint: 'chat' })
        return { record, bodies: sealedOf(record, [message('answer', body, { status: 200 })]), body }
      })
      if (whole === undefined || cut === undefined) throw new Error('two were made')
      await write([whole.record, cut.record], [whole.bodies, cut.bodies])
      expect((await read(whole.record.id)).body).toMatchObject({
        response: { body: { object: 'chat.completion', choices: [{ message: { content: 'Hello' } }] } },
      })
      expect((await read(cut.record.id)).body).toMatchObject({ response: { body: cut.body } })
    })

    test('has its attempts beside it', async () => {
      const record = recordOf({ attempts: 2, fallback: true, hasBodies: true })
      const attempt = recordOf({
        callId: record.id,
        kind: 'attempt',
        attempt: 1,
        status: 429,
        success: false,
        hasBodies: true,
      })
      await write(
        [record, attempt],
        [
          sealedOf(record, [message('request', { a: 1 })]),
          sealedOf(attempt, [message('sent', { b: 2 }), message('received', 'busy', { status: 429 })]),
        ],
      )
      expect((await read(record.id)).body).toMatchObject({
        request: { body: { a: 1 } },
        attempts: [
          {
            response: { status: 429, body: 'busy' },
            transformedRequest: { body: { b: 2 } },
            originalResponse: { status: 429, body: 'busy' },
            metrics: { id: attempt.id, response_status_code: 429 },
          },
        ],
      })
    })

    test('without bodies is not written down', async () => {
      const record = recordOf()
      await write([record])
      expect((await read(record.id)).body).toMatchObject({
        request: { url: record.path, headers: {}, body: null },
        response: { body: null },
        transformedRequest: null,
        originalResponse: null,
      })
      expect(await store().db.select().from(auditLog).where(eq(auditLog.objectId, record.id))).toEqual([])
    })

    test('shows its bodies to the key that made the call alone, where the workspace says so', async () => {
      const record = recordOf({ hasBodies: true, apiKeyId: crypto.randomUUID() })
      await write([record], [sealedOf(record, [message('request', { secret: 1 })])])
      await insert({
        request: { url: '/v1/x', body: { own: 1 } },
        response: { body: {} },
        metadata: { trace_id: 'own' },
      })
      const own = (await all()).find(({ traceId }) => traceId === 'own')?.id ?? ''
      readers = 'caller'
      const [hidden, others, mine] = [await read(record.id), await read(own, world.ours.admin), await read(own)]
      readers = 'workspace'
      expect(mine.body).toMatchObject({ request: { body: { own: 1 } } })
      expect(others.body).toMatchObject({ request: { body: null } })
      expect(hidden.body).toMatchObject({ request: { body: null } })
      expect((await read(record.id)).body).toMatchObject({ request: { body: { secret: 1 } } })
    })

    test('is not there for anybody else', async () => {
      const { ours, theirs } = world
      const mine = recordOf()
      const elsewhere = recordOf({ workspaceId: ours.second.id })
      const foreign = recordOf({ organisationId: theirs.organisationId, workspaceId: theirs.first.id })
      await write([mine, elsewhere, foreign])
      for (const id of [elsewhere.id, foreign.id, crypto.randomUUID(), 'nonsense', '%00'])
        expect((await read(id)).status).toBeOneOf([400, 404])
      expectError(await read(elsewhere.id), 'management_not_found')
      expectError(await read(foreign.id, ours.admin), 'management_not_found')
      expect((await read(elsewhere.id, ours.admin)).status).toBe(200)
      expect((await read(mine.id.toUpperCase())).status).toBe(200)
      expectError(await read(mine.id, undefined, '?path_format=v3'), 'management_invalid')
    })
  })

  describe('that is handed in', () => {
    const item = (changes: object = {}) => ({
      request: {
        url: `https://api.example/v1/chat/completions?key=${KEY}`,
        method: 'POST',
        headers: { Authorization: `Bearer ${KEY}` },
        body: { model: 'priced', messages: [{ role: 'user', content: `my key is ${KEY}` }] },
        provider: 'openai',
      },
      response: {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: { model: 'priced-2', usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } },
        response_time: 12.5,
      },
      metadata: {
        trace_id: 'trace-in',
        span_id: 's',
        span_name: 'step',
        team: 'blue',
        tries: 3,
        long: 'x'.repeat(200),
      },
      ...changes,
    })

    test('is a record, priced, with its messages, and says ok', async () => {
      const answer = await insert(item({ createdAt: '2026-11-21T10:00:00+02:00' }))
      expect([answer.status, answer.text]).toEqual([200, 'ok'])
      const record = (await all()).find(({ traceId }) => traceId === 'trace-in')
      expect(record).toMatchObject({
        kind: 'logged',
        time: Date.UTC(2026, 10, 21, 8) * 1000,
        workspaceId: world.ours.first.id,
        traceId: 'trace-in',
        spanId: 's',
        spanName: 'step',
        endpoint: 'chat',
        requestType: 'chatComplete',
        provider: 'openai',
        modelAsked: 'priced',
        model: 'priced-2',
        inputTokens: 10,
        outputTokens: 5,
        totalTokens: 15,
        totalUs: 12_500,
        cost: { total: 15_000 },
        priceId: 'table:test',
        sentUrl: 'https://api.example/v1/chat/completions',
        metadata: { team: 'blue', tries: '3', long: 'x'.repeat(128) },
        hasBodies: true,
      })
      const { text, body } = await read(record?.id ?? '')
      expect(text).not.toContain(KEY)
      expect(body).toMatchObject({
        request: {
          headers: { authorization: 'Bearer sk*****789' },
          body: { messages: [{ content: 'my key is sk*****789' }] },
        },
        response: { body: { model: 'priced-2' } },
        transformedRequest: null,
      })
    })

    test.each([
      [{ output: { tokens: 7, cost: 0.5 } }, { cost: { total: 5_000_000_000 }, priceId: 'logged' }],
      [
        { response: { body: 'text' }, output: { tokens: 7 } },
        { outputTokens: 7, cost: { total: 7_000 } },
      ],
      [
        {
          response: { body: { model: 'x', usage: { input_tokens: 3, output_tokens: 4 } } },
          request: { url: '/v1/messages', body: {} },
        },
        { endpoint: 'messages', inputTokens: 3, unpriced: true },
      ],
      [{ response: { body: null, status: 500 } }, { success: false, outcome: 'failed' }],
      [{ response: { body: '', streamingMode: true } }, { stream: true }],
      [{ request: { url: 'not a url at all', body: 'text' } }, { endpoint: 'other', method: 'POST' }],
    ])('%j', async (changes, expected) => {
      const trace = crypto.randomUUID()
      expect((await insert(item({ ...changes, metadata: { trace_id: trace } }))).text).toBe('ok')
      const record = (await all()).find(({ traceId }) => traceId === trace)
      expect(record).toMatchObject(expected)
    })

    test('several are kept together or not at all; a wrong one is named', async () => {
      const before = (await all()).length
      expect((await insert([item(), item(), item()])).text).toBe('ok')
      expect((await all()).length).toBe(before + 3)
      for (const [wrong, param] of [
        [{ request: { url: 5, body: {} } }, '[1].request.url'],
        [{ request: { body: {} } }, '[1].request.url'],
        [{ response: { body: {}, status: 99 } }, '[1].response.status'],
        [{ createdAt: '2026-11-21T10:00:00' }, '[1].createdAt'],
        [{ createdAt: '2027-11-21T10:00:00Z' }, '[1].createdAt'],
        [{ createdAt: '2001-11-21T10:00:00Z' }, '[1].createdAt'],
        [{ metadata: { team: ['a'] } }, '[1].metadata.team'],
        [{ output: { cost: -1 } }, '[1].output.cost'],
      ] as const) {
        const answer = await insert([item(), item(wrong), item()])
        expectError(answer, 'management_invalid')
        expect(paramOf(answer)).toBe(param)
      }
      expectError(await insert([]), 'management_invalid')
      expect((await all()).length).toBe(before + 3)
    })

    test('of 20 MB is refused with the limit', async () => {
      const before = (await all()).length
      const answer = await insert(item({ response: { body: 'x'.repeat(20 * 1024 * 1024) } }))
      expect(answer.status).toBe(413)
      expect(answer.text).toContain('larger than 10 MB')
      expect((await all()).length).toBe(before)
    })

    test('keeps of its messages what the workspace keeps', async () => {
      for (const [policy, status, isKept] of [
        ['none', 500, false],
        ['failed', 200, false],
        ['failed', 500, true],
      ] as const) {
        rules = { bodies: policy }
        const trace = crypto.randomUUID()
        await insert(item({ response: { body: {}, status }, metadata: { trace_id: trace } }))
        expect((await all()).find(({ traceId }) => traceId === trace)?.hasBodies === true).toBe(isKept)
      }
      rules = { bodies: 'all' }
    })

    test('needs a key of a workspace', async () => {
      expect((await insert(item(), world.ours.admin)).status).toBe(403)
    })

    test('says so when it cannot be kept in time', async () => {
      isDurable = false
      const answer = await insert(item())
      isDurable = true
      expect(answer.status).toBe(503)
    }, 10_000)
  })
})
