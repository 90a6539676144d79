/**
 * Files lie on a real S3 server (moto's). Jobs are answered as `GetModelInvocationJob` of botocore 1.44.8 says, lines of results as "View
 * the results of a batch inference job" of the user guide and the response of `Converse` do, read 2026-11-25; values are made up.
 */
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { openBucket, type TestBucket } from '../../support/bucket.ts'
import { API_KEY } from '../../support/gateway.ts'
import {
  failureOf,
  inputOf,
  type KeptScene,
  line,
  linesOf,
  outputOf,
  type Seen,
  startKeptScene,
} from './support/scene.ts'

setDefaultTimeout(60_000)

const MODEL = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
const ROLE = 'arn:aws:iam::123456789012:role/batch'
const KEYS = {
  'x-gateway-aws-access-key-id': 'AKIAIOSFODNN7EXAMPLE',
  'x-gateway-aws-secret-access-key': 'caller-secret',
}
const AT_BEDROCK = { 'x-gateway-provider': 'bedrock' }

let status = 'Submitted'
let asked: Record<string, unknown> = {}

const job = (id = 'abc123def456') => ({
  jobArn: `arn:aws:bedrock:us-east-1:123456789012:model-invocation-job/${id}`,
  jobName: 'weir',
  submitTime: '2026-11-25T10:00:00Z',
  lastModifiedTime: '2026-11-25T11:00:00Z',
  jobExpirationTime: '2026-11-26T10:00:00Z',
  status,
  ...asked,
  ...(status === 'Completed' || status === 'Failed' ? { endTime: '2026-11-25T11:00:00Z' } : {}),
  ...(status === 'Failed' ? { message: 'The role cannot read the bucket.' } : {}),
  totalRecordCount: 2,
  processedRecordCount: 2,
  successRecordCount: 1,
  errorRecordCount: 1,
})

const answer = ({ method, path, text }: Seen): Response => {
  switch (`${method} ${path.split('?')[0]}`) {
    case 'POST /model-invocation-job':
      asked = JSON.parse(text)
      return Response.json({ jobArn: job().jobArn })
    case 'GET /model-invocation-job/abc123def456':
      return Response.json(job())
    case 'POST /model-invocation-job/abc123def456/stop':
      status = 'Stopping'
      return Response.json({})
    case 'GET /model-invocation-jobs':
      return Response.json({ invocationJobSummaries: [job('fff123def456'), job()] })
    default:
      return Response.json(
        { message: 'nothing here' },
        { status: 404, headers: { 'x-amzn-errortype': 'ResourceNotFoundException' } },
      )
  }
}

let bucket: TestBucket
let endpoint: string
let scene: KeptScene
beforeAll(async () => {
  bucket = await openBucket()
  endpoint = new URL(bucket.url).searchParams.get('endpoint') ?? ''
  const login = {
    apiKey: undefined,
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'secret',
    region: 'us-east-1',
  }
  const settings = { ...login, s3Bucket: 'weir-files', storageURL: endpoint }
  scene = await startKeptScene('bedrock', () => answer, { basePath: '', settings: () => settings })
})
afterAll(async () => {
  await scene.close()
  await bucket.stop()
})
beforeEach(() => {
  scene.seen.length = 0
  status = 'Submitted'
})

const chat = (id: string, more: object = {}): string =>
  line(id, { model: MODEL, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 20, ...more })

const idOf = (place: string): string => `s3-${Buffer.from(place).toString('base64url')}`
const uriOf = (id: string): string => `s3://${Buffer.from(id.replace('s3-', ''), 'base64url')}`

const NEW = { endpoint: '/v1/chat/completions', completion_window: '24h', role_arn: ROLE } as const

const upload = (...lines: readonly string[]) =>
  scene.client.files.create({ file: new File([`${lines.join('\n')}\n`], 'in put.jsonl'), purpose: 'batch' as const })

