import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { API_KEY } from '../../support/gateway.ts'
import { type FakeAws, startFakeAws } from './fake-aws.ts'
import { CANARY, type LoginGateway, startLoginGateway, storedAs } from './support.ts'

const SONNET = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
const ROLE = 'arn:aws:iam::123456789012:role/models'
const CALLER = {
  'x-gateway-aws-access-key-id': 'AKIDCALLER123456',
  'x-gateway-aws-secret-access-key': `caller-${CANARY}`,
}

let aws: FakeAws
let gateway: LoginGateway
const opened: LoginGateway[] = []
const start = async (config: Readonly<Record<string, unknown>>): Promise<LoginGateway> => {
  const own = { baseURL: aws.url, region: 'eu-central-1', ...config }
  const role = { aws_auth_type: 'assumedRole', aws_region: 'eu-west-1', aws_role_arn: ROLE, aws_external_id: 'ext-1' }
  const started = await startLoginGateway(
    { plugins: ['defaults', { bedrock: own }] },
    { AWS_ENDPOINT_URL_STS: aws.url },
    [storedAs('role', 'bedrock', role)],
  )
  opened.push(started)
  return started
}
beforeAll(async () => {
  aws = startFakeAws('bedrock')
  gateway = await start({ accessKeyId: 'AKIDOPERATOR1234', secretAccessKey: `operator-${CANARY}` })
})
afterEach(() => {
  aws.answer = 'plain-text'
  aws.instead = undefined
  aws.roleStatus = 200
})
afterAll(async () => {
  for (const each of opened) await each.close()
  await aws.close()
})

const openai = (headers: Readonly<Record<string, string>> = {}, { url } = gateway) =>
  new OpenAI({
    baseURL: `${url}/v1`,
    apiKey: 'unused',
    maxRetries: 0,
    defaultHeaders: { authorization: null, 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'bedrock', ...headers },
  })
const anthropic = () =>
  new Anthropic({
    baseURL: gateway.url,
    apiKey: API_KEY,
    maxRetries: 0,
    defaultHeaders: { 'x-gateway-provider': 'bedrock', 'anthropic-beta': 'context-1m-2025-08-07,claude-code-20250219' },
  })

const hello: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hellö' }]
const last = () => {
  const request = aws.requests.at(-1)
  return {
    path: request?.path,
    headers: request?.headers,
    body: request?.body === undefined || request.body === '' ? undefined : JSON.parse(request.body),
  }
}
const signer = () =>
  /Credential=(\w+)\/\d+\/([a-z0-9-]+)\/(\w+)\//.exec(last().headers?.get('authorization') ?? '')?.slice(1)

/** What a client throws. */
const thrownBy = async (ask: () => PromiseLike<unknown>): Promise<unknown> => {
  try {
    await ask()
  } catch (error) {
    return error
  }
  return undefined
}

