import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type CheckInput, defineCheck, t } from '#kit'
import { until } from '../../../src/store/testing.ts'
import { contentOf, type GuardedWorld, guardedWorld, guardrail, hooksOf } from './support/world.ts'

/** What `test.sees` was given last. */
let seen: CheckInput[] = []
let release: (() => void) | undefined
/** Settles once four of `test.meets` wait. */
let met = Promise.withResolvers<{ verdict: true }>()
let waiting = 0

const checks = [
  defineCheck({
    id: 'test.forbids',
    summary: 'Passes unless a text has the word.',
    parameters: t.Object({ word: t.String() }),
    stages: ['input', 'output'],
    run: ({ texts }, { word }) => ({
      verdict: !texts.some((text) => text.includes(word)),
      data: { looked: texts.length },
    }),
  }),
  defineCheck({
    id: 'test.quotes',
    summary: 'Passes unless a text has the word, and says where.',
    parameters: t.Object({ word: t.String() }),
    stages: ['input', 'output'],
    run: ({ texts }, { word }) => {
      const quote = texts.find((text) => text.includes(word))
      return { verdict: quote === undefined, data: { quote } }
    },
  }),
  defineCheck({
    id: 'test.replaces',
    summary: 'Puts a word in the place of another.',
    parameters: t.Object({ from: t.String(), to: t.String() }),
    stages: ['input', 'output'],
    run: ({ texts }, { from, to }) => ({ verdict: true, texts: texts.map((text) => text.replaceAll(from, to)) }),
  }),
  defineCheck({
    id: 'test.sees',
    summary: 'Passes.',
    parameters: t.Object({}),
    stages: ['input', 'output'],
    run: (input) => {
      seen.push({ ...input, json: input.json })
      return { verdict: true }
    },
  }),
  defineCheck({
    id: 'test.breaks',
    summary: 'Never can tell.',
    parameters: t.Object({ later: t.Boolean({ default: false }) }),
    stages: ['input', 'output'],
    run: (_input, { later }) => {
      if (later) return Promise.reject(new Error('out of order'))
      throw new Error('out of order')
    },
  }),
  defineCheck({
    id: 'test.hangs',
    summary: 'Never answers.',
    parameters: t.Object({}),
    stages: ['input', 'output'],
    deadlineMs: 50,
    run: () => new Promise<never>(() => undefined),
  }),
  defineCheck({
    id: 'test.waits',
    summary: 'Fails, once it is let.',
    parameters: t.Object({}),
    stages: ['input', 'output'],
    run: () =>
      new Promise((resolve) => {
        release = () => resolve({ verdict: false })
      }),
  }),
  defineCheck({
    id: 'test.meets',
    summary: 'Passes once four of it run.',
    parameters: t.Object({}),
    stages: ['input'],
    run: () => {
      waiting++
      if (waiting === 4) met.resolve({ verdict: true })
      return met.promise
    },
  }),
  defineCheck({
    id: 'test.wantsMore',
    summary: 'Reaches for a power that it did not ask for.',
    parameters: t.Object({}),
    stages: ['input'],
    run: async (_input, _parameters, { fetch }) => ({ verdict: (await fetch('https://example.com')).status === 200 }),
  }),
  defineCheck({
    id: 'test.isChat',
    summary: 'Passes chats.',
    parameters: t.Object({}),
    stages: ['input'],
    reads: 'request',
    run: ({ requestType }) => ({ verdict: requestType === 'chatComplete' }),
  }),
]

let world: GuardedWorld
beforeAll(async () => {
  world = await guardedWorld(checks)
})
afterAll(() => world.close())
beforeEach(() => {
  seen = []
  release = undefined
  world.feedback.length = 0
  world.hold()
})

const forbids = (word: string) => ({ id: 'test.forbids', parameters: { word } })
const quotesOf = (word: string) => ({ id: 'test.quotes', parameters: { word } })
const replaces = (from: string, to: string) => ({ id: 'test.replaces', parameters: { from, to } })
const LOOSE = { 'x-gateway-strict-open-ai-compliance': 'false' }

