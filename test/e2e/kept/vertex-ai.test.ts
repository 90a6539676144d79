/**
 * Jobs and lines of results are those of "Batch inference from Cloud Storage" and "Batch predictions with Anthropic Claude models" of
 * docs.cloud.google.com, and of the types of google-genai 3.6.1 (PyPI); objects those of the JSON API of Cloud Storage; read 2026-11-25.
 * Values are made up where a page leaves them open.
 */
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import {
  failureOf,
  type KeptScene,
  line,
  linesOf,
  outputOf,
  PROVIDER_KEY,
  type Seen,
  startKeptScene,
} from './support/scene.ts'

setDefaultTimeout(20_000)

const MODEL = 'gemini-2.5-flash'
const AT = '/v1/projects/acme/locations/us-central1/batchPredictionJobs'
const FOLDER = 'weir-batches/x/prediction-model-2026-09-02T20:06:30.166279Z'

/** Objects by their names. */
const objects = new Map<string, { readonly text: string; readonly timeCreated: string }>()
let state = 'JOB_STATE_PENDING'
let asked: Record<string, unknown> = {}

const job = (id = '4242') => ({
  name: `projects/123/locations/us-central1/batchPredictionJobs/${id}`,
  ...asked,
  state,
  createTime: '2026-09-02T20:06:30.166279Z',
  updateTime: '2026-09-02T20:08:30Z',
  ...(state === 'JOB_STATE_SUCCEEDED'
    ? {
        endTime: '2026-09-02T20:08:30Z',
        completionStats: { successfulCount: '1', failedCount: '1', incompleteCount: '-1' },
        outputInfo: { gcsOutputDirectory: `gs://weir-files/${FOLDER}` },
      }
    : {}),
  ...(state === 'JOB_STATE_FAILED' ? { error: { code: 9, message: 'Failed to get GCS bucket location.' } } : {}),
})

const shown = (name: string) => ({
  name,
  size: String(Buffer.byteLength(objects.get(name)?.text ?? '')),
  timeCreated: objects.get(name)?.timeCreated,
})

const notFound = () =>
  Response.json({ error: { code: 404, message: 'No such object', status: 'NOT_FOUND' } }, { status: 404 })

const ofStorage = ({ method, path, text }: Seen): Response | undefined => {
  const url = new URL(path, 'http://x')
  const [, upload, bucket, named] = /^\/(upload\/)?storage\/v1\/b\/([^/]+)\/o(?:\/([^/]+))?$/.exec(url.pathname) ?? []
  if (bucket === undefined) return undefined
  if (upload !== undefined) {
    const name = url.searchParams.get('name') ?? ''
    objects.set(name, { text, timeCreated: new Date(1_756_843_590_000 + objects.size * 1000).toISOString() })
    return Response.json(shown(name))
  }
  if (named === undefined) {
    const [prefix, start] = [url.searchParams.get('prefix') ?? '', url.searchParams.get('startOffset') ?? '']
    const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name >= start).toSorted()
    // Pages of two, as there may be of any size.
    const from = Number(url.searchParams.get('pageToken') ?? 0)
    const nextPageToken = from + 2 < names.length ? String(from + 2) : undefined
    return Response.json({ items: names.slice(from, from + 2).map(shown), nextPageToken })
  }
  const name = decodeURIComponent(named)
  if (!objects.has(name)) return notFound()
  if (method === 'DELETE') {
    objects.delete(name)
    return new Response(null, { status: 204 })
  }
  return url.searchParams.get('alt') === 'media' ? new Response(objects.get(name)?.text) : Response.json(shown(name))
}

const ofJobs = ({ method, path, text }: Seen): Response => {
  switch (`${method} ${path.split('?')[0]}`) {
    case `POST ${AT}`:
      asked = JSON.parse(text)
      return Response.json(job())
    case `GET ${AT}`:
      return Response.json({ batchPredictionJobs: [job(), { ...job('77'), createTime: '2026-09-03T00:00:00Z' }] })
    case `GET ${AT}/4242`:
      return Response.json(job())
    case `POST ${AT}/4242:cancel`:
      state = 'JOB_STATE_CANCELLING'
      return Response.json({})
    default:
      return notFound()
  }
}

