import { describe, expect, test } from 'bun:test'
import { InvalidHeader, InvalidRequest, type Provider, ProviderKeyRequired, type Static } from '#kit'
import { type AdapterContext, adapterOf } from '#kit/provider'
import { CONFORM_OUTGOING, conform, conformExchanges, contextOf, fakeHost } from '#kit/testing'
import vertexAI from './index.ts'
import { readModel } from './model.ts'

const PLACE = { vertex_project_id: 'contoso-1', vertex_region: 'us-central1' }

conform(vertexAI, new URL('./fixtures/', import.meta.url))
conformExchanges(vertexAI, new URL('./exchanges/', import.meta.url))

type Settings = Readonly<Record<string, string>>

const start = async (config: Static<typeof vertexAI.config> = {}): Promise<Provider> => {
  const { providers } = await vertexAI.setup(config, fakeHost())
  const provider = providers?.[0]
  if (provider === undefined) throw new Error('no provider')
  return provider
}

const baseOf = ({ baseURL }: Provider, settings: Settings): string =>
  typeof baseURL === 'string' ? baseURL : baseURL(settings)

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error
  }
}

const pathOf = (provider: Provider, form: string, model: string, settings: Settings = PLACE): unknown => {
  const adapter = adapterOf(provider, form, model)
  const context: AdapterContext = contextOf(provider, { note: '', endpoint: form, request: { model } }, { settings })
  return typeof adapter?.path === 'function' ? adapter.path(context) : adapter?.path
}

describe('a model', () => {
  test.each([
    ['gemini-2.5-flash', 'google', 'gemini-2.5-flash'],
    ['models/gemini-2.5-flash', 'google', 'gemini-2.5-flash'],
    ['google/gemini-2.5-flash', 'google', 'gemini-2.5-flash'],
    ['google.gemini-2.5-flash', 'google', 'gemini-2.5-flash'],
    ['publishers/google/models/gemini-2.5-flash', 'google', 'gemini-2.5-flash'],
    ['text-embedding-005', 'google', 'text-embedding-005'],
    ['claude-opus-4-8', 'anthropic', 'claude-opus-4-8'],
    ['anthropic/claude-sonnet-4@20250514', 'anthropic', 'claude-sonnet-4@20250514'],
    ['anthropic.claude-3-5-haiku@20241022', 'anthropic', 'claude-3-5-haiku@20241022'],
    ['meta/llama-3.3-70b-instruct-maas', 'open', 'meta/llama-3.3-70b-instruct-maas'],
    ['meta.llama-3.3-70b-instruct-maas', 'open', 'meta/llama-3.3-70b-instruct-maas'],
    ['endpoints/1234', 'endpoint', '1234'],
    ['endpoints.1234', 'endpoint', '1234'],
  ] as const)('%s is of %s: %s', (model, maker, name) => {
    expect(readModel(model)).toEqual({ maker, name })
  })

  test.each(['', '..', 'gemini/../../x', 'gemini-1?x=1', 'gemini-1#', 'gemini 1', 'claude-1:predict', 'endpoints/a/b'])(
    '%j never becomes another path',
    async (model) => {
      const provider = await start()
      const error = thrownBy(() => pathOf(provider, 'chat', model))
      if (typeof error === 'string') expect(error).toEndWith('/endpoints/openapi/chat/completions')
      else expect(error).toBeInstanceOf(InvalidRequest)
    },
  )

  test('is asked in the forms of its maker alone', async () => {
    const provider = await start()
    const forms = ['chat', 'messages', 'messages-count-tokens', 'gemini', 'gemini-count-tokens', 'embeddings']
    const of = (model: string) => forms.filter((form) => adapterOf(provider, form, model) !== undefined)
    expect(of('gemini-2.5-flash')).toEqual(['chat', 'gemini', 'gemini-count-tokens', 'embeddings'])
    expect(of('claude-opus-4-8')).toEqual(['chat', 'messages', 'messages-count-tokens'])
    expect(of('meta/llama-3.3-70b-instruct-maas')).toEqual(['chat'])
  })
})

