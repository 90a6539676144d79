import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import {
  failureOf,
  inputOf,
  type KeptScene,
  line,
  linesOf,
  outputOf,
  PROVIDER_KEY,
  type Seen,
  startKeptScene,
} from './support/scene.ts'

/**
 * Answers of a server that stands for Gemini: batches as recorded in googleapis/python-genai issue 1323 and flachesis/gemini-rust
 * pull request 13, lines of results as recorded in vienneraphael/batchling (tests), files after `File` of @google/genai 2.32.0; read
 * 2026-11-24.
 */
const MODEL = 'gemini-2.0-flash'
const files = new Map<string, Record<string, unknown>>()
let state = 'BATCH_STATE_PENDING'
let batch: Record<string, unknown> = {}

const RESULTS = `{"response":{"usageMetadata":{"candidatesTokenCount":8,"promptTokensDetails":[{"modality":"TEXT","tokenCount":13}],"promptTokenCount":13,"totalTokenCount":21,"candidatesTokensDetails":[{"tokenCount":8,"modality":"TEXT"}]},"modelVersion":"gemini-2.0-flash","candidates":[{"content":{"parts":[{"text":"The capital of France is Paris."}],"role":"model"},"finishReason":"STOP"}],"responseId":"JbL5aKK8Bdzgz7IPu7C48AY"},"key":"one"}
{"key":"two","error":{"code":429,"message":"Resource has been exhausted","status":"RESOURCE_EXHAUSTED"}}
`

const operation = () => ({
  name: 'batches/7h9w4gzuqot3bb3fpd1e2nqcp980iwnmjs7n',
  metadata: {
    '@type': 'type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch',
    ...batch,
    createTime: '2025-09-07T11:55:07.827892252Z',
    updateTime: '2025-09-07T11:56:07.827892252Z',
    state,
    name: 'batches/7h9w4gzuqot3bb3fpd1e2nqcp980iwnmjs7n',
    ...(state === 'BATCH_STATE_SUCCEEDED'
      ? {
          endTime: '2025-09-07T11:57:07Z',
          batchStats: { requestCount: '2', successfulRequestCount: '1', failedRequestCount: '1' },
          output: { responsesFile: 'files/batch-7h9w4gzuqot3' },
        }
      : { batchStats: { requestCount: '2', pendingRequestCount: '2' } }),
  },
  ...(state === 'BATCH_STATE_SUCCEEDED' ? { done: true, response: { responsesFile: 'files/batch-7h9w4gzuqot3' } } : {}),
})

const started = new Map<string, Record<string, unknown>>()

const answer = ({ method, path, text, headers }: Seen, url: string): Response => {
  const at = `${method} ${path}`
  if (at === 'POST /upload/v1beta/files') {
    started.set('abc123', JSON.parse(text).file)
    return new Response('', { headers: { 'x-goog-upload-url': `${url}/upload/v1beta/files?upload_id=abc123` } })
  }
  if (at === 'POST /upload/v1beta/files?upload_id=abc123') {
    const name = `files/85nave4ld71j${files.size}`
    const file = {
      ...started.get('abc123'),
      ...{ name, state: 'ACTIVE', source: 'UPLOADED', uri: `https://generativelanguage.googleapis.com/v1beta/${name}` },
      ...{ createTime: '2025-09-07T11:54:56.064814848Z', expirationTime: '2025-09-09T11:54:56Z' },
      sizeBytes: String(Buffer.byteLength(text)),
    }
    expect(headers.get('content-length')).toBe(file.sizeBytes)
    files.set(name, file)
    return Response.json({ file }, { headers: { 'x-goog-upload-status': 'final' } })
  }
  if (at === 'GET /v1beta/files?pageSize=100')
    return Response.json({ files: [...files.values()].slice(0, 1), nextPageToken: 'p2' })
  if (at === 'GET /v1beta/files?pageSize=100&pageToken=p2')
    return Response.json({ files: [...files.values()].slice(1) })
  if (at === `POST /v1beta/models/${MODEL}:batchGenerateContent`) {
    batch = { model: `models/${MODEL}`, ...JSON.parse(text).batch }
    return Response.json(operation())
  }
  if (at.startsWith('GET /v1beta/batches?')) return Response.json({ operations: [operation()] })
  if (at.startsWith('GET /v1beta/batches/7h9w4')) return Response.json(operation())
  if (at.endsWith(':cancel')) return Response.json({})
  if (at === 'GET /v1beta/files/batch-7h9w4gzuqot3:download?alt=media') return new Response(RESULTS)
  if (at === 'GET /v1beta/files/batch-7h9w4gzuqot3')
    return Response.json({ name: 'files/batch-7h9w4gzuqot3', source: 'GENERATED', sizeBytes: '700', state: 'ACTIVE' })
  const file = files.get(path.replace('/v1beta/', ''))
  if (method === 'GET' && file !== undefined) return Response.json(file)
  if (method === 'DELETE' && file !== undefined) return Response.json({})
  return Response.json(
    { error: { code: 404, message: 'Requested entity was not found.', status: 'NOT_FOUND' } },
    { status: 404 },
  )
}

