/**
 * Answers are those that a public research note of OpenRouter's recorded at Fireworks on 2026-08-30 (its account, addresses and keys
 * removed), in the types of fireworks-ai 1.2.30 (PyPI), read 2026-11-25. The line of a failed request is made up: nobody has shown one.
 */
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
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

setDefaultTimeout(20_000)

const MODEL = 'accounts/fireworks/models/llama-v3p1-8b-instruct'
const ACCOUNT = { 'x-gateway-provider': 'fireworks-ai', 'x-gateway-fireworks-account-id': 'acme' }
const AT = '/v1/accounts/acme'

/** What is there, by name: fields of the dataset, and name and text of what was put into it. */
const datasets = new Map<string, { readonly made: object; readonly files: Record<string, string> }>()
let state = 'JOB_STATE_VALIDATING'
let failsAt = ''

const RESULTS = `{"custom_id": "two", "response": {"id": "chatcmpl-1", "object": "chat.completion", "created": 1788062136, "model": "${MODEL}", "choices": [{"index": 0, "message": {"role": "assistant", "content": "4"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 47, "total_tokens": 49, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 29}}}}\n`
const FAILED = '{"custom_id": "one", "error": {"message": "No room", "code": "overloaded"}}\n'

const job = (id: string) => ({
  continuedFromJobName: '',
  createTime: '2026-08-30T03:48:56.029803Z',
  displayName: '',
  expireTime: '2026-08-31T03:48:53.988342Z',
  inputDatasetId: 'accounts/acme/datasets/input',
  jobProgress:
    state === 'JOB_STATE_COMPLETED'
      ? { failedRequests: 1, successfullyProcessedRequests: 1, totalInputRequests: 1, totalProcessedRequests: 2 }
      : null,
  lifecycle: {
    endTime: state === 'JOB_STATE_COMPLETED' ? '2026-08-30T03:56:56.220410Z' : null,
    runStartTime: '2026-08-30T03:55:56.086402Z',
  },
  model: MODEL,
  name: `accounts/acme/batchInferenceJobs/${id}`,
  outputDatasetId: 'accounts/acme/datasets/bij-n1729dlh',
  state,
  status:
    state === 'JOB_STATE_FAILED'
      ? { code: 'INVALID_ARGUMENT', message: 'Dataset has a syntax error' }
      : { code: 'OK', message: '' },
  updateTime: '2026-08-30T03:56:56.220997Z',
})

const dataset = (id: string) => ({
  createTime: '2026-08-30T03:48:42.645723285Z',
  displayName: '',
  format: 'FORMAT_UNSPECIFIED',
  sourceJobName: '',
  ...datasets.get(id)?.made,
  name: `accounts/acme/datasets/${id}`,
  state: 'READY',
})