describe('the client of OpenAI', () => {
  test('gets an answer, signed for with the login of the operator', async () => {
    const answer = await openai().chat.completions.create({ model: 'amazon.nova-lite-v1:0', messages: hello })
    expect(answer.choices[0]?.message.content).toBe('Hi there.')
    expect(answer.usage?.total_tokens).toBe(42)
    expect(last().path).toBe('/model/amazon.nova-lite-v1%3A0/converse')
    expect(signer()).toEqual(['AKIDOPERATOR1234', 'eu-central-1', 'bedrock'])
  })

  test('names a model by an ARN, whose slashes and colons are signed as they go out', async () => {
    const model = `arn:aws:bedrock:us-east-1:123456789012:inference-profile/${SONNET}`
    const answer = await openai().chat.completions.create({ model, messages: hello })
    expect(answer.choices[0]?.message.content).toBe('Hi there.')
    expect(last().path).toContain('inference-profile%2Fus.anthropic')
  })

  test('signs with its own keys, in its own region', async () => {
    await openai({ ...CALLER, 'x-gateway-aws-region': 'us-west-2' }).chat.completions.create({
      model: SONNET,
      messages: hello,
    })
    expect(signer()).toEqual(['AKIDCALLER123456', 'us-west-2', 'bedrock'])
  })

  test('streams text and usage out of the binary events', async () => {
    aws.answer = 'stream-text'
    const stream = await openai().chat.completions.create({
      model: SONNET,
      messages: hello,
      stream: true,
      stream_options: { include_usage: true },
    })
    let text = ''
    let tokens: number | undefined
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      tokens = chunk.usage?.total_tokens ?? tokens
    }
    expect([text, tokens]).toEqual(['Hi there.', 42])
    expect(last().path).toEndWith('/converse-stream')
  })

  test('calls tools in a stream, and brings their results', async () => {
    aws.answer = 'stream-reasoning'
    const runner = openai().chat.completions.stream({
      model: SONNET,
      messages: hello,
      tools: [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: {} } } }],
    })
    const { choices } = await runner.finalChatCompletion()
    const [call] = choices[0]?.message.tool_calls ?? []
    if (call?.type !== 'function' || choices[0] === undefined) throw new Error('no call')
    expect([call.function.name, call.function.arguments]).toEqual(['get_weather', '{"city":"Paris"}'])
    aws.answer = 'tool-results'
    const next = await openai().chat.completions.create({
      model: SONNET,
      messages: [...hello, choices[0].message, { role: 'tool', tool_call_id: call.id, content: '18 degrees' }],
    })
    expect(next.choices[0]?.message.content).toBe('Paris has 18 degrees.')
    const [, turn] = last().body.messages
    // The thought goes back with the call that it led to, sealed as it came.
    expect(turn.content[0]).toEqual({
      reasoningContent: { reasoningText: { text: 'I should look.', signature: 'c2lnbmF0dXJl' } },
    })
  })

  test.each([
    ['stream-exception-first', 429],
    ['error-429', 429],
    ['error-503', 503],
  ])('hears of %s', async (answer, status) => {
    aws.answer = answer
    const stream = answer.startsWith('stream')
    const ask = () => openai().chat.completions.create({ model: SONNET, messages: hello, stream })
    expect(await thrownBy(ask)).toMatchObject({ status })
  })

  test('hears of an exception in the middle of a stream', async () => {
    aws.answer = 'stream-exception-later'
    const stream = await openai().chat.completions.create({ model: SONNET, messages: hello, stream: true })
    const read = async () => {
      let text = ''
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
      return text
    }
    expect(String(await thrownBy(read))).toContain('The model failed.')
  })

  test('embeds', async () => {
    aws.answer = 'embeddings-titan'
    const { data } = await openai().embeddings.create({
      model: 'amazon.titan-embed-text-v2:0',
      input: 'Hello',
      dimensions: 256,
    })
    expect(data[0]?.embedding).toEqual([0.5, -0.25])
  })

  test('trains a model, in requests that are signed one by one', async () => {
    const jobArn = 'arn:aws:bedrock:eu-central-1:123456789012:model-customization-job/amazon.nova-lite-v1:0:300k/abc'
    const job = { jobArn, jobName: 'first', status: 'InProgress', creationTime: '2026-11-24T10:00:00Z' }
    aws.instead = { ...job, modelCustomizationJobSummaries: [job] }
    const before = aws.requests.length
    const { jobs } = openai({ 'x-gateway-aws-s3-bucket': 'my-bucket' }).fineTuning
    const asked = { model: 'amazon.nova-lite-v1:0:300k', training_file: 'train.jsonl', role_arn: ROLE }
    expect(await jobs.create(asked)).toMatchObject({ id: 'first', status: 'running' })
    await jobs.cancel('first')
    expect((await jobs.list({ after: 'first', limit: 3 })).data.map(({ id }) => id)).toEqual(['first'])
    const place = '/model-customization-jobs'
    expect(aws.requests.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual([
      `POST ${place}`,
      `GET ${place}/${encodeURIComponent(jobArn)}`,
      `POST ${place}/first/stop`,
      `GET ${place}/first`,
      `GET ${place}/first`,
      `GET ${place}?maxResults=3&sortBy=CreationTime&sortOrder=Descending&creationTimeBefore=2026-11-24T10%3A00%3A00Z`,
    ])
    expect(signer()).toEqual(['AKIDOPERATOR1234', 'eu-central-1', 'bedrock'])
  })

  test('lists models', async () => {
    aws.answer = 'models'
    const ids: string[] = []
    for await (const { id } of openai().models.list()) ids.push(id)
    expect(ids).toEqual(['amazon.nova-lite-v1:0'])
  })
})