let scene: KeptScene
beforeAll(async () => {
  const place = { projectId: 'acme', region: 'us-central1', storageBucket: 'weir-files' }
  scene = await startKeptScene('vertex-ai', () => (seen) => ofStorage(seen) ?? ofJobs(seen), {
    basePath: '',
    settings: (url) => ({ ...place, storageURL: url }),
  })
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.seen.length = 0
  state = 'JOB_STATE_PENDING'
  objects.clear()
})

const chat = (id: string, more: object = {}): string =>
  line(id, { model: MODEL, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 20, ...more })

const NEW = { endpoint: '/v1/chat/completions', completion_window: '24h' } as const

const upload = (...lines: readonly string[]) =>
  scene.client.files.create({ file: new File([`${lines.join('\n')}\n`], 'in.jsonl'), purpose: 'batch' as const })

test('files are objects of the bucket, and are listed over pages, shown, read and deleted', async () => {
  const { files } = scene.client
  for (const name of ['a.pdf', 'b.pdf', 'c.pdf'])
    await files.create({ file: new File(['x'], name), purpose: 'user_data' })
  const file = await upload(chat('one'), chat('007', { logit_bias: { 5: 1 } }))
  expect(file).toMatchObject({ object: 'file', purpose: 'batch', filename: 'in.jsonl', status: 'processed' })
  expect(file.status_details).toBe('Left out of its lines: logit_bias')
  const sent = scene.seen.at(-1)
  expect(sent?.headers.get('authorization')).toBe(`Bearer ${PROVIDER_KEY}`)
  expect(sent?.headers.get('content-length')).toBe(String(file.bytes))
  const request = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], generationConfig: { maxOutputTokens: 20 } }
  expect(linesOf(await (await files.content(file.id)).text())).toEqual([
    { custom_id: 'id-one', request },
    { custom_id: 'id-007', request },
  ])
  const listed: string[] = []
  for await (const { filename } of files.list({ limit: 1 })) listed.push(filename)
  expect(listed.toSorted()).toEqual(['a.pdf', 'b.pdf', 'c.pdf', 'in.jsonl'])
  expect((await files.list({ purpose: 'batch' })).data.map(({ id }) => id)).toEqual([file.id])
  expect(await files.retrieve(file.id)).toMatchObject({ id: file.id, bytes: file.bytes, purpose: 'batch' })
  expect(await files.delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true })
  expect(await failureOf(files.retrieve(file.id))).toMatchObject({ status: 404 })
})

