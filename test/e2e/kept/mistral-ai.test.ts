/**
 * Answers are those of "Files Endpoints" and "Batch Endpoints" of docs.mistral.ai, and lines of results those of
 * extra/tests/test_batch.py of mistralai 3.7.0 (PyPI), read 2026-11-24; values are made up where a page leaves them open.
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
  id: '497f6eca-6276-4993-bfeb-53cbbbba6f09',
  object: 'file',
  bytes: 13000,
  created_at: 1716963433,
  filename: 'files_upload.jsonl',
  purpose: 'batch',
  sample_type: 'batch_request',
  num_lines: 2,
  source: 'upload',
}
const JOB = {
  id: 'b1c2d3e4-0000-4000-8000-000000000001',
  object: 'batch',
  input_files: [FILE.id],
  metadata: { job: 'nightly' },
  endpoint: '/v1/chat/completions',
  model: 'mistral-small-latest',
  output_file: null,
  error_file: null,
  errors: [],
  status: 'QUEUED',
  created_at: 1716963500,
  total_requests: 2,
  completed_requests: 0,
  succeeded_requests: 0,
  failed_requests: 0,
  started_at: null,
  completed_at: null,
}
const DONE = {
  ...JOB,
  id: 'b1c2d3e4-0000-4000-8000-000000000002',
  status: 'SUCCESS',
  output_file: 'out-1',
  error_file: 'err-1',
  completed_requests: 2,
  succeeded_requests: 1,
  failed_requests: 1,
  started_at: 1716963510,
  completed_at: 1716963600,
}
const ANSWER = {
  id: 'cmpl-e5cc70bb28c444948073e77776eb30ef',
  object: 'chat.completion',
  model: 'mistral-small-latest',
  usage: { prompt_tokens: 16, completion_tokens: 34, total_tokens: 50 },
  created: 1702256327,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Cheese…' }] },
          { type: 'text', text: 'Comté' },
        ],
      },
      finish_reason: 'stop',
    },
  ],
}
const RESULT = { id: 'batch-0', custom_id: 'a', response: { status_code: 200, body: ANSWER }, error: null }
const FAILED = { custom_id: 'b', response: { status_code: 429, body: null }, error: 'rate limited' }

const body = (text: string, more: object = {}) => ({
  model: 'mistral-small-latest',
  messages: [{ role: 'user', content: text }],
  seed: 7,
  ...more,
})
const SENT = {
  custom_id: 'a',
  body: { model: 'mistral-small-latest', messages: [{ role: 'user', content: 'Cheese?' }], random_seed: 7 },
}

let scene: KeptScene
beforeAll(async () => {
  scene = await startKeptScene('mistral-ai', () => ({
    'POST /v1/files': () => Response.json(FILE),
    'GET /v1/files': ({ path }) =>
      Response.json({
        object: 'list',
        total: 2,
        data: path.includes('page=0') ? [FILE, { ...FILE, id: 'newer', created_at: FILE.created_at + 1 }] : [],
      }),
    [`GET /v1/files/${FILE.id}`]: () => Response.json({ ...FILE, deleted: false }),
    [`DELETE /v1/files/${FILE.id}`]: () => Response.json({ id: FILE.id, object: 'file', deleted: true }),
    [`GET /v1/files/${FILE.id}/content`]: () => new Response(`${JSON.stringify(SENT)}\n{"custom_id":"b","body":{}}\n`),
    'GET /v1/files/out-1/content': () => new Response(`${JSON.stringify(RESULT)}\n`),
    'GET /v1/files/err-1/content': () => new Response(`${JSON.stringify(FAILED)}\n`),
    'POST /v1/batch/jobs': () => Response.json(JOB),
    'GET /v1/batch/jobs': () => Response.json({ object: 'list', total: 2, data: [DONE, JOB] }),
    [`GET /v1/batch/jobs/${JOB.id}`]: () => Response.json(JOB),
    [`GET /v1/batch/jobs/${DONE.id}`]: () => Response.json(DONE),
    [`POST /v1/batch/jobs/${JOB.id}/cancel`]: () => Response.json({ ...JOB, status: 'CANCELLATION_REQUESTED' }),
  }))
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.seen.length = 0
})

describe('files of mistral-ai', () => {
  test('an input of a batch is translated line by line on its way', async () => {
    const lines = [line('a', body('Cheese?')), '', line('b', body('Wine?'))]
    const file = await scene.client.files.create({ file: await inputOf(lines), purpose: 'batch' })
    expect(file).toMatchObject({ id: FILE.id, object: 'file', bytes: 13000, purpose: 'batch', status: 'processed' })
    const [request] = scene.seen
    if (request === undefined) throw new Error('nothing was sent')
    expect(request.headers.get('authorization')).toBe(`Bearer ${PROVIDER_KEY}`)
    expect(Number(request.headers.get('content-length'))).toBe(Buffer.byteLength(request.text))
    const { fields, name, text } = await formOf(request)
    expect([fields, name]).toEqual([{ purpose: 'batch' }, 'in.jsonl'])
    expect(linesOf(text)).toEqual([
      SENT,
      { custom_id: 'b', body: { ...SENT.body, messages: [{ role: 'user', content: 'Wine?' }] } },
    ])
  })

  test.each([
    ['not JSON', [line('a', body('x')), '{"custom_id"'], 'Line 2'],
    ['no body', ['{"custom_id":"a"}'], 'Line 1'],
    ['another kind of call', [line('a', body('x'), '/v1/audio/speech')], 'Line 1'],
    ['a stream', ['', line('a', body('x', { stream: true }))], 'Line 2'],
    ['a request that cannot be', [line('a', body('x')), line('b', { ...body('x'), messages: 'none' })], 'Line 2'],
    ['another model', [line('a', body('x')), line('b', body('x', { model: 'other' }))], 'Line 2'],
    ['no lines', [''], 'no lines'],
  ])('and refused, the line named, with nothing sent: %s', async (_, lines, words) => {
    const failure = await failureOf(scene.client.files.create({ file: await inputOf(lines), purpose: 'batch' }))
    expect(failure).toMatchObject({ status: 400, param: 'file' })
    expect(String(failure)).toContain(words)
    expect(scene.seen).toEqual([])
  })

  test('another file passes as it is', async () => {
    await scene.client.files.create({
      file: new File(['%PDF'], 'über "1".pdf', { type: 'application/pdf' }),
      purpose: 'ocr' as never,
    })
    const [request] = scene.seen
    if (request === undefined) throw new Error('nothing was sent')
    expect(await formOf(request)).toMatchObject({ fields: { purpose: 'ocr' }, type: 'application/pdf', text: '%PDF' })
  })

  test('are listed, shown, read and deleted', async () => {
    const { files } = scene.client
    const page = await files.list({ limit: 1, purpose: 'batch' })
    expect([page.data.map(({ id }) => id), page.has_more]).toEqual([['newer'], true])
    expect((await files.list({ after: 'newer' })).data.map(({ id }) => id)).toEqual([FILE.id])
    expect((await files.retrieve(FILE.id)).filename).toBe('files_upload.jsonl')
    expect(await (await files.content(FILE.id)).text()).toContain('"custom_id":"a"')
    expect(await files.delete(FILE.id)).toEqual({ id: FILE.id, object: 'file', deleted: true })
    expect(scene.seen.map(({ path }) => path)).toEqual([
      '/v1/files?page=0&page_size=100&purpose=batch',
      '/v1/files?page=0&page_size=100',
      `/v1/files/${FILE.id}`,
      `/v1/files/${FILE.id}/content`,
      `/v1/files/${FILE.id}`,
    ])
    expect(await failureOf(files.retrieve('none'))).toMatchObject({ status: 404 })
  })
})

describe('batches of mistral-ai', () => {
  const NEW = {
    input_file_id: FILE.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
    metadata: { job: 'nightly' },
  } as const

  test('take the model of their first line, and say what they are in one form', async () => {
    const batch = await scene.client.batches.create(NEW)
    expect(batch).toMatchObject({
      ...{ id: JOB.id, object: 'batch', status: 'validating', input_file_id: FILE.id, output_file_id: null },
      ...{ request_counts: { total: 2, completed: 0, failed: 0 }, metadata: { job: 'nightly' }, errors: null },
    })
    expect(JSON.parse(scene.seen.at(-1)?.text ?? '')).toEqual({
      ...{ input_files: [FILE.id], endpoint: '/v1/chat/completions', timeout_hours: 24 },
      ...{ metadata: { job: 'nightly' }, model: 'mistral-small-latest' },
    })
    await scene.client.batches.create({ ...NEW, model: 'mistral-large-latest' } as never)
    expect(JSON.parse(scene.seen.at(-1)?.text ?? '').model).toBe('mistral-large-latest')
    const bad = scene.client.batches.create({ ...NEW, endpoint: '/v1/responses' })
    expect(await failureOf(bad)).toMatchObject({ status: 400, param: 'endpoint' })
  })

  test('are listed, shown and cancelled', async () => {
    const { batches } = scene.client
    const page = await batches.list({ limit: 1 })
    expect([page.data.map(({ id }) => id), page.has_more]).toEqual([[DONE.id], true])
    const done = await batches.retrieve(DONE.id)
    expect(done).toMatchObject({
      ...{ status: 'completed', output_file_id: 'out-1', error_file_id: 'err-1', completed_at: 1716963600 },
      ...{ in_progress_at: 1716963510, request_counts: { total: 2, completed: 1, failed: 1 } },
    })
    expect((await batches.cancel(JOB.id)).status).toBe('cancelling')
  })

  test('give their results in one form, failures behind them', async () => {
    const { status, type, text } = await outputOf(scene, 'mistral-ai', DONE.id)
    expect([status, type]).toEqual([200, 'application/octet-stream'])
    const [good, failed] = linesOf(text)
    expect(good).toMatchObject({ id: 'batch-0', custom_id: 'a', error: null, response: { status_code: 200 } })
    expect(good?.response).toMatchObject({
      body: { choices: [{ message: { content: 'Comté', reasoning_content: 'Cheese…' } }] },
    })
    expect(failed).toEqual({
      ...{ id: 'batch_req_2', custom_id: 'b', response: { status_code: 429, request_id: '', body: null } },
      error: { code: 'request_failed', message: 'rate limited' },
    })
    const early = await outputOf(scene, 'mistral-ai', JOB.id)
    expect([early.status, JSON.parse(early.text).error.code]).toEqual([409, 'batch_conflict'])
  })
})