describe('what is asked', () => {
  test('is refused with 446 by a guardrail that denies, and no provider is asked', async () => {
    world.hold({ slug: 'no-cards', on: 'input', definition: guardrail([forbids('4111')], { deny: true }) })
    const reply = await world.chat('my card is 4111')
    expect(reply.status).toBe(446)
    expect(reply.body.error).toMatchObject({ type: 'hooks_failed', param: null, code: null })
    const [hook] = hooksOf(reply).before_request_hooks
    expect(hook).toMatchObject({ id: 'no-cards', verdict: false, deny: true, async: false, type: 'guardrail' })
    expect(hook?.checks).toMatchObject([
      { id: 'test.forbids', verdict: false, data: { looked: 1 }, transformed: false },
    ])
    expect(hook?.checks[0]?.execution_time).toBeNumber()
    expect(world.asked()).toHaveLength(0)
    expect(JSON.stringify(reply.body)).not.toContain('4111')
    expect((await world.chat('my card is secret')).status).toBe(200)
  })

  test('goes on with 246 where it does not deny, and the answer says why', async () => {
    world.hold({ slug: 'looks', on: 'input', definition: guardrail([forbids('4111')]) })
    const reply = await world.chat('my card is 4111')
    expect([reply.status, contentOf(reply)]).toEqual([246, 'my card is 4111'])
    expect(hooksOf(reply).before_request_hooks).toMatchObject([{ id: 'looks', verdict: false }])
    expect(world.asked()).toHaveLength(1)
  })

  test('is changed before it leaves, whatever else stands in the request', async () => {
    world.hold({ slug: 'mask', on: 'input', definition: guardrail([replaces('4111', '[CARD]')]) })
    const reply = await world.chat('my card is 4111', { temperature: 0, user: 'ann' })
    expect([reply.status, contentOf(reply)]).toEqual([200, 'my card is [CARD]'])
    expect(JSON.parse(world.asked()[0] ?? '')).toEqual({
      model: 'mock',
      messages: [{ role: 'user', content: 'my card is [CARD]' }],
      temperature: 0,
      user: 'ann',
    })
    expect('hook_results' in reply.body).toBe(false)
  })

  test('is only looked at in its last turn', async () => {
    world.hold({ slug: 'sees', on: 'input', definition: guardrail([{ id: 'test.sees' }]) })
    const messages = [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: [{ type: 'text', text: 'three' }] },
    ]
    await world.chat('', { messages }, { 'x-gateway-metadata': '{"team":"red"}', 'x-mine': 'yes' })
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({
      stage: 'input',
      texts: ['three'],
      metadata: { team: 'red' },
      requestType: 'chatComplete',
      provider: 'acme',
      model: 'mock',
      isStreamed: false,
    })
    expect(seen[0]?.json).toMatchObject({ messages })
    expect(seen[0]?.headers.get('x-mine')).toBe('yes')
    expect(seen[0]?.headers.get('x-gateway-api-key')).toBeNull()
  })

  test('is looked at by all checks of all guardrails of a group at once', async () => {
    met = Promise.withResolvers()
    waiting = 0
    const meets = guardrail([{ id: 'test.meets' }, { id: 'test.meets' }], { deny: true })
    world.hold({ slug: 'one', on: 'input', definition: meets }, { slug: 'two', on: 'input', definition: meets })
    const reply = await world.chat('hello', {}, LOOSE)
    const checked = hooksOf(reply).before_request_hooks.flatMap((hook) => hook.checks.map(({ error }) => error))
    expect([reply.status, checked]).toEqual([200, [undefined, undefined, undefined, undefined]])
  })

  test('passes where a check fails by itself, hangs, or does more than it may', async () => {
    const broken = [
      { id: 'test.breaks' },
      { id: 'test.breaks', parameters: { later: true } },
      { id: 'test.hangs' },
      { id: 'test.wantsMore' },
      { id: 'test.gone' },
    ]
    world.hold({ slug: 'broken', on: 'input', definition: guardrail(broken, { deny: true }) })
    const reply = await world.chat('hello', {}, LOOSE)
    expect(reply.status).toBe(200)
    const [hook] = hooksOf(reply).before_request_hooks
    expect(hook?.verdict).toBe(true)
    expect(hook?.checks.map(({ verdict }) => verdict)).toEqual([true, true, true, true, true])
    expect(hook?.checks.map(({ error }) => error?.message)).toEqual([
      'out of order',
      'out of order',
      'took longer than 50 ms',
      "it uses `fetch`, which it has to ask for: needs: ['fetch']",
      expect.stringContaining("'test.gone' cannot run"),
    ])
  })

  test('passes the organisation, then the workspace: what the one has changed, the other gets', async () => {
    world.hold(
      { slug: 'own', on: 'input', definition: guardrail([forbids('4111'), { id: 'test.sees' }], { deny: true }) },
      { slug: 'all', on: 'input', scope: 'organisation', definition: guardrail([replaces('4111', '[CARD]')]) },
    )
    const reply = await world.chat('my card is 4111', {}, LOOSE)
    expect([reply.status, contentOf(reply)]).toEqual([200, 'my card is [CARD]'])
    expect(hooksOf(reply).before_request_hooks.map(({ id, transformed }) => [id, transformed])).toEqual([
      ['all', true],
      ['own', false],
    ])
    expect(seen[0]).toMatchObject({ texts: ['my card is [CARD]'], isTransformed: true })
  })

  test('is changed by several: side by side all judge what came, one after the other what is left', async () => {
    const both = [replaces('a', 'b'), forbids('a'), replaces('b', 'c')]
    world.hold({ slug: 'side', on: 'input', definition: guardrail(both) })
    expect(await world.chat('a b')).toMatchObject({ status: 246 })
    expect(contentOf(await world.chat('a b'))).toBe('c c')
    world.hold({ slug: 'row', on: 'input', definition: guardrail(both, { sequential: true }) })
    const inRow = await world.chat('a b')
    expect([inRow.status, contentOf(inRow)]).toEqual([200, 'c c'])
  })

  test('is refused softly: as an answer that says so, plain or as a stream', async () => {
    const definition = guardrail([forbids('4111')], { deny: true, soft_deny_200: true })
    world.hold({ slug: 'soft', on: 'input', definition })
    const plain = await world.chat('4111')
    expect(plain.status).toBe(200)
    // It has no `hook_results` that could say more.
    expect(contentOf(plain)).toBe("The guardrail 'soft' refused the request: test.forbids failed.")
    const streamed = await world.chat('4111', { stream: true })
    expect([streamed.status, streamed.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(streamed.text).toEndWith('data: [DONE]\n\n')
    expect(world.asked()).toHaveLength(0)
  })

  test('of a kind without texts is looked at by checks of requests alone', async () => {
    world.hold({
      slug: 'chats',
      on: 'input',
      definition: guardrail([{ id: 'test.isChat' }, forbids('cat')], { deny: true }),
    })
    const refused = await world.post('/v1/images/generations', { model: 'mock-image', prompt: 'a cat' })
    expect(refused.status).toBe(446)
    expect(hooksOf(refused).before_request_hooks[0]?.checks.map(({ id }) => id)).toEqual(['test.isChat'])
    expect((await world.chat('a dog')).status).toBe(200)
  })
})

describe('what is answered', () => {
  test('is withheld with 446 by a guardrail that denies', async () => {
    world.hold({ slug: 'no-cards', on: 'output', definition: guardrail([forbids('4111')], { deny: true }) })
    const reply = await world.chat('my card is 4111')
    expect(reply.status).toBe(446)
    expect(hooksOf(reply).after_request_hooks).toMatchObject([{ id: 'no-cards', verdict: false }])
    expect(world.asked()).toHaveLength(1)
    expect(reply.text).not.toContain('4111')
  })

  test('goes out with 246 where it does not deny, changed where a check changes it', async () => {
    const definition = guardrail([forbids('4111'), replaces('4111', '[CARD]')])
    world.hold({ slug: 'mask', on: 'output', definition })
    const reply = await world.chat('my card is 4111')
    expect([reply.status, contentOf(reply)]).toEqual([246, 'my card is [CARD]'])
  })

  test('goes out to the byte, where nothing is wrong with it', async () => {
    const before = await world.chat('hello')
    world.hold({ slug: 'sees', on: 'output', definition: guardrail([{ id: 'test.sees' }]) })
    const after = await world.chat('hello')
    expect(after.text).toBe(before.text)
    expect(seen[0]).toMatchObject({
      stage: 'output',
      texts: ['Mock answer to: hello'],
      status: 200,
      request: { texts: ['hello'] },
    })
  })

  test('says what guardrails came to where the client does not mind more than OpenAI says', async () => {
    world.hold(
      { slug: 'in', on: 'input', definition: guardrail([forbids('x')]) },
      { slug: 'out', on: 'output', definition: guardrail([forbids('x')]) },
    )
    const reply = await world.chat('hello', {}, LOOSE)
    const results = hooksOf(reply)
    expect(results.before_request_hooks.map(({ id }) => id)).toEqual(['in'])
    expect(results.after_request_hooks.map(({ id }) => id)).toEqual(['out'])
    expect(contentOf(reply)).toBe('hello')
  })

  test('of an error is not looked at', async () => {
    world.hold({ slug: 'out', on: 'output', definition: guardrail([{ id: 'test.sees' }], { deny: true }) })
    expect((await world.chat('hello', { mock: { status: 418 } })).status).toBe(418)
    expect(seen).toHaveLength(0)
  })
})

test('what a check says of an answer that the client does not get, or not so, is not told', async () => {
  const quotes = quotesOf('4111')
  world.hold(
    { slug: 'in', on: 'input', definition: guardrail([quotes]) },
    { slug: 'out', on: 'output', definition: guardrail([quotes]) },
  )
  expect(hooksOf(await world.chat('4111')).after_request_hooks[0]?.checks[0]?.data).toEqual({
    quote: 'Mock answer to: 4111',
  })
  world.hold({ slug: 'out', on: 'output', definition: guardrail([quotes], { deny: true }) })
  const refused = await world.chat('4111')
  expect([refused.status, refused.text.includes('4111')]).toEqual([446, false])
  world.hold({ slug: 'out', on: 'output', definition: guardrail([quotes, replaces('4111', '[CARD]')]) })
  const changed = await world.chat('4111')
  expect([changed.status, changed.text.includes('4111')]).toEqual([246, false])
})

describe('a guardrail that only reports', () => {
  test('holds nothing up and refuses nothing; its feedback is written once it knows', async () => {
    const feedback = { value: -5, weight: 1, metadata: 'watch' }
    const definition = guardrail([{ id: 'test.waits' }], { async: true, deny: true, on_fail: { feedback } })
    world.hold({ slug: 'watch', on: 'input', definition })
    const reply = await world.chat('hello', {}, LOOSE)
    expect(reply.status).toBe(200)
    const id = reply.headers.get('x-gateway-request-id')
    const record = () => world.records.find((each) => each.id === id)
    expect([world.feedback, record()]).toEqual([[], undefined])
    release?.()
    await until(() => record() !== undefined)
    expect(record()?.hookResults?.before_request_hooks).toMatchObject([{ id: 'watch', async: true, verdict: false }])
    expect(world.feedback).toMatchObject([
      { value: -5, weight: 1, workspaceId: 'workspace-1', metadata: { note: 'watch', failedChecks: 'test.waits' } },
    ])
  })
})

test('feedback is written by itself, for what passes and what fails', async () => {
  const definition = guardrail([forbids('4111')], {
    on_success: { feedback: { value: 5, weight: 1, metadata: '' } },
    on_fail: { feedback: { value: -5, weight: 0.5, metadata: '' } },
  })
  world.hold({ slug: 'judged', on: 'input', definition })
  const trace = { 'x-gateway-trace-id': 'trace-1' }
  await world.chat('hello', {}, trace)
  await world.chat('4111', {}, trace)
  expect(world.feedback.map(({ value, weight, traceId, metadata }) => [value, weight, traceId, metadata])).toEqual([
    [5, 1, 'trace-1', { successfulChecks: 'test.forbids', failedChecks: '', erroredChecks: '' }],
    [-5, 0.5, 'trace-1', { successfulChecks: '', failedChecks: 'test.forbids', erroredChecks: '' }],
  ])
})

describe('on the way over targets', () => {
  const config = (strategy: object, more: object = {}) => ({
    'x-gateway-provider': '',
    'x-gateway-config': JSON.stringify({
      strategy,
      targets: [
        { provider: 'acme', override_params: { model: 'mock' } },
        { provider: 'acme', override_params: { model: 'mock-vision' } },
      ],
      ...more,
    }),
  })

  test.each([446, 246])('a fallback may go on after %d', async (status) => {
    world.hold({ slug: 'out', on: 'output', definition: guardrail([forbids('4111')], { deny: status === 446 }) })
    const reply = await world.chat('4111', {}, config({ mode: 'fallback', on_status_codes: [status] }))
    expect(reply.status).toBe(200)
    expect(contentOf(reply)).not.toContain('4111')
    expect(world.asked()).toHaveLength(2)
  })

  test('what was changed for one target is changed for the next', async () => {
    world.hold({ slug: 'mask', on: 'input', definition: guardrail([replaces('4111', '[CARD]')]) })
    const reply = await world.chat(
      '4111',
      { mock: { status: 500, times: 1, key: 'next' } },
      config({ mode: 'fallback' }),
    )
    expect(reply.status).toBe(200)
    expect(world.asked().map((body) => body.includes('4111'))).toEqual([false, false])
  })

  test('each has what its own guardrails came to in its record', async () => {
    world.hold({ slug: 'out', on: 'output', definition: guardrail([forbids('4111')], { deny: true }) })
    const headers = config({ mode: 'fallback', on_status_codes: [446] })
    const reply = await world.chat('4111', {}, headers)
    const id = reply.headers.get('x-gateway-request-id')
    const records = world.records.filter(({ callId }) => callId === id)
    const verdicts = records.map(({ kind, hookResults }) => [
      kind,
      hookResults?.after_request_hooks.map(({ verdict }) => verdict),
    ])
    expect(verdicts).toEqual([
      ['call', [true]],
      ['attempt', [false]],
      ['attempt', [true]],
    ])
  })

  test('one without guardrails has none of those of the target before it', async () => {
    world.hold({ slug: 'of-one', on: 'input', definition: guardrail([{ id: 'test.sees' }]) })
    world.release()
    const headers = {
      'x-gateway-provider': '',
      'x-gateway-config': JSON.stringify({
        strategy: { mode: 'fallback', stream_recovery: 'continue' },
        targets: [
          { provider: 'acme', input_guardrails: ['of-one'] },
          { provider: 'mock', override_params: { mock: {} } },
        ],
      }),
    }
    const reply = await world.chat(
      'Say many words of it',
      { stream: true, mock: { fault: 'cut-connection', at: 6 } },
      headers,
    )
    const id = reply.headers.get('x-gateway-request-id')
    await until(() => world.records.some(({ callId }) => callId === id))
    const records = world.records.filter(({ callId }) => callId === id)
    expect(records.map(({ kind, hookResults }) => [kind, hookResults?.before_request_hooks.length])).toEqual([
      ['call', undefined],
      ['attempt', 1],
      ['attempt', undefined],
    ])
  })

  test('a retry at the same target asks no check again', async () => {
    const feedback = { value: 1, weight: 1, metadata: '' }
    world.hold({
      slug: 'in',
      on: 'input',
      definition: guardrail([{ id: 'test.sees' }, replaces('4111', '[CARD]')], { on_success: { feedback } }),
    })
    const headers = {
      'x-gateway-provider': '',
      'x-gateway-config': JSON.stringify({ provider: 'acme', retry: { attempts: 2, on_status_codes: [503] } }),
    }
    const reply = await world.chat('4111', { mock: { status: 503, times: 1, key: 'again', retryAfter: '0' } }, headers)
    expect([reply.status, contentOf(reply)]).toEqual([200, '[CARD]'])
    expect(world.asked().map((body) => body.includes('4111'))).toEqual([false, false])
    expect([seen.length, world.feedback.length]).toEqual([1, 1])
  })
})
