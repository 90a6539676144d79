/**
 * Answers are those of "Upload File", "Create a Message Batch" and "Retrieve Message Batch results" of the API reference of Anthropic,
 * in the types of @anthropic-ai/sdk 1.12.0 (npm), read 2026-11-24.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  failureOf,
  formOf,
  inputOf,
  type KeptScene,
  line,
  linesOf,
  outputOf,
  PROVIDER_KEY,
  startKeptScene,
} from './support/scene.ts'

setDefaultTimeout(20_000)

const FILE = {
  id: 'file_011CNha8iCJcU1wXNR6q4V8w',
  created_at: '2025-04-15T18:37:24.100435Z',
  filename: 'document.pdf',
  mime_type: 'application/pdf',
  size_bytes: 102400,
  type: 'file',
  downloadable: false,
  expires_at: null,
}
const BATCH = {
  id: 'msgbatch_013Zva2CMHLNnXjNJJKqJ2EF',
  type: 'message_batch',
  processing_status: 'in_progress',
  request_counts: { processing: 2, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
  ended_at: null,
  created_at: '2024-08-20T18:37:24.100435Z',
  expires_at: '2024-08-21T18:37:24.100435Z',
  archived_at: null,
  cancel_initiated_at: null,
  results_url: null,
}
const ENDED = {
  ...BATCH,
  id: 'msgbatch_01HkcTjaV5uDC8jWR4ZsDV8d',
  processing_status: 'ended',
  request_counts: { processing: 0, succeeded: 1, errored: 1, canceled: 1, expired: 0 },
  ended_at: '2024-08-20T18:47:24.100435Z',
  results_url: 'https://api.anthropic.com/v1/messages/batches/msgbatch_01HkcTjaV5uDC8jWR4ZsDV8d/results',
}
const RESULTS = [
  {
    custom_id: 'my-second-request',
    result: {
      type: 'succeeded',
      message: {
        id: 'msg_014VwiXbi91y3JMjcpyGBHX5',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5-20250929',
        content: [{ type: 'text', text: "Hello again! It's nice to see you." }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 11, output_tokens: 36 },
      },
    },
  },
  {
    custom_id: 'my-first-request',
    result: {
      type: 'errored',
      error: { type: 'error', error: { type: 'invalid_request_error', message: 'bad' }, request_id: 'req_1' },
    },
  },
  { custom_id: 'my-third-request', result: { type: 'canceled' } },
]

let scene: KeptScene
beforeAll(async () => {
  scene = await startKeptScene('anthropic', () => ({
    'POST /v1/files': () => Response.json(FILE),
    'GET /v1/files': ({ path }) =>
      Response.json(
        path.includes('page=second')
          ? { data: [{ ...FILE, id: 'file_older' }], next_page: null }
          : { data: [FILE], next_page: 'second' },
      ),
    [`GET /v1/files/${FILE.id}`]: () => Response.json(FILE),
    [`DELETE /v1/files/${FILE.id}`]: () => Response.json({ id: FILE.id, type: 'file_deleted' }),
    [`GET /v1/files/${FILE.id}/content`]: () => new Response('%PDF'),
    'POST /v1/messages/batches': () => Response.json(BATCH),
    'GET /v1/messages/batches': () =>
      Response.json({ data: [ENDED], has_more: true, first_id: ENDED.id, last_id: ENDED.id }),
    [`GET /v1/messages/batches/${BATCH.id}`]: () => Response.json(BATCH),
    [`GET /v1/messages/batches/${ENDED.id}`]: () => Response.json(ENDED),
    [`POST /v1/messages/batches/${BATCH.id}/cancel`]: () =>
      Response.json({ ...BATCH, processing_status: 'canceling', cancel_initiated_at: BATCH.created_at }),
    [`GET /v1/messages/batches/${ENDED.id}/results`]: () =>
      new Response(`${RESULTS.map((each) => JSON.stringify(each)).join('\n')}\n`, {
        headers: { 'content-type': 'application/x-jsonl' },
      }),
  }))
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.seen.length = 0
})

const body = (text: string, more: object = {}) => ({
  model: 'claude-sonnet-4-5',
  max_completion_tokens: 100,
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: text },
  ],
  ...more,
})
const upload = async (lines: readonly string[]) =>
  await scene.client.files.create({ file: await inputOf(lines), purpose: 'batch' })
const begin = async (lines: readonly string[], more: object = {}) =>
  await scene.client.batches.create({
    ...{ input_file_id: (await upload(lines)).id, endpoint: '/v1/chat/completions', completion_window: '24h' },
    ...more,
  } as never)

describe('files of anthropic', () => {
  test('are sent as they are, with the time that they shall be kept for', async () => {
    const file = await scene.client.files.create({
      file: new File(['%PDF'], 'a.pdf', { type: 'application/pdf' }),
      purpose: 'user_data',
      expires_after: { anchor: 'created_at', seconds: 7200 },
    })
    expect(file as object).toEqual({
      ...{ id: FILE.id, object: 'file', bytes: 102400, created_at: 1744742244, expires_at: null },
      ...{ filename: 'document.pdf', purpose: 'user_data', status: 'processed', status_details: null },
    })
    const [request] = scene.seen
    if (request === undefined) throw new Error('nothing was sent')
    expect([request.headers.get('x-api-key'), request.headers.get('anthropic-version')]).toEqual([
      PROVIDER_KEY,
      '2023-06-01',
    ])
    expect(await formOf(request)).toEqual({
      ...{ fields: { expires_in_seconds: '7200' }, name: 'a.pdf', type: 'application/pdf', text: '%PDF' },
    })
  })

  test('are listed over all pages, shown, read and deleted', async () => {
    const { files } = scene.client
    expect((await files.list()).data.map(({ id }) => id)).toEqual([FILE.id, 'file_older'])
    expect((await files.retrieve(FILE.id)).bytes).toBe(102400)
    expect(await (await files.content(FILE.id)).text()).toBe('%PDF')
    expect(await files.delete(FILE.id)).toEqual({ id: FILE.id, object: 'file', deleted: true })
  })

  test('of a batch stay with Weir', async () => {
    expect((await upload([line('a', body('Hi'))])).id).toStartWith('file-weir-')
    expect(scene.seen).toEqual([])
  })
})

describe('batches of anthropic', () => {
  test('are made of the translated lines', async () => {
    const batch = await begin([line('my-first-request', body('Hello')), line('my-second-request', body('Hi again'))])
    expect(batch).toMatchObject({
      ...{ id: BATCH.id, object: 'batch', status: 'in_progress', endpoint: '/v1/chat/completions' },
      ...{ request_counts: { total: 2, completed: 0, failed: 0 }, output_file_id: null, created_at: 1724179044 },
    })
    expect(batch.input_file_id).toStartWith('file-weir-')
    const [request] = scene.seen
    expect(request?.headers.get('content-type')).toBe('application/json')
    expect(Number(request?.headers.get('content-length'))).toBe(Buffer.byteLength(request?.text ?? ''))
    const params = { model: 'claude-sonnet-4-5', max_tokens: 100, system: [{ type: 'text', text: 'Be kind.' }] }
    const messages = (text: string) => [{ role: 'user', content: [{ type: 'text', text }] }]
    expect(JSON.parse(request?.text ?? '')).toMatchObject({
      requests: [
        { custom_id: 'my-first-request', params: { ...params, messages: messages('Hello') } },
        { custom_id: 'my-second-request', params: { ...params, messages: messages('Hi again') } },
      ],
    })
  })

  test('take the model of the call for lines without one', async () => {
    await begin([line('a', { ...body('Hi'), model: undefined })], { model: 'claude-haiku-4-5' })
    expect(JSON.parse(scene.seen[0]?.text ?? '').requests[0].params.model).toBe('claude-haiku-4-5')
  })

  test.each([
    ['a line that is not JSON', [line('a', body('x')), '{'], {}, 'Line 2', 'input_file_id'],
    ['a line that cannot be asked', [line('a', { ...body('x'), messages: 'none' })], {}, 'Line 1', 'input_file_id'],
    ['another kind of line', [line('a', { input: 'x' }, '/v1/embeddings')], {}, 'Line 1', 'input_file_id'],
    ['another window', [line('a', body('x'))], { completion_window: '1h' }, 'completion_window', 'completion_window'],
  ])('and refused, with nothing sent: %s', async (_, lines, more, words, param) => {
    const failure = await failureOf(begin(lines, more))
    expect(failure).toMatchObject({ status: 400, param })
    expect(String(failure)).toContain(words)
    expect(scene.seen).toEqual([])
  })

  test.each([
    { completion_window: 'immediate' },
    { gateway_options: { metadata: { team: 'a' } } },
    { endpoint: '/v1/embeddings' },
  ])('are run by Weir, which has no store here, with %j', async (more) => {
    expect(await failureOf(begin([line('a', body('x'))], more))).toMatchObject({ status: 503 })
    expect(scene.seen).toEqual([])
  })

  test('need an input of the workspace', async () => {
    const asked = (id: string) =>
      failureOf(
        scene.client.batches.create({
          ...{ input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' },
        }),
      )
    for (const id of ['file_011', 'file-weir-00000000000000000000000000000000']) {
      expect(await asked(id)).toMatchObject({ status: 404, param: 'input_file_id' })
    }
  })

  test('are listed, shown and cancelled', async () => {
    const { batches } = scene.client
    const page = await batches.list({ limit: 1, after: 'msgbatch_1' })
    expect([page.data.map(({ id }) => id), page.has_more]).toEqual([[ENDED.id], true])
    expect(scene.seen[0]?.path).toBe('/v1/messages/batches?limit=1&after_id=msgbatch_1')
    expect(await batches.retrieve(ENDED.id)).toMatchObject({
      ...{ status: 'completed', output_file_id: ENDED.id, completed_at: 1724179644 },
      ...{ request_counts: { total: 3, completed: 1, failed: 2 } },
    })
    expect((await batches.cancel(BATCH.id)).status).toBe('cancelling')
  })

  test('give their results in one form, as the output of the batch and as its file', async () => {
    const { status, text } = await outputOf(scene, 'anthropic', ENDED.id)
    expect(status).toBe(200)
    const [good, bad, cancelled] = linesOf(text)
    expect(good).toMatchObject({
      ...{ custom_id: 'my-second-request', error: null },
      response: {
        status_code: 200,
        body: {
          ...{ object: 'chat.completion', model: 'claude-sonnet-4-5-20250929' },
          choices: [{ message: { content: "Hello again! It's nice to see you." }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 11, completion_tokens: 36, total_tokens: 47 },
        },
      },
    })
    expect(bad).toEqual({
      ...{ id: 'batch_req_2', custom_id: 'my-first-request', error: null },
      response: {
        ...{ status_code: 400, request_id: 'req_1' },
        body: { error: { message: 'bad', type: 'invalid_request_error', param: null, code: null } },
      },
    })
    expect(cancelled).toMatchObject({ response: null, error: { code: 'batch_cancelled' } })
    expect(linesOf(await (await scene.client.files.content(ENDED.id)).text())).toHaveLength(3)
    expect((await outputOf(scene, 'anthropic', BATCH.id)).status).toBe(409)
  })
})
