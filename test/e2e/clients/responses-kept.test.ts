import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import type { ResponseInput } from 'openai/resources/responses/responses'
import { createWeir, type Weir } from '../../../src/compose/weir.ts'
import { copyEmbeddedDatabase } from '../../support/embedded-database.ts'
import { all, failureOf } from './support/openai-client.ts'

setDefaultTimeout(60_000)

const API_KEY = 'weir-test-workspace-key-0123456789abcdef'

let folder: string
let weir: Weir

const open = async (store = true): Promise<Weir> =>
  createWeir({
    config: { plugins: ['defaults', 'mock', { responses: { store } }] },
    folder,
    env: {
      WEIR_API_KEY: API_KEY,
      WEIR_ADMIN_KEY: 'weir-test-admin-key-0123456789abcdef',
      WEIR_DATA_DIR: join(folder, 'data'),
    },
  })

/** The official client, straight into the application. */
const client = (): OpenAI =>
  new OpenAI({
    baseURL: 'http://weir.test/v1',
    apiKey: API_KEY,
    maxRetries: 0,
    fetch: (input, init) => weir.handle(new Request(input as string, init)),
  })

/** With the mock, which has no responses of its own. */
const asking = { headers: { 'x-gateway-provider': 'mock' } }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-responses-'))
  await copyEmbeddedDatabase(join(folder, 'data'))
  weir = await open()
})
afterAll(async () => {
  await weir.close()
  await rm(folder, { recursive: true, force: true })
})

test('a response is kept, read without naming a provider, and deleted', async () => {
  const { responses } = client()
  const made = await responses.create({ model: 'mock', input: 'Hello', metadata: { topic: 'greeting' } }, asking)
  expect(await responses.retrieve(made.id)).toEqual(made)
  await responses.delete(made.id)
  expect(await failureOf(responses.retrieve(made.id))).toBeInstanceOf(OpenAI.NotFoundError)
  expect(await failureOf(responses.delete(made.id))).toBeInstanceOf(OpenAI.NotFoundError)
})

test('one that was streamed is kept too, and its events can be had again', async () => {
  const { responses } = client()
  const made = await responses.stream({ model: 'mock', input: 'Hello' }, asking).finalResponse()
  expect(await responses.retrieve(made.id)).toMatchObject({
    id: made.id,
    output_text: made.output_text,
    usage: made.usage,
  })
  const events = await all(await responses.retrieve(made.id, { stream: true }))
  expect(events.at(-1)?.type).toBe('response.completed')
  const rest = await all(await responses.retrieve(made.id, { stream: true, starting_after: 3 }))
  expect(rest.map((event) => event.sequence_number)).toEqual(events.slice(4).map((event) => event.sequence_number))
})

test('a conversation goes on from its last response, also after a restart', async () => {
  const create = (input: string, previous: string | null) =>
    client().responses.create({ model: 'mock', input, previous_response_id: previous }, asking)
  const first = await create('one', null)
  const second = await create('two', first.id)
  await weir.close()
  weir = await open()
  const third = await create('three', second.id)
  expect(third.previous_response_id).toBe(second.id)
  // The mock counts a token for each word that it is told.
  const words = ['one', first.output_text, 'two', second.output_text, 'three'].join(' ').split(' ')
  expect(third.usage?.input_tokens).toBe(words.length)

  await client().responses.delete(first.id)
  const error = await failureOf(create('four', third.id))
  expect(error).toMatchObject({ status: 400, param: 'previous_response_id', code: 'previous_response_not_found' })
})

test('calls of tools go on with their results alone', async () => {
  const { responses } = client()
  const tools = [{ type: 'function' as const, name: 'get_weather', strict: false, parameters: { type: 'object' } }]
  const first = await responses.create({ model: 'mock-tools', input: 'Weather?', tools }, asking)
  const [call] = first.output
  if (call?.type !== 'function_call') throw new Error('no tool was called')
  const second = await responses
    .stream(
      {
        model: 'mock-tools',
        previous_response_id: first.id,
        input: [{ type: 'function_call_output', call_id: call.call_id, output: 'sunny' }],
        tools,
      },
      asking,
    )
    .finalResponse()
  expect(second.output_text).toContain('sunny')
})

test('an item stands for itself where only its id is sent', async () => {
  const { responses } = client()
  const first = await responses.create({ model: 'mock', input: 'one two' }, asking)
  const id = first.output[0] !== undefined && 'id' in first.output[0] ? String(first.output[0].id) : ''
  const input: ResponseInput = [
    { type: 'item_reference', id },
    { role: 'user', content: 'three' },
  ]
  const second = await responses.create({ model: 'mock', input }, asking)
  expect(second.usage?.input_tokens).toBe(`${first.output_text} three`.split(' ').length)
  const unknown = responses.create({ model: 'mock', input: [{ type: 'item_reference', id: `${id}9` }] }, asking)
  expect(await failureOf(unknown)).toMatchObject({ status: 400, param: 'input[0]' })
})

test('what it was made from is listed page by page', async () => {
  const { responses } = client()
  const input: ResponseInput = ['one', 'two', 'three'].map((content) => ({ role: 'user', content }))
  const { id } = await responses.create({ model: 'mock', input }, asking)
  const page = await responses.inputItems.list(id, { limit: 2, order: 'asc' })
  expect(page.data).toMatchObject([
    { type: 'message', role: 'user', status: 'completed', content: [{ type: 'input_text', text: 'one' }] },
    { content: [{ text: 'two' }] },
  ])
  expect(page.has_more).toBe(true)
  const whole = await all(page)
  expect(whole.map((item) => JSON.stringify(item)).join()).toContain('three')
  expect(whole).toHaveLength(3)
  const newest = await responses.inputItems.list(id)
  expect(newest.data[0]).toMatchObject({ content: [{ text: 'three' }] })
  expect(await failureOf(responses.inputItems.list(id, { limit: 0 }))).toMatchObject({ status: 400, param: 'limit' })
})

test('what the call does not want to be stored is not', async () => {
  const { responses } = client()
  const made = await responses.create({ model: 'mock', input: 'Hello', store: false }, asking)
  expect(made).toMatchObject({ store: false })
  expect(await failureOf(responses.retrieve(made.id))).toBeInstanceOf(OpenAI.NotFoundError)
})

test('one setting switches it off', async () => {
  await weir.close()
  weir = await open(false)
  const { responses } = client()
  const made = await responses.create({ model: 'mock', input: 'Hello' }, asking)
  expect(made).toMatchObject({ store: false })
  expect(await failureOf(responses.retrieve(made.id))).toBeInstanceOf(OpenAI.NotFoundError)
  const next = responses.create({ model: 'mock', input: 'Hello', previous_response_id: made.id }, asking)
  expect(await failureOf(next)).toMatchObject({ status: 400, param: 'previous_response_id' })
})
