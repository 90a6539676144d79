import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import OpenAI, { toFile } from 'openai'
import type { RunningGateway } from '../../support/command.ts'
import { API_KEY, done as doneCall, openScene, type Scene, SLOW_MS } from '../management/support/scene.ts'

setDefaultTimeout(SLOW_MS)

let scene: Scene
let gateway: RunningGateway

beforeAll(async () => {
  scene = await openScene({ store: 'pglite' })
  gateway = await scene.start()
})
afterAll(() => scene.close())

const client = (headers: Record<string, string> = { 'x-gateway-provider': 'mock' }): OpenAI =>
  new OpenAI({ apiKey: API_KEY, baseURL: `${gateway.url}/v1`, maxRetries: 0, defaultHeaders: headers })

const request = (id: string, more: object = {}, url = '/v1/chat/completions'): string =>
  JSON.stringify({
    ...{ custom_id: id, method: 'POST', url },
    body: { model: 'mock', messages: [{ role: 'user', content: `Say ${id}` }], ...more },
  })

const upload = async (lines: readonly string[], openai = client()): Promise<string> =>
  (
    await openai.files.create({
      file: await toFile(Buffer.from(`${lines.join('\n')}\n`), 'in.jsonl'),
      purpose: 'batch',
    })
  ).id

const begin = async (lines: readonly string[], more: object = {}, openai = client()) =>
  await openai.batches.create({
    ...{ input_file_id: await upload(lines, openai), endpoint: '/v1/chat/completions', completion_window: '24h' },
    ...more,
  } as never)

const ended = async (id: string, openai = client()) => {
  for (let look = 0; look < 400; look++) {
    const batch = await openai.batches.retrieve(id)
    if (['completed', 'failed', 'expired', 'cancelled'].includes(batch.status)) return batch
    await Bun.sleep(50)
  }
  throw new Error('the batch has not ended')
}

interface ResultLine {
  readonly id: string
  readonly custom_id: string
  readonly response: { readonly status_code: number; readonly request_id: string; readonly body: OpenAI.ChatCompletion }
  readonly error: { readonly code: string } | null
}