test('files are objects of the bucket, in the words of Converse, and are listed, shown, read and deleted', async () => {
  const { files } = scene.client
  const other = await files.create({ file: new File(['x'.repeat(100_000)], 'ü (1).pdf'), purpose: 'user_data' })
  const file = await upload(chat('one'), chat('two', { logit_bias: { 5: 1 } }))
  expect(file).toMatchObject({ object: 'file', purpose: 'batch', filename: 'in put.jsonl', status: 'processed' })
  expect(file.status_details).toBe('Left out of its lines: logit_bias')
  const text = await (await files.content(file.id)).text()
  expect(file.bytes).toBe(text.length)
  expect(linesOf(text)[0]).toEqual({
    recordId: 'one',
    modelInput: { messages: [{ role: 'user', content: [{ text: 'Hi' }] }], inferenceConfig: { maxTokens: 20 } },
  })
  expect((await bucket.keys()).every((key) => key.startsWith('weir-files/'))).toBe(true)
  const shown = await files.retrieve(other.id)
  expect(shown).toMatchObject({ id: other.id, bytes: 100_000, filename: 'ü (1).pdf', purpose: 'user_data' })
  const listed: string[] = []
  for await (const { id } of files.list({ limit: 1 })) listed.push(id)
  expect(listed.toSorted()).toEqual([file.id, other.id].toSorted())
  expect((await files.list({ purpose: 'batch' })).data.map(({ id }) => id)).toEqual([file.id])
  expect(await files.delete(other.id)).toEqual({ id: other.id, object: 'file', deleted: true })
  expect(await failureOf(files.retrieve(other.id))).toMatchObject({ status: 404 })
  expect(await failureOf(files.content(other.id))).toMatchObject({ status: 404, type: 'NoSuchKey' })
})

test('headers say the name of a file, and the model of lines that name none', async () => {
  const plain = line('one', { messages: [{ role: 'user', content: 'Hi' }] })
  const sent = (headers: Readonly<Record<string, string>>) =>
    scene.client.files.create({ file: new File([`${plain}\n`], 'a.jsonl'), purpose: 'batch' }, { headers })
  const names = [
    ['x-gateway-provider-model', 'x-gateway-provider-file-name'],
    ['x-gateway-aws-bedrock-model', 'x-gateway-aws-s3-object-key'],
  ] as const
  for (const [model, name] of names) {
    const file = await sent({ [model]: MODEL, [name]: 'some/folder/questions.jsonl' })
    expect(file.filename).toBe('questions.jsonl')
    expect(uriOf(file.id)).toContain(`/${encodeURIComponent(MODEL).replaceAll('%', '!').toLowerCase()}/`)
  }
  expect(await failureOf(sent({}))).toMatchObject({ status: 400, message: expect.stringContaining('Line 1') })
})

