import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import type { StoredProvider } from '#kit/plugin'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { all, failureOf } from '../clients/support/openai-client.ts'
import { PROVIDER_KEY, type Scene, startScene } from '../pass-through/support/upstream.ts'

const STORED_KEY = 'stored-key-of-openai-0123456789'
const stored: StoredProvider = {
  slug: 'team',
  providerId: 'openai',
  apiKey: STORED_KEY,
  allows: (model) => model !== 'not-allowed',
  forModel: () => ({ settings: {}, headers: {} }),
}

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    deps: { stored: { find: (_, slug) => (slug === 'team' ? stored : undefined), models: () => [] } },
  })
})
afterAll(() => scene.close())

const client = (headers: Record<string, string> = { 'x-gateway-provider': 'mock' }): OpenAI =>
  new OpenAI({ baseURL: `${scene.gateway.url}/v1`, apiKey: API_KEY, maxRetries: 0, defaultHeaders: headers })

const FILE = { model: 'mock', training_file: 'file-1' }
const last = () => scene.arrived.at(-1)
const bodyOf = () => new TextDecoder().decode(last()?.body)

describe('the client of OpenAI', () => {
  test('trains a model with the mock, follows the job, and deletes what came of it', async () => {
    const { fineTuning, models } = client()
    const { jobs } = fineTuning
    const made = await jobs.create({ ...FILE, suffix: 'mine', seed: 7, method: { type: 'supervised' } })
    expect(made).toMatchObject({
      object: 'fine_tuning.job',
      status: 'validating_files',
      seed: 7,
      fine_tuned_model: null,
    })
    expect((await jobs.retrieve(made.id)).status).toBe('running')
    const done = await jobs.retrieve(made.id)
    expect(done).toMatchObject({ status: 'succeeded', trained_tokens: 1000, error: null })
    const events = await all(await jobs.listEvents(made.id, { limit: 1 }))
    expect(events.map(({ message }) => message)).toEqual([
      'The job has successfully completed',
      'Fine-tuning job started',
      `Created fine-tuning job: ${made.id}`,
    ])
    const checkpoints = await all(await jobs.checkpoints.list(made.id))
    expect(checkpoints.map(({ step_number }) => step_number)).toEqual([100, 50])
    expect(await models.delete(done.fine_tuned_model ?? '')).toMatchObject({ deleted: true })
    const record = await scene.gateway.record(({ endpoint }) => endpoint === 'fine-tuning-create')
    expect(record).toMatchObject({ provider: 'mock', status: 200 })
    expect([record.usage, record.cost]).toEqual([undefined, undefined])
  })

  test('lists jobs page by page, and stops one', async () => {
    const { jobs } = client().fineTuning
    const ids: string[] = []
    for (let index = 0; index < 3; index++) ids.unshift((await jobs.create(FILE)).id)
    expect((await jobs.cancel(ids[0] ?? '')).status).toBe('cancelled')
    expect(await failureOf(jobs.cancel(ids[0] ?? ''))).toBeInstanceOf(OpenAI.BadRequestError)
    const listed = await all(await jobs.list({ limit: 2 }))
    expect(listed.map(({ id }) => id).slice(0, 3)).toEqual(ids)
  })

  test('hears what is wrong, in one form: of us, of the provider, and of a config of several targets', async () => {
    const { jobs } = client().fineTuning
    const nothing = jobs.create({ model: 'mock' } as unknown as typeof FILE)
    expect(await failureOf(nothing)).toMatchObject({ status: 400, param: 'training_file' })
    const own = jobs.create({ model: 'mock', training_file: `file-weir-${'0'.repeat(32)}` })
    expect(await failureOf(own)).toMatchObject({ status: 400, param: 'training_file' })
    expect(await failureOf(jobs.retrieve('ftjob-none'))).toMatchObject({ status: 404, code: 'not_found' })
    const targets = [{ provider: 'mock' }, { provider: 'openai' }]
    const config = JSON.stringify({ strategy: { mode: 'fallback' }, targets })
    const several = client({ 'x-gateway-config': config }).fineTuning.jobs
    for (const asked of [several.create(FILE), several.retrieve('ftjob-1'), several.list()]) {
      expect(await failureOf(Promise.resolve(asked))).toMatchObject({ status: 400, param: 'config' })
    }
    const none = client({ 'x-gateway-provider': 'anthropic' }).fineTuning.jobs
    expect(await failureOf(none.create(FILE))).toMatchObject({ status: 400, code: 'unsupported_endpoint' })
  })
})

