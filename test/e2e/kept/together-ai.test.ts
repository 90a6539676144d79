/**
 * Answers are those of "Create a batch job" and "List all files" of Together's API reference and of its "Run a batch job", in the types
 * of together-ai 0.52.0 (npm), read 2026-11-24; how a file goes up is that of its lib/upload.ts. Lines of results are made after the
 * envelope that inspect_ai and others read them by.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  failureOf,
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
  id: 'file-input123abc456def',
  object: 'file',
  bytes: 2048,
  created_at: 1715021438,
  filename: 'in.jsonl',
  purpose: 'batch-api',
  FileType: 'jsonl',
  Processed: true,
}
const JOB = {
  id: '01234567-8901-2345-6789-012345678901',
  user_id: 'user_789xyz012',
  input_file_id: FILE.id,
  file_size_bytes: 1048576,
  status: 'IN_PROGRESS',
  job_deadline: '2024-01-16T14:30:00Z',
  created_at: '2024-01-15T14:30:00Z',
  endpoint: '/v1/chat/completions',
  progress: 75,
  model_id: 'meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo',
}
const DONE = {
  ...JOB,
  id: 'done-1',
  status: 'COMPLETED',
  created_at: '2024-01-14T14:30:00Z',
  output_file_id: 'file-output789xyz012ghi',
  error_file_id: 'file-errors456def789jkl',
  completed_at: '2024-01-15T15:45:30Z',
}
const ANSWER = {
  id: 'nz1-1',
  object: 'chat.completion',
  created: 1705329930,
  model: JOB.model_id,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi', reasoning: 'Hm.' }, finish_reason: 'eos' }],
  usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
}

let scene: KeptScene
beforeAll(async () => {
  scene = await startKeptScene('together-ai', (url) => ({
    'POST /v1/files': () =>
      new Response(null, {
        status: 302,
        headers: { location: `${url}/signed/put?signature=1`, 'x-together-file-id': FILE.id },
      }),
    'PUT /signed/put': () => new Response(null),
    [`POST /v1/files/${FILE.id}/preprocess`]: () => Response.json(FILE),
    'GET /v1/files': () =>
      Response.json({ data: [{ ...FILE, id: 'older', created_at: 1, purpose: 'fine-tune' }, FILE] }),
    [`GET /v1/files/${FILE.id}`]: () => Response.json(FILE),
    [`DELETE /v1/files/${FILE.id}`]: () => Response.json({ id: FILE.id, deleted: true }),
    [`GET /v1/files/${FILE.id}/content`]: () => new Response('{}\n'),
    'POST /v1/batches': () => Response.json({ job: { ...JOB, status: 'VALIDATING' }, warning: '' }, { status: 201 }),
    'GET /v1/batches': () => Response.json([DONE, JOB]),
    [`GET /v1/batches/${JOB.id}`]: () => Response.json(JOB),
    'GET /v1/batches/done-1': () => Response.json(DONE),
    'GET /v1/batches/gone': () => Response.json({ ...DONE, output_file_id: 'file-gone' }),
    [`POST /v1/batches/${JOB.id}/cancel`]: () => Response.json({ ...JOB, status: 'CANCELLED' }),
    [`GET /v1/files/${DONE.output_file_id}/content`]: () =>
      new Response(`${JSON.stringify({ custom_id: 'a', response: { status_code: 200, body: ANSWER } })}\n`),
    [`GET /v1/files/${DONE.error_file_id}/content`]: () =>
      new Response(`${JSON.stringify({ custom_id: 'b', error: { message: 'Invalid model', code: 'bad_model' } })}\n`),
  }))
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.seen.length = 0
})

const body = (text: string) => ({
  model: JOB.model_id,
  messages: [{ role: 'user', content: text }],
  max_completion_tokens: 5,
})
const SENT = {
  custom_id: 'a',
  body: { model: JOB.model_id, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5 },
}

describe('files of together-ai', () => {
  test('go to the signed place that they are given, without the key, line by line', async () => {
    const file = await scene.client.files.create({
      file: await inputOf([line('a', body('Hi')), line('b', body('Hi'))]),
      purpose: 'batch',
    })
    expect(file).toMatchObject({ id: FILE.id, purpose: 'batch', bytes: 2048, status: 'processed' })
    const [placed, put, done] = scene.seen
    expect(placed?.path).toBe('/v1/files?purpose=batch-api&file_name=in.jsonl&file_type=jsonl')
    expect(placed?.headers.get('authorization')).toBe(`Bearer ${PROVIDER_KEY}`)
    expect([put?.method, put?.path, put?.headers.get('authorization')]).toEqual([
      'PUT',
      '/signed/put?signature=1',
      null,
    ])
    expect(Number(put?.headers.get('content-length'))).toBe(Buffer.byteLength(put?.text ?? ''))
    expect(linesOf(put?.text ?? '')).toEqual([SENT, { ...SENT, custom_id: 'b' }])
    expect(done?.path).toBe(`/v1/files/${FILE.id}/preprocess`)
  })

  test('of another purpose pass as they are, in the types that there are', async () => {
    await scene.client.files.create({ file: new File(['{"text":"x"}'], 'train.jsonl'), purpose: 'fine-tune' })
    expect(scene.seen[1]?.text).toBe('{"text":"x"}')
    const other = scene.client.files.create({ file: new File(['x'], 'a.pdf'), purpose: 'fine-tune' })
    expect(await failureOf(other)).toMatchObject({ status: 400, param: 'file' })
    const bad = scene.client.files.create({ file: await inputOf([line('a', body('x')), 'x']), purpose: 'batch' })
    expect(await failureOf(bad)).toMatchObject({
      status: 400,
      param: 'file',
      message: expect.stringContaining('Line 2'),
    })
  })

  test('are listed, shown, read and deleted', async () => {
    const { files } = scene.client
    expect((await files.list()).data.map(({ id }) => id)).toEqual([FILE.id, 'older'])
    expect((await files.list({ purpose: 'batch' })).data.map(({ id }) => id)).toEqual([FILE.id])
    expect((await files.retrieve(FILE.id)).created_at).toBe(1715021438)
    expect(await (await files.content(FILE.id)).text()).toBe('{}\n')
    expect(await files.delete(FILE.id)).toEqual({ id: FILE.id, object: 'file', deleted: true })
  })
})

describe('batches of together-ai', () => {
  test('are made, listed, shown and cancelled', async () => {
    const { batches } = scene.client
    const { data: batch, response } = await batches
      .create({
        ...{ input_file_id: FILE.id, endpoint: '/v1/chat/completions', completion_window: '24h' },
        metadata: { job: 'nightly' },
      })
      .withResponse()
    expect(response.headers.get('x-gateway-dropped-params')).toBe('metadata')
    expect(batch).toMatchObject({ id: JOB.id, object: 'batch', status: 'validating', input_file_id: FILE.id })
    expect(JSON.parse(scene.seen[0]?.text ?? '')).toEqual({
      ...{ endpoint: '/v1/chat/completions', input_file_id: FILE.id, completion_window: '24h' },
    })
    const page = await batches.list({ limit: 1 })
    expect([page.data.map(({ id }) => id), page.has_more]).toEqual([[JOB.id], true])
    expect(await batches.retrieve('done-1')).toMatchObject({
      ...{ status: 'completed', output_file_id: DONE.output_file_id, created_at: 1705242600, completed_at: 1705333530 },
    })
    expect((await batches.cancel(JOB.id)).status).toBe('cancelled')
  })

  test('give their results in one form', async () => {
    const { status, text } = await outputOf(scene, 'together-ai', 'done-1')
    expect(status).toBe(200)
    const [good, bad] = linesOf(text)
    expect(good?.response).toMatchObject({
      status_code: 200,
      body: { choices: [{ message: { content: 'Hi', reasoning_content: 'Hm.' }, finish_reason: 'stop' }] },
    })
    expect(bad).toEqual({
      ...{ id: 'batch_req_2', custom_id: 'b', response: null },
      error: { code: 'bad_model', message: 'Invalid model' },
    })
    expect((await outputOf(scene, 'together-ai', JOB.id)).status).toBe(409)
    expect((await outputOf(scene, 'together-ai', 'gone')).status).toBe(404)
  })
})