describe('the client of Anthropic', () => {
  const asked = { model: SONNET, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hello' }] }

  test('speaks to Claude in its own form', async () => {
    aws.answer = 'messages'
    const message = await anthropic().messages.create(asked)
    expect(message.content).toEqual([{ type: 'text', text: 'Hi there.' }] as never)
    const { path, body } = last()
    expect(path).toBe('/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke')
    expect(body).toEqual({
      max_tokens: 100,
      messages: asked.messages,
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: ['context-1m-2025-08-07'],
    })
  })

  test('streams', async () => {
    aws.answer = 'messages-stream'
    const message = await anthropic().messages.stream(asked).finalMessage()
    expect(message.content).toEqual([{ type: 'text', text: 'Hi there.' }] as never)
    expect(message.usage.output_tokens).toBe(5)
    expect(last().path).toEndWith('/invoke-with-response-stream')
  })

  test('hears of an exception in the middle of a stream', async () => {
    aws.answer = 'messages-stream-exception'
    const ask = () => anthropic().messages.stream(asked).finalMessage()
    expect(String(await thrownBy(ask))).toContain('Too many tokens')
  })

  test('counts tokens', async () => {
    aws.answer = 'count-tokens'
    const { max_tokens: _, ...counted } = asked
    expect((await anthropic().messages.countTokens(counted)).input_tokens).toBe(12)
  })

  test('reaches the models of other makers by way of chat', async () => {
    aws.answer = 'plain-text'
    const message = await anthropic().messages.create({ ...asked, model: 'amazon.nova-lite-v1:0' })
    expect(message.content[0]).toMatchObject({ type: 'text', text: 'Hi there.' })
    expect(last().path).toBe('/model/amazon.nova-lite-v1%3A0/converse')
  })
})

describe('a role', () => {
  const stored = { 'x-gateway-provider': '@role' }
  const call = (headers: Readonly<Record<string, string>>, at = gateway) =>
    openai(headers, at).chat.completions.create({ model: SONNET, messages: hello })

  test('of a stored provider is taken on once for calls at once, with the login of the operator', async () => {
    const before = aws.roles
    await Promise.all(Array.from({ length: 8 }, () => call(stored)))
    expect(aws.roles - before).toBe(1)
    expect(signer()).toEqual(['ASIAROLE12345678', 'eu-west-1', 'bedrock'])
  })

  test('is renewed before it ends while calls go on', async () => {
    const before = aws.roles
    gateway.advance(3_500_000)
    await call(stored)
    await Bun.sleep(100)
    expect(aws.roles - before).toBe(1)
  })

  test('of a caller needs the keys of the caller', async () => {
    const arn = { 'x-gateway-aws-role-arn': ROLE }
    expect(await thrownBy(() => call(arn))).toMatchObject({ status: 400, param: 'aws_role_arn' })
    await call({ ...arn, ...CALLER, 'x-gateway-aws-region': 'us-east-1' })
    expect(signer()?.[0]).toBe('ASIAROLE12345678')
  })

  test('that is refused is a clear error', async () => {
    aws.roleStatus = 403
    const own = await start({ accessKeyId: 'AKIDOPERATOR1234', secretAccessKey: `operator-${CANARY}` })
    expect(await thrownBy(() => call(stored, own))).toMatchObject({ status: 401, code: 'provider_login_failed' })
  })
})

test('a call without a login is refused where the operator has none', async () => {
  const bare = await start({})
  const ask = () => openai({}, bare).chat.completions.create({ model: SONNET, messages: hello })
  expect(await thrownBy(ask)).toMatchObject({ status: 401 })
  await openai(CALLER, bare).chat.completions.create({ model: SONNET, messages: hello })
})

test('no secret is in logs and records', () => {
  for (const { lines, records } of opened) expect(JSON.stringify([lines, records])).not.toContain(CANARY)
})
