import { describe, expect, test } from 'bun:test'
import { EgressRefused, InvalidHeader, InvalidRequest, type Provider, ProviderKeyRequired, type Static } from '#kit'
import { adapterOf } from '#kit/provider'
import { CONFORM_OUTGOING, conform, fakeHost } from '#kit/testing'
import azureAI from './index.ts'

const FOUNDRY = 'https://contoso.services.ai.azure.com'

conform(azureAI, new URL('./fixtures/', import.meta.url), { config: { foundryURL: FOUNDRY } })

type Settings = Readonly<Record<string, string>>

const start = async (config: Static<typeof azureAI.config> = {}): Promise<Provider> => {
  const checkCustomHost = (url: string): string => {
    if (url.includes('internal')) throw new EgressRefused('internal')
    return url
  }
  const { providers } = await azureAI.setup(config, fakeHost({ checkCustomHost }))
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

const headersOf = async (provider: Provider, settings: Settings, url: string, apiKey = 'k') => {
  const headers = new Headers()
  await provider.authorize(headers, { apiKey, settings }, { ...CONFORM_OUTGOING, url })
  return Object.fromEntries(headers)
}

describe('the address', () => {
  test.each([
    [{ azure_foundry_url: FOUNDRY }, `${FOUNDRY}/models`],
    [{ azure_foundry_url: `${FOUNDRY}/` }, `${FOUNDRY}/models`],
    [{ azure_foundry_url: `${FOUNDRY}/models/` }, `${FOUNDRY}/models`],
    [{ azure_foundry_url: 'https://c.openai.azure.com/openai/v1' }, 'https://c.openai.azure.com/openai/v1'],
    [{ azure_foundry_url: 'https://phi.eastus2.models.ai.azure.com' }, 'https://phi.eastus2.models.ai.azure.com'],
    [{ azure_endpoint_name: 'Phi', azure_region: 'eastus2' }, 'https://phi.eastus2.models.ai.azure.com'],
    [
      { azure_endpoint_name: 'phi', azure_region: 'eastus2', azure_deployment_type: 'managed' },
      'https://phi.eastus2.inference.ml.azure.com',
    ],
  ])('%j is %s', async (settings, base) => {
    expect(baseOf(await start(), settings)).toBe(base)
  })

  test.each([
    [{}, 'azure_foundry_url'],
    [{ azure_foundry_url: 'x' }, 'azure_foundry_url'],
    [{ azure_foundry_url: 'file:///etc/passwd' }, 'azure_foundry_url'],
    [{ azure_foundry_url: `${FOUNDRY}?x=1` }, 'azure_foundry_url'],
    [{ azure_endpoint_name: 'a.evil', azure_region: 'r' }, 'azure_endpoint_name'],
    [{ azure_endpoint_name: 'a' }, 'azure_region'],
    [{ azure_endpoint_name: 'a', azure_region: 'r/x' }, 'azure_region'],
    [{ azure_endpoint_name: 'a', azure_region: 'r', azure_deployment_type: 'constructor' }, 'azure_deployment_type'],
  ])('%j is refused: %s', async (settings, param) => {
    const provider = await start()
    const error = thrownBy(() => baseOf(provider, settings))
    expect(error).toBeInstanceOf(InvalidHeader)
    expect(error).toMatchObject({ options: { param } })
  })

  test('that a call names is checked like any host of a call', async () => {
    const provider = await start()
    expect(thrownBy(() => baseOf(provider, { azure_foundry_url: 'https://internal.example' }))).toBeInstanceOf(
      EgressRefused,
    )
  })

  test('of Claude, documents and models is that of the resource', async () => {
    const provider = await start()
    const settings = { azure_foundry_url: `${FOUNDRY}/models` }
    for (const [form, model] of [
      ['chat', 'my-Claude-opus'],
      ['ocr', 'm'],
      ['models', ''],
    ] as const) {
      const place = adapterOf(provider, form, model)?.baseURL
      expect([form, typeof place === 'function' ? place(settings) : place]).toEqual([form, FOUNDRY])
    }
    expect(adapterOf(provider, 'chat', 'gpt-5')?.baseURL).toBeUndefined()
  })
})

describe('headers', () => {
  const url = `${FOUNDRY}/models/chat/completions`

  test('hand parameters on that Azure does not know, unless told otherwise', async () => {
    const provider = await start()
    expect(await headersOf(provider, {}, url)).toEqual({ 'api-key': 'k', 'extra-parameters': 'pass-through' })
    expect(await headersOf(provider, { azure_extra_params: 'drop', azure_deployment_name: 'blue' }, url)).toEqual({
      'api-key': 'k',
      'extra-parameters': 'drop',
      'azureml-model-deployment': 'blue',
    })
  })

  test.each([
    ['azure_extra_params', 'x'],
    ['azure_deployment_name', 'a b'],
    ['azure_deployment_name', 'a\r\nx: y'],
  ])('refuse %s %j', async (name, value) => {
    const provider = await start()
    const sent = thrownBy(() =>
      provider.authorize(new Headers(), { apiKey: 'k', settings: { [name]: value } }, { ...CONFORM_OUTGOING, url }),
    )
    expect(sent).toMatchObject({ options: { param: name } })
  })

  test('show a deployment its key as a bearer token', async () => {
    const provider = await start()
    for (const host of ['phi.eastus2.models.ai.azure.com', 'phi.eastus2.inference.ml.azure.com']) {
      const headers = await headersOf(provider, {}, `https://${host}/chat/completions`)
      expect(headers).toEqual({ authorization: 'Bearer k', 'extra-parameters': 'pass-through' })
    }
  })

  test('name a version to Claude, and nothing of the other API', async () => {
    expect(await headersOf(await start(), {}, `${FOUNDRY}/anthropic/v1/messages`)).toEqual({
      'api-key': 'k',
      'anthropic-version': '2023-06-01',
    })
  })

  test('give the operator’s key to the operator’s address alone', async () => {
    const provider = await start({ apiKey: 'operator', foundryURL: FOUNDRY })
    expect(provider.defaultSettings).toEqual({ azure_foundry_url: FOUNDRY })
    const sentTo = (azure_foundry_url: string) =>
      thrownBy(() =>
        provider.authorize(new Headers(), { apiKey: 'operator', settings: { azure_foundry_url } }, CONFORM_OUTGOING),
      )
    expect(sentTo(FOUNDRY)).toBeUndefined()
    expect(sentTo('https://other.services.ai.azure.com')).toBeInstanceOf(ProviderKeyRequired)
    expect(provider.ownKeyIsFor?.({ azure_endpoint_name: 'x' })).toBe(false)
  })
})

test.each([
  [{ type: 'document_url', document_url: 'https://example.com/a.pdf' }, 'document.document_url'],
  [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }, 'document.image_url'],
  [{ type: 'file', file_id: 'f' }, 'document'],
])('a document that Azure would have to fetch is refused: %j', async (document, param) => {
  const { params } = adapterOf(await start(), 'ocr', 'm') ?? {}
  const rule = Object(params).document
  const error = thrownBy(() => rule(document))
  expect(error).toBeInstanceOf(InvalidRequest)
  expect(error).toMatchObject({ options: { param } })
})