let scene: KeptScene
beforeAll(async () => {
  scene = await startKeptScene('google', (url) => (seen) => answer(seen, url), { basePath: '/v1beta' })
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.seen.length = 0
  state = 'BATCH_STATE_PENDING'
})

const upload = async (...lines: readonly string[]) =>
  await scene.client.files.create({ file: await inputOf(lines), purpose: 'batch' })

const chatLine = (id: string, model: string, content: string, more: object = {}): string =>
  line(id, { model, messages: [{ role: 'user', content }], ...more })

const LINES = [
  chatLine('one', MODEL, 'What is the capital of France?', { max_tokens: 20 }),
  chatLine('two', `@google/${MODEL}`, 'What is the capital of Italy?', { logit_bias: { 5: 1 } }),
]

test('a file for a batch goes out in the words of Gemini, its key to no signed address', async () => {
  const file = await upload(...LINES)
  expect(file).toMatchObject({
    ...{ id: 'files-85nave4ld71j0', object: 'file', purpose: 'batch', filename: 'in.jsonl', status: 'processed' },
    ...{ created_at: 1_757_246_096, expires_at: 1_757_418_896, status_details: 'Left out of its lines: logit_bias' },
  })
  const [start, sent] = scene.seen
  expect(start?.headers.get('x-goog-api-key')).toBe(PROVIDER_KEY)
  expect(start?.headers.get('x-goog-upload-header-content-length')).toBe(String(sent?.text.length))
  expect(sent?.headers.get('x-goog-api-key')).toBeNull()
  expect(sent?.headers.get('x-goog-upload-command')).toBe('upload, finalize')
  expect(linesOf(sent?.text ?? '')).toEqual([
    {
      key: 'one',
      request: {
        contents: [{ role: 'user', parts: [{ text: 'What is the capital of France?' }] }],
        generationConfig: { maxOutputTokens: 20 },
      },
    },
    { key: 'two', request: { contents: [{ role: 'user', parts: [{ text: 'What is the capital of Italy?' }] }] } },
  ])
  expect(file.bytes).toBe(sent?.text.length ?? 0)
})

test('files are listed over pages, shown and deleted', async () => {
  const { client } = scene
  const picture = await client.files.create({
    file: new File(['x'], 'a.png', { type: 'image/png' }),
    purpose: 'vision',
  })
  expect(picture).toMatchObject({ purpose: 'vision', filename: 'a.png', bytes: 1 })
  const listed: string[] = []
  for await (const { id } of client.files.list({ limit: 1 })) listed.push(id)
  expect(listed).toEqual(['files-85nave4ld71j0', 'files-85nave4ld71j1'])
  expect((await client.files.list({ purpose: 'vision' })).data.map(({ id }) => id)).toEqual([picture.id])
  expect(await client.files.retrieve(picture.id)).toEqual(picture)
  expect(await client.files.delete(picture.id)).toEqual({ id: picture.id, object: 'file', deleted: true })
  expect(await failureOf(client.files.retrieve('files-nothing'))).toMatchObject({ status: 404, type: 'NOT_FOUND' })
  expect(await failureOf(client.files.retrieve('other'))).toMatchObject({ status: 400, param: 'file_id' })
})