const answer = ({ method, path, text }: Seen, url: string): Response | undefined => {
  const at = `${method} ${path.split('?')[0]}`
  const [, id = '', what = ''] = /\/datasets\/([^/:]+)(:\w+)?$/.exec(at) ?? []
  if (failsAt !== '' && at.includes(failsAt)) return Response.json({ code: 13, message: 'internal' }, { status: 500 })
  if (at === `POST ${AT}/datasets`) {
    const { datasetId, dataset: made } = JSON.parse(text)
    datasets.set(datasetId, { made, files: {} })
    return Response.json({ ...dataset(datasetId), state: 'UPLOADING' })
  }
  if (at === `GET ${AT}/datasets`) return Response.json({ datasets: [...datasets.keys()].map(dataset) })
  if (at.startsWith('PUT /signed/')) {
    const [, , of = '', name = ''] = path.split('?')[0]?.split('/').map(decodeURIComponent) ?? []
    const into = datasets.get(of)
    if (into !== undefined) into.files[name] = text
    return new Response(null)
  }
  const signed = (name: string) => `${url}/signed/${id}/${encodeURIComponent(name)}?X-Goog-Signature=1`
  if (at.startsWith('GET /signed/')) {
    const [, , of = '', name = ''] = path.split('?')[0]?.split('/').map(decodeURIComponent) ?? []
    return new Response(datasets.get(of)?.files[name])
  }
  if (id !== '' && !datasets.has(id)) {
    return Response.json({ code: 5, details: [], message: 'resource not found' }, { status: 404 })
  }
  if (what === ':getUploadEndpoint') {
    const [name = ''] = Object.keys(JSON.parse(text).filenameToSize)
    return Response.json({ filenameToSignedUrls: { [name]: signed(name) } })
  }
  if (what === ':validateUpload') return Response.json({})
  if (what === ':getDownloadEndpoint') {
    const names = Object.keys(datasets.get(id)?.files ?? {})
    return Response.json({
      filenameToSignedUrls: Object.fromEntries(names.map((name) => [`dataset/${id}/${name}`, signed(name)])),
    })
  }
  if (id !== '' && method === 'GET') return Response.json(dataset(id))
  if (id !== '' && method === 'DELETE') {
    datasets.delete(id)
    return Response.json({})
  }
  if (at === `POST ${AT}/batchInferenceJobs`) return Response.json(job('job-1'))
  if (at === `GET ${AT}/batchInferenceJobs`) return Response.json({ batchInferenceJobs: [job('job-2'), job('job-1')] })
  if (at === `GET ${AT}/batchInferenceJobs/job-1`) return Response.json(job('job-1'))
  if (at === `DELETE ${AT}/batchInferenceJobs/job-1`) return Response.json({})
  return undefined
}

let scene: KeptScene
beforeAll(async () => {
  scene = await startKeptScene(
    'fireworks-ai',
    (url) => (seen) => answer(seen, url) ?? new Response(null, { status: 404 }),
    {
      basePath: '/inference/v1',
    },
  )
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.seen.length = 0
  state = 'JOB_STATE_VALIDATING'
  failsAt = ''
  datasets.clear()
  datasets.set('bij-n1729dlh', {
    made: { sourceJobName: 'accounts/acme/batchInferenceJobs/job-1' },
    files: { 'error-data': FAILED, 'BIJOutputSet.jsonl': RESULTS },
  })
})

const chat = (id: string, more: object = {}): string =>
  line(id, { model: MODEL, messages: [{ role: 'user', content: 'Hi' }], max_completion_tokens: 20, ...more })

const NEW = { endpoint: '/v1/chat/completions', completion_window: '24h' } as const

test('a file for a batch becomes a dataset, by a signed address that gets no key', async () => {
  const client = scene.clientWith(ACCOUNT)
  const file = await client.files.create({ file: await inputOf([chat('one'), chat('two')]), purpose: 'batch' })
  expect(file).toMatchObject({ object: 'file', purpose: 'batch', filename: 'in.jsonl', status: 'processed' })
  const [made, place, put, done] = scene.seen
  expect(made?.headers.get('authorization')).toBe(`Bearer ${PROVIDER_KEY}`)
  expect(JSON.parse(made?.text ?? '')).toEqual({
    datasetId: file.id,
    dataset: { displayName: 'weir batch in.jsonl', userUploaded: {}, exampleCount: '2' },
  })
  expect(place?.path).toBe(`${AT}/datasets/${file.id}:getUploadEndpoint`)
  expect(put?.headers.get('authorization')).toBeNull()
  expect(put?.headers.get('x-goog-content-length-range')).toBe(`${file.bytes},${file.bytes}`)
  expect(put?.headers.get('content-length')).toBe(String(file.bytes))
  expect(linesOf(put?.text ?? '')[0]).toEqual({
    custom_id: 'one',
    body: { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 20 },
  })
  expect(done?.path).toBe(`${AT}/datasets/${file.id}:validateUpload`)
  expect(await client.files.retrieve(file.id)).toMatchObject({ id: file.id, purpose: 'batch', filename: 'in.jsonl' })
  expect((await client.files.list({ purpose: 'batch' })).data.map(({ id }) => id)).toEqual([file.id])
  expect(await (await client.files.content(file.id)).text()).toBe(put?.text ?? '')
  expect(await client.files.delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true })
})