const linesOf = async (id: string | null | undefined): Promise<readonly ResultLine[]> => {
  if (id == null) return []
  const text = await (await client().files.content(id)).text()
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** What a call of the client failed with. It asks only once somebody waits for it. */
const failureOf = async (call: PromiseLike<unknown>): Promise<unknown> => {
  try {
    return await call
  } catch (thrown) {
    return thrown
  }
}

describe('the quick start of the official client, over a provider without batches', () => {
  test('runs: upload, create, wait, read', async () => {
    const ids = Array.from({ length: 60 }, (_, number) => `request-${number}`)
    const batch = await begin(
      ids.map((id) => request(id)),
      { metadata: { job: 'nightly' } },
    )
    expect(batch).toMatchObject({
      ...{ object: 'batch', status: 'validating', endpoint: '/v1/chat/completions', completion_window: '24h' },
      ...{ metadata: { job: 'nightly' }, output_file_id: null, error_file_id: null, errors: null, completed_at: null },
    })
    const done = await ended(batch.id)
    expect(done).toMatchObject({ status: 'completed', request_counts: { total: 60, completed: 60, failed: 0 } })
    expect([done.in_progress_at, done.finalizing_at, done.completed_at].every(Number.isInteger)).toBeTrue()
    const results = await linesOf(done.output_file_id)
    expect(results.map(({ custom_id }) => custom_id)).toEqual(ids)
    expect(new Set(results.map(({ id }) => id)).size).toBe(60)
    for (const { response, error } of results) {
      expect([response.status_code, error]).toEqual([200, null])
      expect(response.body.choices[0]?.message.content).toBeString()
      expect(response.request_id).toBeString()
    }
    expect(done.error_file_id).toBeNull()
    const output = await fetch(`${gateway.url}/v1/batches/${batch.id}/output`, {
      headers: { authorization: `Bearer ${API_KEY}` },
    })
    expect(output.headers.get('content-type')).toBe('application/octet-stream')
    expect(await output.text()).toBe(await (await client().files.content(done.output_file_id ?? '')).text())
    const page = await client().batches.list({ limit: 1 })
    expect(page.data.map(({ id }) => id)).toEqual([batch.id])
  })

  test('at once too, with options and a model of the batch', async () => {
    const openai = client({})
    const line = JSON.stringify({
      custom_id: 'a',
      url: '/v1/chat/completions',
      body: { messages: [{ role: 'user', content: 'Hello' }] },
    })
    const batch = await begin(
      [line],
      {
        completion_window: 'immediate',
        model: 'mock',
        gateway_options: { 'x-gateway-provider': 'mock', metadata: { team: 'a' } },
      },
      openai,
    )
    const done = await ended(batch.id, openai)
    expect(done).toMatchObject({ status: 'completed', completion_window: 'immediate' })
    expect((await linesOf(done.output_file_id))[0]?.response.body.model).toBe('mock')
  })

  test('as calls of its key: guardrails look at each line, and its record names batch and line', async () => {
    const check = { id: 'default.contains', parameters: { words: ['forbidden'], operator: 'none' } }
    const config = { provider: 'mock', before_request_hooks: [{ type: 'guardrail', deny: true, checks: [check] }] }
    const said = { messages: [{ role: 'user', content: 'forbidden' }] }
    const done = await ended((await begin([request('good'), request('bad', said)], { gateway_options: { config } })).id)
    expect((await linesOf(done.output_file_id)).map(({ custom_id }) => custom_id)).toEqual(['good'])
    expect((await linesOf(done.error_file_id))[0]).toMatchObject({ custom_id: 'bad', response: { status_code: 446 } })
    const statusOf = async (line: string): Promise<unknown> => {
      const metadata = encodeURIComponent(JSON.stringify({ _batch: done.id, _batch_line: line }))
      for (let look = 0; look < 100; look++) {
        const { body } = await doneCall(gateway, 'GET', `/v2/logs?metadata=${metadata}`)
        const rows = body.data as readonly { readonly response_status_code: number }[]
        if (rows.length > 0) return rows.map((row) => row.response_status_code)
        await Bun.sleep(100)
      }
      throw new Error(`line ${line} has no record`)
    }
    expect([await statusOf('1'), await statusOf('2')]).toEqual([[200], [446]])
  })

  test('tells each line that failed, and why', async () => {
    const lines = [request('good'), request('bad', { messages: 'no list' }), request('other', { model: '@nobody/m' })]
    const done = await ended((await begin(lines, { completion_window: 'immediate' })).id)
    expect(done).toMatchObject({ status: 'completed', request_counts: { total: 3, completed: 1, failed: 2 } })
    expect((await linesOf(done.output_file_id)).map(({ custom_id }) => custom_id)).toEqual(['good'])
    const errors = await linesOf(done.error_file_id)
    expect(errors.map(({ custom_id, response }) => [custom_id, response.status_code])).toEqual([
      ['bad', 400],
      ['other', 404],
    ])
  })
})

describe('an input that is not sound', () => {
  test.each([
    ['not JSON', [request('a'), '{"custom_id"'], 'invalid_json_line', 2, null],
    ['no object', ['[1]'], 'invalid_json_line', 1, null],
    ['an id twice', [request('a'), '', request('a')], 'duplicate_custom_id', 3, 'custom_id'],
    ['no id', ['{"url":"/v1/chat/completions","body":{}}'], 'missing_custom_id', 1, 'custom_id'],
    ['another endpoint', [request('a', {}, '/v1/embeddings')], 'invalid_url', 1, 'url'],
    [
      'another method',
      ['{"custom_id":"a","method":"GET","url":"/v1/chat/completions","body":{}}'],
      'invalid_method',
      1,
      'method',
    ],
    ['no body', ['{"custom_id":"a","url":"/v1/chat/completions"}'], 'invalid_body', 1, 'body'],
    ['a stream', [request('a', { stream: true })], 'invalid_body', 1, 'body.stream'],
    ['no lines', ['', ' '], 'empty_file', null, null],
  ])('fails the batch, the line named: %s', async (_, lines, code, line, param) => {
    const done = await ended((await begin(lines)).id)
    expect(done).toMatchObject({ status: 'failed', request_counts: { total: 0, completed: 0, failed: 0 } })
    expect(done.failed_at).toBeNumber()
    expect(done.errors?.data?.map((error) => [error.code, error.line ?? null, error.param ?? null])).toEqual([
      [code, line, param],
    ])
  })

  test.each([
    [{ endpoint: '/v1/audio/speech' }, 400, 'endpoint'],
    [{ completion_window: '1h' }, 400, 'completion_window'],
    [{ metadata: { a: 1 } }, 400, 'metadata'],
    [{ input_file_id: 'file-weir-00000000000000000000000000000000' }, 404, 'input_file_id'],
    [{ output_expires_after: { anchor: 'created_at', seconds: 1 } }, 400, 'output_expires_after'],
    [{ gateway_options: { 'x-gateway-api-key': 'a' } }, 400, 'gateway_options.x-gateway-api-key'],
    [{ gateway_options: { metadata: '{' } }, 400, 'gateway_options.metadata'],
  ])('is refused at once: %j', async (more, status, param) => {
    expect(await failureOf(begin([request('a')], more))).toMatchObject({ status, param })
  })

  test('and so is a file that is for something else', async () => {
    const file = await client().files.create({ file: await toFile(Buffer.from('{}'), 'a'), purpose: 'user_data' })
    expect(await failureOf(begin([request('a')], { input_file_id: file.id }))).toMatchObject({
      ...{ status: 400, param: 'input_file_id' },
    })
  })
})

describe('a batch that is not there', () => {
  test('is 404, whatever is asked of it', async () => {
    const id = 'batch_weir_00000000000000000000000000000000'
    const missing = { status: 404, code: 'batch_not_found' }
    expect(await failureOf(client({}).batches.retrieve(id))).toMatchObject(missing)
    expect(await failureOf(client({}).batches.cancel(id))).toMatchObject(missing)
    expect(await failureOf(client().batches.retrieve('batch_other'))).toMatchObject(missing)
  })
})

describe('a batch that is cancelled', () => {
  test('keeps what was answered, and says of the rest that it was not asked', async () => {
    const slow = Array.from({ length: 200 }, (_, number) => request(`slow-${number}`, { model: 'mock:latency=100' }))
    const batch = await begin(slow)
    while ((await client().batches.retrieve(batch.id)).request_counts?.completed === 0) await Bun.sleep(10)
    expect((await client().batches.cancel(batch.id)).status).toBe('cancelling')
    const done = await ended(batch.id)
    const [good, others] = [await linesOf(done.output_file_id), await linesOf(done.error_file_id)]
    expect(done.status).toBe('cancelled')
    expect(good.length + others.length).toBe(200)
    expect(done.request_counts).toEqual({ total: 200, completed: good.length, failed: others.length })
    expect(good.length).toBeGreaterThan(0)
    expect(new Set(others.map(({ error }) => error?.code))).toEqual(new Set(['batch_cancelled']))
  })

  test('when it has ended already is not', async () => {
    const done = await ended((await begin([request('a')])).id)
    expect(await failureOf(client().batches.cancel(done.id))).toMatchObject({ status: 409, code: 'batch_conflict' })
  })
})
