import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import type { StoredProvider } from '#kit/plugin'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { all, failureOf } from '../clients/support/openai-client.ts'

/** Only one of its models may be used. */
const restricted: StoredProvider = {
  slug: 'team',
  providerId: 'mock',
  apiKey: '',
  isRestricted: true,
  allows: (model) => model === 'mock',
  forModel: () => ({ settings: {}, headers: {} }),
}

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({
    deps: { stored: { find: (_, slug) => (slug === 'team' ? restricted : undefined), models: () => [] } },
  })
})
afterAll(() => gateway.close())

const client = (headers: Record<string, string> = { 'x-gateway-provider': 'mock' }): OpenAI =>
  new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: API_KEY, maxRetries: 0, defaultHeaders: headers })

const assistant = (model = 'mock', tools: OpenAI.Beta.AssistantTool[] = []) =>
  client().beta.assistants.create({ model, instructions: 'Be brief.', tools })

const WEATHER: OpenAI.Beta.AssistantTool = {
  type: 'function',
  function: {
    name: 'weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

const textOf = ({ content }: OpenAI.Beta.Threads.Message): string =>
  content.map((part) => (part.type === 'text' ? part.text.value : '')).join('')

describe('the client of OpenAI, with assistants of the mock', () => {
  test('makes, shows, changes, lists and deletes an assistant', async () => {
    const { assistants } = client().beta
    const made = await assistants.create({ model: 'mock', name: 'Ada', metadata: { team: 'a' } })
    expect(made).toMatchObject({ object: 'assistant', model: 'mock', name: 'Ada', metadata: { team: 'a' } })
    expect(await assistants.retrieve(made.id)).toEqual(made)
    expect(await assistants.update(made.id, { name: 'Bea' })).toEqual({ ...made, name: 'Bea' })
    const other = await assistants.create({ model: 'mock' })
    // Page by page, the newest first.
    const listed = await all(await assistants.list({ limit: 1 }))
    expect(listed.map(({ id }) => id).slice(0, 2)).toEqual([other.id, made.id])
    expect(await assistants.delete(made.id)).toEqual({ id: made.id, object: 'assistant.deleted', deleted: true })
    expect(await failureOf(assistants.retrieve(made.id))).toBeInstanceOf(OpenAI.NotFoundError)
  })

  test('makes, shows, changes and deletes threads and messages', async () => {
    const { threads } = client().beta
    const thread = await threads.create({ messages: [{ role: 'user', content: 'One' }] })
    expect(await threads.update(thread.id, { metadata: { a: 'b' } })).toMatchObject({
      id: thread.id,
      metadata: { a: 'b' },
    })
    const two = await threads.messages.create(thread.id, { role: 'user', content: [{ type: 'text', text: 'Two' }] })
    expect(await threads.messages.retrieve(two.id, { thread_id: thread.id })).toEqual(two)
    expect(await threads.messages.update(two.id, { thread_id: thread.id, metadata: { c: 'd' } })).toMatchObject({
      metadata: { c: 'd' },
    })
    const texts = (await all(await threads.messages.list(thread.id, { order: 'asc' }))).map(textOf)
    expect(texts).toEqual(['One', 'Two'])
    expect(await threads.messages.delete(two.id, { thread_id: thread.id })).toMatchObject({ deleted: true })
    expect(await threads.delete(thread.id)).toMatchObject({ object: 'thread.deleted', deleted: true })
    expect(await failureOf(threads.retrieve(thread.id))).toBeInstanceOf(OpenAI.NotFoundError)
  })

  test('runs an assistant on a thread, and reads its steps', async () => {
    const { threads } = client().beta
    const { id } = await assistant()
    const thread = await threads.create({ messages: [{ role: 'user', content: 'Hello' }] })
    const run = await threads.runs.createAndPoll(thread.id, { assistant_id: id })
    expect(run).toMatchObject({ status: 'completed', model: 'mock', instructions: 'Be brief.' })
    expect(run.usage?.total_tokens).toBeGreaterThan(3)
    const [answer] = await all(await threads.messages.list(thread.id, { run_id: run.id }))
    expect(answer === undefined ? undefined : textOf(answer)).toBe('Mock answer to: Hello')
    const steps = await all(await threads.runs.steps.list(run.id, { thread_id: thread.id }))
    expect(steps.map(({ type, status }) => [type, status])).toEqual([['message_creation', 'completed']])
    const [step] = steps
    expect(await threads.runs.steps.retrieve(step?.id ?? '', { thread_id: thread.id, run_id: run.id })).toEqual(
      step as OpenAI.Beta.Threads.Runs.RunStep,
    )
    expect((await all(await threads.runs.list(thread.id))).map((each) => each.id)).toEqual([run.id])
    expect(await threads.runs.update(run.id, { thread_id: thread.id, metadata: { e: 'f' } })).toMatchObject({
      metadata: { e: 'f' },
    })
  })

  test('begins a thread with its run, and stops a run', async () => {
    const { threads } = client().beta
    const run = await threads.createAndRun({
      assistant_id: (await assistant()).id,
      thread: { messages: [{ role: 'user', content: 'Hello' }] },
    })
    expect(run.status).toBe('queued')
    expect((await threads.runs.cancel(run.id, { thread_id: run.thread_id })).status).toBe('cancelled')
    const again = await failureOf(threads.runs.cancel(run.id, { thread_id: run.thread_id }))
    expect(again).toBeInstanceOf(OpenAI.BadRequestError)
  })

  test('streams a run, whose message and steps its own helper puts together', async () => {
    const { threads } = client().beta
    const thread = await threads.create({ messages: [{ role: 'user', content: 'Hello there' }] })
    const stream = threads.runs.stream(thread.id, { assistant_id: (await assistant()).id })
    const texts: string[] = []
    stream.on('textDelta', ({ value }) => texts.push(value ?? ''))
    const [message] = await stream.finalMessages()
    expect(texts.join('')).toBe('Mock answer to: Hello there')
    expect(message === undefined ? undefined : textOf(message)).toBe(texts.join(''))
    const run = await stream.finalRun()
    expect(run.status).toBe('completed')
    expect(await threads.runs.retrieve(run.id, { thread_id: thread.id })).toEqual(run)
    const record = await gateway.record(({ endpoint, stream }) => endpoint === 'run-create' && stream === true)
    expect(record).toMatchObject({
      outcome: 'completed',
      provider: 'mock',
      usage: { input_tokens: run.usage?.prompt_tokens, output_tokens: run.usage?.completion_tokens },
    })
  })

  test('calls tools in a run, and goes on with what they gave', async () => {
    const { threads } = client().beta
    const { id } = await assistant('mock-tools', [WEATHER])
    const stream = threads.createAndRunStream({
      assistant_id: id,
      thread: { messages: [{ role: 'user', content: 'Weather?' }] },
    })
    const waiting = await stream.finalRun()
    expect(waiting.status).toBe('requires_action')
    const [call] = waiting.required_action?.submit_tool_outputs.tool_calls ?? []
    expect(call?.function.name).toBe('weather')
    const outputs = { thread_id: waiting.thread_id, tool_outputs: [{ tool_call_id: call?.id ?? '', output: 'sunny' }] }
    const rest = threads.runs.submitToolOutputsStream(waiting.id, outputs)
    const [message] = await rest.finalMessages()
    expect(message === undefined ? undefined : textOf(message)).toBe('Mock answer from 1 tool result: sunny')
    const steps = await all(await threads.runs.steps.list(waiting.id, { thread_id: waiting.thread_id, order: 'asc' }))
    expect(steps.map(({ type, status }) => [type, status])).toEqual([
      ['tool_calls', 'completed'],
      ['message_creation', 'completed'],
    ])
  })

  test('hears of a run whose stream is cut, in its middle and where the connection ends well', async () => {
    const { threads } = client().beta
    for (const fault of ['cut-mid-stream', 'cut-connection']) {
      const { id } = await assistant(`mock:fault=${fault},at=7`)
      const thread = await threads.create({ messages: [{ role: 'user', content: 'a b c d' }] })
      const events = threads.runs.stream(thread.id, { assistant_id: id })
      expect(await failureOf(events.finalRun())).toBeInstanceOf(Error)
      const record = await gateway.record(
        ({ endpoint, outcome }) => endpoint === 'run-create' && outcome === 'truncated',
      )
      expect((record.error as { code: string }).code).toBe('stream_truncated')
    }
  })
})

describe('the client of OpenAI, with vector stores of the mock', () => {
  test('makes, shows, changes, lists and deletes them', async () => {
    const { vectorStores } = client()
    const store = await vectorStores.create({ name: 'Papers', file_ids: ['file-a', 'file-b'] })
    expect(store).toMatchObject({
      object: 'vector_store',
      status: 'completed',
      file_counts: { total: 2, completed: 2 },
    })
    expect(await vectorStores.update(store.id, { name: 'Books' })).toEqual({ ...store, name: 'Books' })
    expect((await vectorStores.retrieve(store.id)).name).toBe('Books')
    expect((await all(await vectorStores.list())).map(({ id }) => id)).toContain(store.id)
    expect(await vectorStores.delete(store.id)).toMatchObject({ object: 'vector_store.deleted', deleted: true })
    expect(await failureOf(vectorStores.retrieve(store.id))).toBeInstanceOf(OpenAI.NotFoundError)
  })

  test('adds files one by one and several at once, and takes one out', async () => {
    const { vectorStores } = client()
    const { id } = await vectorStores.create({})
    const one = await vectorStores.files.createAndPoll(id, { file_id: 'file-1' })
    expect(one).toMatchObject({ id: 'file-1', object: 'vector_store.file', status: 'completed', vector_store_id: id })
    const batch = await vectorStores.fileBatches.createAndPoll(id, { file_ids: ['file-2', 'file-3'] })
    expect(batch).toMatchObject({ object: 'vector_store.files_batch', file_counts: { total: 2 } })
    expect(await vectorStores.fileBatches.cancel(batch.id, { vector_store_id: id })).toEqual(batch)
    const ofBatch = await all(await vectorStores.fileBatches.listFiles(batch.id, { vector_store_id: id, order: 'asc' }))
    expect(ofBatch.map((file) => file.id)).toEqual(['file-2', 'file-3'])
    expect(await vectorStores.files.delete('file-2', { vector_store_id: id })).toMatchObject({ deleted: true })
    const left = await all(await vectorStores.files.list(id, { filter: 'completed', order: 'asc' }))
    expect(left.map((file) => file.id)).toEqual(['file-1', 'file-3'])
    expect(await all(await vectorStores.files.list(id, { filter: 'failed' }))).toEqual([])
    expect(await vectorStores.files.retrieve('file-3', { vector_store_id: id })).toMatchObject({ id: 'file-3' })
  })
})

describe('a call about what a provider keeps', () => {
  test('is refused where its config has several targets, by the field', async () => {
    const config = JSON.stringify({
      strategy: { mode: 'fallback' },
      targets: [{ provider: 'mock' }, { provider: 'openai' }],
    })
    const { beta, vectorStores } = client({ 'x-gateway-config': config })
    for (const asked of [beta.assistants.list(), beta.threads.create(), vectorStores.list()]) {
      expect(await failureOf(Promise.resolve(asked))).toMatchObject({ status: 400, param: 'config' })
    }
  })

  test('may only be for the models that its stored provider allows', async () => {
    const { assistants, threads } = client({ 'x-gateway-provider': '@team' }).beta
    const { id } = await assistants.create({ model: 'mock' })
    const thread = await threads.create({ messages: [{ role: 'user', content: 'Hello' }] })
    // What names no model changes none, and asks none.
    expect((await assistants.update(id, { name: 'Ada' })).name).toBe('Ada')
    const refused = [
      () => assistants.create({ model: 'mock-json' }),
      () => assistants.update(id, { model: 'mock-json' }),
      () => threads.runs.create(thread.id, { assistant_id: id, model: 'mock-json' }),
      () => threads.runs.create(thread.id, { assistant_id: id }),
    ]
    for (const ask of refused) expect(await failureOf(ask())).toMatchObject({ status: 412, param: 'model' })
    expect((await threads.runs.createAndPoll(thread.id, { assistant_id: id, model: 'mock' })).status).toBe('completed')
  })

  test('about assistants says on every answer that they are on their way out, and what took their place', async () => {
    const headers = { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'mock' }
    for (const [path, isOld] of [
      ['/v1/assistants', true],
      ['/openai/v1/threads/none', true],
      ['/v1/vector_stores', false],
    ] as const) {
      const { headers: told } = await fetch(`${gateway.url}${path}`, { headers })
      expect([path, told.get('deprecation'), told.get('link')]).toEqual(
        isOld ? [path, '@1756166400', '</v1/responses>; rel="successor-version"'] : [path, null, null],
      )
    }
  })

  test('is answered in the words of the provider, or in ours where nobody is asked', async () => {
    const theirs = await fetch(`${gateway.url}/v1/threads/none`, {
      headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'mock' },
    })
    expect([theirs.status, await theirs.json()]).toEqual([
      404,
      {
        error: {
          message: "The mock has no thread 'none'.",
          type: 'invalid_request_error',
          param: null,
          code: 'not_found',
        },
      },
    ])
    const ours = await fetch(`${gateway.url}/v1/threads/none`, { headers: { 'x-gateway-api-key': API_KEY } })
    expect([ours.status, await ours.json()]).toMatchObject([400, { error: { code: 'provider_required' } }])
  })
})