describe('the region', () => {
  test.each([
    ['us-central1', 'https://us-central1-aiplatform.googleapis.com'],
    ['northamerica-northeast1', 'https://northamerica-northeast1-aiplatform.googleapis.com'],
    ['global', 'https://aiplatform.googleapis.com'],
    ['us', 'https://aiplatform.us.rep.googleapis.com'],
    ['eu', 'https://aiplatform.eu.rep.googleapis.com'],
  ])('%s is the host %s', async (vertex_region, base) => {
    expect(baseOf(await start(), { vertex_region })).toBe(base)
  })

  test.each(['', 'evil.example/', 'x#', 'US-CENTRAL1', 'a@b', 'us-central1.evil', '-a', 'a'.repeat(40), 'ü'])(
    '%j is refused',
    async (vertex_region) => {
      const provider = await start()
      const error = thrownBy(() => baseOf(provider, { vertex_region }))
      expect(error).toBeInstanceOf(InvalidHeader)
      expect(error).toMatchObject({ options: { param: 'vertex_region' } })
    },
  )
})

describe('the project', () => {
  const account = (project_id: unknown) =>
    JSON.stringify({ type: 'service_account', client_email: 'a@b', private_key: 'k', project_id })

  test('is that of the call, else of its account', async () => {
    const provider = await start()
    const json = account('of-account')
    for (const [settings, project] of [
      [PLACE, 'contoso-1'],
      [{ ...PLACE, vertex_service_account_json: json }, 'contoso-1'],
      [{ vertex_region: 'us-central1', vertex_service_account_json: json }, 'of-account'],
      [{ ...PLACE, vertex_project_id: 'example.com:shop' }, 'example.com:shop'],
    ] as const) {
      expect(pathOf(provider, 'chat', 'gemini-2.5-flash', settings)).toBe(
        `/v1beta1/projects/${project}/locations/us-central1/publishers/google/models/gemini-2.5-flash:generateContent`,
      )
    }
  })

  test.each([[''], ['a/b'], ['..'], ['a?b'], ['A']])('%j is refused', async (vertex_project_id) => {
    const provider = await start()
    const error = thrownBy(() => pathOf(provider, 'chat', 'gemini-2.5-flash', { ...PLACE, vertex_project_id }))
    expect(error).toMatchObject({ options: { param: 'vertex_project_id' } })
  })
})

describe('the key', () => {
  test('is an access token', async () => {
    const headers = new Headers()
    await (await start()).authorize(headers, { apiKey: 'ya29.x', settings: PLACE }, CONFORM_OUTGOING)
    expect(Object.fromEntries(headers)).toEqual({ authorization: 'Bearer ya29.x' })
  })

  test('of the operator goes to the operator’s project alone', async () => {
    const provider = await start({ apiKey: 'operator', projectId: 'contoso-1', region: 'global' })
    expect(provider.defaultSettings).toEqual({ vertex_project_id: 'contoso-1', vertex_region: 'global' })
    const sentTo = (settings: Settings) =>
      thrownBy(() => provider.authorize(new Headers(), { apiKey: 'operator', settings }, CONFORM_OUTGOING))
    expect(sentTo(PLACE)).toBeUndefined()
    expect(sentTo({ ...PLACE, vertex_project_id: 'other-1' })).toBeInstanceOf(ProviderKeyRequired)
    expect(provider.ownKeyIsFor?.({ vertex_project_id: 'other-1' })).toBe(false)
  })

  test.each([
    [{ vertex_auth_type: 'guess' }, 'vertex_auth_type'],
    [{ vertex_auth_type: 'serviceAccount' }, 'vertex_auth_type'],
    [{ vertex_service_account_json: 'x' }, 'vertex_service_account_json'],
    [
      { vertex_service_account_json: '{"type":"external_account","token_url":"https://evil.example"}' },
      'vertex_service_account_json',
    ],
    [{ vertex_service_account_json: '{"type":"authorized_user"}' }, 'vertex_service_account_json'],
  ])('is not used instead of %j', async (settings, param) => {
    const provider = await start()
    const error = thrownBy(() => provider.authorize(new Headers(), { apiKey: 'k', settings }, CONFORM_OUTGOING))
    expect(error).toMatchObject({ code: 'unsupported_config', options: { param } })
  })
})

test('the model of a call that passes through is in its path', async () => {
  const { modelInPath } = await start()
  expect(modelInPath?.('/v1/projects/p/locations/r/publishers/anthropic/models/claude-x:rawPredict')).toBe('claude-x')
  expect(modelInPath?.('/v1/projects/p/locations/r/endpoints/123:predict')).toBe('123')
  expect(modelInPath?.('/v1/projects/p')).toBeUndefined()
})