test('a batch runs at Vertex AI, and its results come in one form', async () => {
  const { batches, files } = scene.client
  const file = await upload(chat('one'), chat('007'))
  const made = await batches.create({ ...NEW, input_file_id: file.id })
  expect(made).toMatchObject({
    ...{ id: '4242', status: 'validating', model: MODEL, input_file_id: file.id, output_file_id: null },
    ...{ endpoint: '/v1/chat/completions', request_counts: { total: 0, completed: 0, failed: 0 } },
  })
  const uri = `gs://${Buffer.from(file.id.replace('gs-', ''), 'base64url')}`
  expect(asked).toEqual({
    displayName: expect.stringMatching(/^weir-/),
    model: `publishers/google/models/${MODEL}`,
    inputConfig: { instancesFormat: 'jsonl', gcsSource: { uris: [uri] } },
    outputConfig: {
      predictionsFormat: 'jsonl',
      gcsDestination: { outputUriPrefix: expect.stringMatching(/^gs:\/\/weir-files\/weir-batches\/[\w-]+$/) },
    },
  })
  expect((await batches.list()).data.map(({ id }) => id)).toEqual(['77', '4242'])
  expect((await batches.cancel(made.id)).status).toBe('cancelling')
  expect((await outputOf(scene, 'vertex-ai', made.id)).status).toBe(409)
  state = 'JOB_STATE_SUCCEEDED'
  const done = await batches.retrieve(made.id)
  expect(done).toMatchObject({
    ...{ status: 'completed', output_file_id: 'output-4242', request_counts: { total: 2, completed: 1, failed: 1 } },
  })
  expect((await outputOf(scene, 'vertex-ai', made.id)).status).toBe(404)
  const response = {
    candidates: [{ content: { parts: [{ text: 'Hello' }], role: 'model' }, finishReason: 'STOP' }],
    modelVersion: 'gemini-2.5-flash@default',
    usageMetadata: { candidatesTokenCount: 2, promptTokenCount: 8, totalTokenCount: 10 },
  }
  const words =
    'Bad Request: {"error": {"code": 400, "message": "Please use a valid role: user, model.", "status": "INVALID_ARGUMENT"}}'
  const time = { processed_time: '2025-07-09T19:57:43.558+00:00', request: {} }
  const put = (name: string, ...lines: object[]) =>
    objects.set(`${FOLDER}/${name}`, {
      text: lines.map((each) => `${JSON.stringify(each)}\n`).join(''),
      timeCreated: '2026-09-02T20:08:00Z',
    })
  put('predictions.jsonl', { custom_id: 'id-007', status: '', ...time, response })
  put('predictions_2.jsonl', { custom_id: 'id-one', status: words, ...time })
  put('other.txt', {})
  const { text } = await outputOf(scene, 'vertex-ai', made.id)
  const [good, bad] = linesOf(text)
  expect(good).toMatchObject({
    custom_id: '007',
    response: { status_code: 200, body: { choices: [{ message: { content: 'Hello' } }], usage: { total_tokens: 10 } } },
  })
  expect(bad).toMatchObject({
    custom_id: 'one',
    response: {
      status_code: 400,
      body: { error: { message: 'Please use a valid role: user, model.', type: 'INVALID_ARGUMENT' } },
    },
  })
  expect(linesOf(await (await files.content('output-4242')).text())).toHaveLength(2)
  expect(await files.retrieve('output-4242')).toMatchObject({ purpose: 'batch_output' })
})

test('lines for Claude are in its own words', async () => {
  const model = 'claude-sonnet-4-5@20250929'
  const file = await upload(chat('one', { model }))
  expect(linesOf(await (await scene.client.files.content(file.id)).text())[0]).toMatchObject({
    request: { anthropic_version: 'vertex-2023-10-16', max_tokens: 20, messages: [{ role: 'user' }] },
  })
  await scene.client.batches.create({ ...NEW, input_file_id: file.id })
  expect(asked.model).toBe(`publishers/anthropic/models/${model}`)
  state = 'JOB_STATE_FAILED'
  expect((await scene.client.batches.retrieve('4242')).errors?.data?.[0]).toMatchObject({ code: '9' })
  const open = upload(chat('one', { model: 'meta/llama-3.3-70b-instruct-maas' }))
  expect(await failureOf(open)).toMatchObject({
    status: 400,
    param: 'file',
    message: expect.stringContaining('Line 1'),
  })
})

test('the key of the operator is for its own bucket alone; without one Weir keeps the files', async () => {
  const at = { 'x-gateway-provider': 'vertex-ai' }
  const theirs = { ...at, 'x-gateway-vertex-storage-bucket-name': 'theirs' }
  expect(await failureOf(scene.clientWith(theirs).files.list())).toMatchObject({
    status: 401,
    code: 'provider_key_required',
  })
  const { files } = scene.clientWith({ ...theirs, 'x-gateway-vertex-project-id': 'mine' })
  expect(await failureOf(files.list())).toMatchObject({ status: 401 })
  expect(scene.seen).toEqual([])
  const id = `gs-${Buffer.from('weir-files/secrets.env').toString('base64url')}`
  expect(await failureOf(scene.client.files.content(id))).toMatchObject({ status: 400, param: 'file_id' })
})