describe('a host of the same interface', () => {
  const JOB = '{ "id":"ftjob-1", "object":"fine_tuning.job" }'
  const answers = () => new Response(JOB, { headers: { 'content-type': 'application/json' } })

  test('gets the bytes of the client, and its answer passes', async () => {
    scene.answer = answers
    const body = '{ "model":"gpt",  "training_file":"file-1", "x_new": 1.0 }'
    const answer = await scene.call('POST', '/v1/fine_tuning/jobs', { body })
    expect([answer.status, answer.text]).toEqual([200, JOB])
    expect([last()?.target, bodyOf()]).toEqual(['/v1/fine_tuning/jobs', body])
    await scene.call('GET', '/v1/fine_tuning/jobs/ftjob-1/events?after=ftevent-1&limit=2')
    expect(last()?.target).toBe('/v1/fine_tuning/jobs/ftjob-1/events?after=ftevent-1&limit=2')
    await scene.call('POST', '/v1/fine_tuning/jobs/ftjob-1/cancel')
    expect([last()?.method, last()?.target]).toEqual(['POST', '/v1/fine_tuning/jobs/ftjob-1/cancel'])
  })

  test('gets no options of the gateway, nor those of other providers, which are named', async () => {
    scene.answer = answers
    const job = { model: 'gpt', training_file: 'file-1' }
    const body = { ...job, provider_options: { job_name: 'a', n_new: 2 }, gateway_options: {} }
    const answer = await scene.call('POST', '/v1/fine_tuning/jobs', { body: JSON.stringify(body) })
    expect(JSON.parse(bodyOf())).toEqual({ ...job, n_new: 2 })
    expect(answer.headers.get('x-gateway-dropped-params')).toBe('job_name')
  })
})

describe('`gateway_options`', () => {
  const create = (gateway_options: unknown, model = 'gpt', headers: Record<string, string> = {}) =>
    fetch(`${scene.gateway.url}/v1/fine_tuning/jobs`, {
      method: 'POST',
      headers: { 'x-gateway-api-key': API_KEY, ...headers },
      body: JSON.stringify({ model, training_file: 'file-1', gateway_options }),
    })

  test('name the stored provider, whose rules hold', async () => {
    scene.answer = () => Response.json({ id: 'ftjob-1' })
    for (const name of ['x-gateway-virtual-key', 'virtual_key']) {
      expect((await create({ [name]: 'team' })).status).toBe(200)
      expect(last()?.headers.get('authorization')).toBe(`Bearer ${STORED_KEY}`)
    }
    expect(bodyOf()).not.toContain('gateway_options')
    const refused = await create({ 'x-gateway-virtual-key': 'team' }, 'not-allowed')
    expect([refused.status, await refused.json()]).toMatchObject([412, { error: { param: 'model' } }])
  })

  test('give way to headers of the call', async () => {
    const headers = { 'x-gateway-provider': 'openai', authorization: `Bearer ${PROVIDER_KEY}` }
    expect((await create({ 'x-gateway-virtual-key': 'team' }, 'gpt', headers)).status).toBe(200)
    expect(last()?.headers.get('authorization')).toBe(`Bearer ${PROVIDER_KEY}`)
  })

  test.each([
    [{ 'x-gateway-config': '{}' }, 'gateway_options.x-gateway-config'],
    [{ 'x-gateway-virtual-key': 5 }, 'gateway_options.x-gateway-virtual-key'],
    ['team', 'gateway_options'],
  ])('are those of the interface: %j', async (options, param) => {
    const answer = await create(options)
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { param } }])
  })
})