test('a batch runs at Bedrock, and its results come in one form', async () => {
  const { batches, files } = scene.client
  const file = await upload(chat('one'), chat('two'))
  const made = await batches.create({ ...NEW, input_file_id: file.id })
  expect(made).toMatchObject({
    ...{ id: 'abc123def456', status: 'validating', model: MODEL, input_file_id: file.id, output_file_id: null },
    ...{ endpoint: '/v1/chat/completions', created_at: 1795600800 },
  })
  const uri = uriOf(file.id)
  expect(asked).toEqual({
    jobName: expect.stringMatching(/^weir-[a-zA-Z0-9-]+$/),
    clientRequestToken: expect.any(String),
    ...{ roleArn: ROLE, modelId: MODEL, modelInvocationType: 'Converse' },
    inputDataConfig: { s3InputDataConfig: { s3InputFormat: 'JSONL', s3Uri: uri } },
    outputDataConfig: { s3OutputDataConfig: { s3Uri: 's3://weir-files/weir-batches/' } },
  })
  // `S3Uri` of botocore.
  expect(uri).toMatch(/^s3:\/\/[a-z0-9][-.a-z0-9]{1,61}(?:\/[-!_*'().a-z0-9A-Z]+)+$/)
  expect((await batches.cancel(made.id)).status).toBe('cancelling')
  expect((await outputOf(scene, 'bedrock', made.id)).status).toBe(409)
  expect((await batches.list({ limit: 1 })).has_more).toBe(true)
  status = 'Completed'
  const done = await batches.retrieve(made.id)
  expect(done).toMatchObject({
    ...{ status: 'completed', completed_at: 1795604400, output_file_id: 'output-abc123def456' },
    request_counts: { total: 2, completed: 1, failed: 1 },
  })
  expect((await outputOf(scene, 'bedrock', made.id)).status).toBe(404)
  const modelOutput = {
    output: { message: { role: 'assistant', content: [{ text: 'Hello' }] } },
    stopReason: 'end_turn',
    usage: { inputTokens: 8, outputTokens: 2, totalTokens: 10 },
  }
  const results = [
    { recordId: 'one', modelInput: {}, modelOutput },
    { recordId: 'two', modelInput: {}, error: { errorCode: 400, errorMessage: 'bad request' } },
  ]
  const key = `weir-batches/abc123def456/${uri.split('/').at(-1)}.out`
  await fetch(`${endpoint}/weir-files/${key}`, {
    method: 'PUT',
    body: results.map((each) => JSON.stringify(each)).join('\n'),
  })
  const { text } = await outputOf(scene, 'bedrock', made.id)
  const [good, bad] = linesOf(text)
  expect(good).toMatchObject({
    custom_id: 'one',
    response: {
      status_code: 200,
      body: { object: 'chat.completion', choices: [{ message: { content: 'Hello' } }], usage: { total_tokens: 10 } },
    },
  })
  expect(bad).toMatchObject({ response: { status_code: 400, body: { error: { message: 'bad request' } } } })
  const ids = linesOf(await (await files.content('output-abc123def456')).text()).map(({ custom_id: id }) => id)
  expect(ids).toEqual(['one', 'two'])
  expect(await files.retrieve('output-abc123def456')).toMatchObject({
    purpose: 'batch_output',
    bytes: expect.any(Number),
  })
})

test('embeddings are asked as their model is', async () => {
  const model = 'amazon.titan-embed-text-v2:0'
  const file = await upload(line('e', { model, input: 'Hi' }, '/v1/embeddings'))
  const text = await (await scene.client.files.content(file.id)).text()
  expect(linesOf(text)[0]).toMatchObject({ recordId: 'e', modelInput: { inputText: 'Hi' } })
  await scene.client.batches.create({ ...NEW, endpoint: '/v1/embeddings', input_file_id: file.id })
  expect(asked).toMatchObject({ modelId: model, modelInvocationType: 'InvokeModel' })
  status = 'Failed'
  expect((await scene.client.batches.retrieve('abc123def456')).errors?.data?.[0]?.message).toBe(
    'The role cannot read the bucket.',
  )
})

test('what is missing or not sound is named', async () => {
  const { batches, files } = scene.client
  const file = await upload(chat('one'))
  const of = (more: object) => failureOf(batches.create({ ...NEW, input_file_id: file.id, ...more }))
  expect(await of({ role_arn: undefined })).toMatchObject({ status: 400, param: 'role_arn' })
  expect(await of({ output_data_config: '/tmp' })).toMatchObject({ status: 400, param: 'output_data_config' })
  expect(await of({ endpoint: '/v1/embeddings' })).toMatchObject({ status: 400, param: 'endpoint' })
  expect(await of({ input_file_id: 's3://other/weir-files/x' })).toMatchObject({ status: 400, param: 'input_file_id' })
  for (const id of ['weir-files/secrets.env', 'weir-files/weir-files/../secrets.env', 'theirs/x']
    .map(idOf)
    .concat('file-1')) {
    expect(await failureOf(files.content(id))).toMatchObject({ status: 400, param: 'file_id' })
  }
  expect(await failureOf(upload(chat('one'), chat('one')))).toMatchObject({ status: 400, param: 'file' })
})

test('the login of the operator is for its own bucket alone, and keys of a caller for theirs', async () => {
  await fetch(`${endpoint}/theirs`, { method: 'PUT' })
  const theirs = { ...AT_BEDROCK, 'x-gateway-aws-s3-bucket': 'theirs' }
  const refused = scene.clientWith(theirs).files.list()
  expect(await failureOf(refused)).toMatchObject({ status: 401, code: 'provider_key_required' })
  const { files } = scene.clientWith({ ...theirs, ...KEYS })
  const { id } = await files.create({ file: await inputOf([chat('one')]), purpose: 'batch' })
  expect(uriOf(id)).toStartWith('s3://theirs/weir-files/')
  const withAPIKey = { ...theirs, 'x-gateway-api-key': API_KEY, authorization: 'Bearer bedrock-api-key-0123456789' }
  expect(await failureOf(scene.clientWith(withAPIKey).files.list())).toMatchObject({
    ...{ status: 401, code: 'provider_key_required', message: expect.stringContaining('an access key or a role') },
  })
  const odd = scene.clientWith({ ...theirs, ...KEYS, 'x-gateway-aws-s3-bucket': 'a/../b' }).files.list()
  expect(await failureOf(odd)).toMatchObject({ status: 400, param: 'aws_s3_bucket' })
})