test('a batch runs at Gemini: create, retrieve, list, cancel, results', async () => {
  const { client } = scene
  const input = {
    input_file_id: 'files-85nave4ld71j0',
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  } as const
  const made = await client.batches.create(input)
  expect(made).toMatchObject({
    ...{ object: 'batch', id: 'batches-7h9w4gzuqot3bb3fpd1e2nqcp980iwnmjs7n', status: 'validating', model: MODEL },
    ...{
      input_file_id: 'files-85nave4ld71j0',
      endpoint: '/v1/chat/completions',
      output_file_id: null,
      completed_at: null,
    },
    ...{ created_at: 1_757_246_107, request_counts: { total: 2, completed: 0, failed: 0 } },
  })
  expect(JSON.parse(scene.seen.at(-1)?.text ?? '')).toEqual({
    batch: { displayName: expect.stringMatching(/^weir-/), inputConfig: { fileName: 'files/85nave4ld71j0' } },
  })
  expect(await failureOf(client.batches.create({ ...input, endpoint: '/v1/embeddings' }))).toMatchObject({
    param: 'endpoint',
  })
  state = 'BATCH_STATE_RUNNING'
  expect((await client.batches.retrieve(made.id)).status).toBe('in_progress')
  expect((await client.batches.cancel(made.id)).status).toBe('cancelling')
  expect((await outputOf(scene, 'google', made.id)).status).toBe(409)
  state = 'BATCH_STATE_SUCCEEDED'
  const page = await client.batches.list()
  const [done] = page.data
  expect(done).toMatchObject({
    ...{ id: made.id, status: 'completed', completed_at: 1_757_246_227 },
    request_counts: { total: 2, completed: 1, failed: 1 },
  })
  const text = await (await client.files.content(done?.output_file_id ?? '')).text()
  const [one, two] = linesOf(text)
  expect(one?.response).toMatchObject({
    status_code: 200,
    request_id: 'JbL5aKK8Bdzgz7IPu7C48AY',
    body: {
      // Gemini does not say when it was written: it counts as the end of the batch, whenever it is read.
      ...{ object: 'chat.completion', model: 'gemini-2.0-flash', created: 1_757_246_227 },
      choices: [{ message: { role: 'assistant', content: 'The capital of France is Paris.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 13, completion_tokens: 8, total_tokens: 21 },
    },
  })
  expect(two).toMatchObject({
    response: null,
    error: { code: 'RESOURCE_EXHAUSTED', message: 'Resource has been exhausted' },
  })
  expect((await outputOf(scene, 'google', made.id)).text).toBe(text)
  expect(await client.files.retrieve(done?.output_file_id ?? '')).toMatchObject({ purpose: 'batch_output', bytes: 700 })
})

test('embeddings are lines of their own method', async () => {
  const embed = (input: unknown) =>
    line('e', { model: 'gemini-embedding-001', input, dimensions: 512 }, '/v1/embeddings')
  await upload(embed('Explain GenAI'))
  expect(scene.seen.at(-1)?.text).toBe(
    '{"key":"e","request":{"content":{"parts":[{"text":"Explain GenAI"}]},"outputDimensionality":512}}\n',
  )
  expect(await failureOf(upload(embed(['a', 'b'])))).toMatchObject({ status: 400, param: 'file' })
})

test.each([
  ['no JSON', ['{'], 'Line 1: it is not JSON.'],
  ['no such url', ['{"custom_id":"a","url":"/v1/images","body":{"model":"m"}}'], 'Line 1: `url` must be one of'],
  ['no model', ['{"custom_id":"a","body":{}}'], 'Line 1: `body.model` must be a text.'],
  ['an id twice', [LINES[0], LINES[0]], "Line 2: the `custom_id` 'one' stands there twice."],
  ['another model', [LINES[0], chatLine('x', 'gemini-2.5-pro', 'Hi')], 'Line 2: all lines must be for one model'],
  ['a field that is wrong', [LINES[0], chatLine('x', MODEL, 'Hi', { n: 'two' })], 'Line 2: '],
  ['a stream', [chatLine('x', MODEL, 'Hi', { stream: true })], 'Line 1: '],
] as const)('a line that is not sound is told of before anything goes out: %s', async (_, lines, message) => {
  const failure = await failureOf(upload(...(lines as readonly string[])))
  expect(failure).toMatchObject({ status: 400, param: 'file', message: expect.stringContaining(message) })
  expect(scene.seen).toEqual([])
})