describe('a provider whose jobs have a form of their own', () => {
  interface Asked {
    readonly place: string
    readonly key: string | null
    readonly body: unknown
  }
  const asked: Asked[] = []
  let upstream: ReturnType<typeof Bun.serve>
  let gateway: TestGateway
  const JOB = { id: 'ft-1', status: 'pending', model: 'm', training_file: 'file-1', created_at: '2026-11-24T10:00:00Z' }
  const answers: ReadonlyMap<string, () => Response> = new Map([
    ['POST /v1/fine-tunes', () => Response.json(JOB)],
    ['GET /v1/fine-tunes', () => Response.json({ data: [JOB] })],
    [
      'GET /v1/fine-tunes/ft-1/events',
      () => Response.json({ data: [{ created_at: '2026-11-24T10:00:00Z', level: 'info', message: 'Created' }] }),
    ],
    ['GET /v1/accounts/acme/supervisedFineTuningJobs/j', () => Response.json({ name: 'accounts/acme/x/j' })],
  ])
  beforeAll(async () => {
    upstream = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const place = `${request.method} ${new URL(request.url).pathname}`
        const text = await request.text()
        const body: unknown = text === '' ? undefined : JSON.parse(text)
        asked.push({ place, key: request.headers.get('authorization'), body })
        const missing = { error: { message: 'No such job with sk-of-them-0123456789', type: 'not_found' } }
        return answers.get(place)?.() ?? Response.json(missing, { status: 404 })
      },
    })
    const base = `http://127.0.0.1:${upstream.port}`
    gateway = await startTestGateway({
      config: {
        plugins: [
          'defaults',
          { 'together-ai': { baseURL: `${base}/v1`, apiKey: 'sk-of-them-0123456789' } },
          { 'fireworks-ai': { baseURL: `${base}/inference/v1`, apiKey: 'sk-of-them-0123456789' } },
        ],
      },
    })
  })
  afterAll(async () => {
    await gateway.close()
    await upstream.stop(true)
  })
  const jobs = (defaultHeaders: Record<string, string>) =>
    new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: API_KEY, maxRetries: 0, defaultHeaders }).fineTuning.jobs
  const together = () => jobs({ 'x-gateway-provider': 'together-ai' })

  test('is asked in its own words, with its key, and answers in those of OpenAI', async () => {
    const { data, response } = await together()
      .create({ model: 'm', training_file: 'file-1', seed: 3, metadata: { team: 'a' } })
      .withResponse()
    expect(data).toMatchObject({ id: 'ft-1', object: 'fine_tuning.job', status: 'queued', error: null })
    expect(response.headers.get('x-gateway-dropped-params')).toBe('metadata')
    expect(asked.at(-1)).toEqual({
      place: 'POST /v1/fine-tunes',
      key: 'Bearer sk-of-them-0123456789',
      body: { model: 'm', training_file: 'file-1', random_seed: 3 },
    })
    expect((await all(await together().list())).map(({ id }) => id)).toEqual(['ft-1'])
    expect((await all(await together().listEvents('ft-1'))).map(({ message }) => message)).toEqual(['Created'])
  })

  test('has its refusals told in our form, without its key', async () => {
    const failure = await failureOf(together().retrieve('ft-2'))
    expect(failure).toMatchObject({ status: 404 })
    expect(String(failure)).toContain('No such job')
    expect(String(failure)).not.toContain('sk-of-them')
    for (const limit of [0, 101]) {
      expect(await failureOf(Promise.resolve(together().list({ limit })))).toMatchObject({
        status: 400,
        param: 'limit',
      })
    }
    const other = together().create({ model: 'm', training_file: 'file-1', method: { type: 'reinforcement' } })
    expect(await failureOf(other)).toMatchObject({ status: 400, param: 'method.type' })
  })

  test('may have its jobs beside its models, in an account that the call names', async () => {
    const fireworks = { 'x-gateway-provider': 'fireworks-ai' }
    expect(await failureOf(jobs(fireworks).retrieve('j'))).toMatchObject({ status: 400 })
    const named = jobs({ ...fireworks, 'x-gateway-fireworks-account-id': 'acme' })
    expect((await named.retrieve('j')).id).toBe('j')
    expect(asked.at(-1)?.place).toBe('GET /v1/accounts/acme/supervisedFineTuningJobs/j')
  })
})