test('what is not sound never goes out, and nothing is left of an upload that fails', async () => {
  const { files } = scene.clientWith(ACCOUNT)
  const bad = files.create({ file: await inputOf([chat('one'), chat('two', { model: 'other' })]), purpose: 'batch' })
  expect(await failureOf(bad)).toMatchObject({ status: 400, param: 'file', message: expect.stringContaining('Line 2') })
  const sound = files.create({ file: new File(['x'], 'a.txt'), purpose: 'fine-tune' })
  expect(await failureOf(sound)).toMatchObject({ status: 400, param: 'file' })
  expect(scene.seen).toEqual([])
  failsAt = ':validateUpload'
  const broken = files.create({ file: new File(['{}\n{}'], 'a.jsonl'), purpose: 'fine-tune' })
  expect(await failureOf(broken)).toMatchObject({ status: 500 })
  expect(JSON.parse(scene.seen[0]?.text ?? '').dataset.exampleCount).toBe('2')
  expect([...datasets.keys()]).toEqual(['bij-n1729dlh'])
})

test('a batch takes the model of its file, and is shown, listed and stopped', async () => {
  const { batches, files } = scene.clientWith(ACCOUNT)
  const { id } = await files.create({ file: await inputOf([chat('one'), chat('two')]), purpose: 'batch' })
  const batch = await batches.create({ input_file_id: id, ...NEW })
  expect(batch).toMatchObject({ id: 'job-1', object: 'batch', status: 'validating', endpoint: NEW.endpoint })
  expect(JSON.parse(scene.seen.at(-1)?.text ?? '')).toEqual({
    model: MODEL,
    inputDatasetId: `accounts/acme/datasets/${id}`,
  })
  expect((await batches.list({ limit: 1 })).data.map(({ id }) => id)).toEqual(['job-2'])
  state = 'JOB_STATE_RUNNING'
  expect((await batches.cancel('job-1')).status).toBe('cancelling')
  expect(scene.seen.at(-1)?.method).toBe('DELETE')
  state = 'JOB_STATE_FAILED'
  expect((await batches.retrieve('job-1')).errors?.data?.[0]).toMatchObject({ code: 'INVALID_ARGUMENT' })
  expect(await failureOf(batches.cancel('job-1'))).toMatchObject({ status: 409 })
})

test('results come in one form, what failed behind them, as output and as a file', async () => {
  expect((await outputOf(scene, 'fireworks-ai', 'job-1', ACCOUNT)).status).toBe(409)
  state = 'JOB_STATE_COMPLETED'
  const { batches, files } = scene.clientWith(ACCOUNT)
  const done = await batches.retrieve('job-1')
  expect(done).toMatchObject({
    ...{ status: 'completed', output_file_id: 'bij-n1729dlh', completed_at: 1788062216 },
    request_counts: { total: 2, completed: 1, failed: 1 },
  })
  const { text } = await outputOf(scene, 'fireworks-ai', 'job-1', ACCOUNT)
  const [good, bad] = linesOf(text)
  expect(good).toMatchObject({
    custom_id: 'two',
    response: { status_code: 200, body: { choices: [{ message: { content: '4' } }], usage: { total_tokens: 49 } } },
  })
  expect(bad).toMatchObject({ custom_id: 'one', response: null, error: { code: 'overloaded', message: 'No room' } })
  expect(await (await files.content('bij-n1729dlh')).text()).toBe(text)
  expect((await files.retrieve('bij-n1729dlh')).purpose).toBe('batch_output')
})

test('without an account Weir keeps the files and runs the batches', async () => {
  const file = await scene.client.files.create({ file: await inputOf([chat('one')]), purpose: 'batch' })
  expect(file.id).toStartWith('file-weir-')
  // Its answer: this gateway has no database.
  expect(await failureOf(scene.client.batches.create({ input_file_id: file.id, ...NEW }))).toMatchObject({
    status: 503,
  })
  expect(scene.seen).toEqual([])
})
