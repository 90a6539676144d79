import { describe, expect, test } from 'bun:test'
import { adaptRequest } from '#calls/adapt'
import { InvalidHeader, InvalidRequest, type Provider, ProviderKeyRequired, type Static } from '#kit'
import type { AdapterContext } from '#kit/provider'
import { CONFORM_OUTGOING, conform, fakeHost } from '#kit/testing'
import azureOpenAI from './index.ts'

conform(azureOpenAI, new URL('./fixtures/', import.meta.url))

type Settings = Readonly<Record<string, string>>

const start = async (config: Static<typeof azureOpenAI.config> = {}): Promise<Provider> => {
  const { providers } = await azureOpenAI.setup(config, fakeHost())
  const provider = providers?.[0]
  if (provider === undefined) throw new Error('no provider')
  return provider
}

const baseOf = ({ baseURL }: Provider, settings: Settings): string =>
  typeof baseURL === 'string' ? baseURL : baseURL(settings)

const send = ({ endpoints }: Provider, settings: Settings, model = 'gpt-5.2') => {
  const context: AdapterContext = {
    model,
    stream: false,
    strict: true,
    includeUsage: false,
    callId: 'call-1',
    created: 1,
    settings,
  }
  if (endpoints.chat === undefined) throw new Error('no chat endpoint')
  return adaptRequest(endpoints.chat, { model, messages: [{ role: 'user', content: 'hi' }] }, context)
}

/** The error that `run` throws. */
const thrownBy = (run: () => unknown): unknown => {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

const headersOf = async (provider: Provider, apiKey: string, settings: Settings): Promise<[string, string][]> => {
  const headers = new Headers()
  await provider.authorize(headers, { apiKey, settings }, CONFORM_OUTGOING)
  return [...headers]
}

describe('the resource', () => {
  test.each([
    ['contoso', 'https://contoso.openai.azure.com'],
    ['Contoso-EU-2', 'https://contoso-eu-2.openai.azure.com'],
    ['a'.repeat(64), `https://${'a'.repeat(64)}.openai.azure.com`],
  ])('%s is the host %s', async (resource_name, base) => {
    expect(baseOf(await start(), { resource_name })).toBe(base)
  })

  test.each([
    'evil.example',
    'evil.example#',
    'evil.example/',
    'evil.example?',
    'evil.example\\',
    'user@evil',
    'evil:80',
    'a b',
    'a\n',
    'a%2fb',
    '-a',
    'a-',
    'ä',
    '\u212a', // the Kelvin sign, a K to careless comparison
    '127.0.0.1',
    'a'.repeat(65),
    '',
  ])('%j is refused', async (resource_name) => {
    const provider = await start()
    const error = thrownBy(() => baseOf(provider, { resource_name }))
    expect(error).toBeInstanceOf(InvalidHeader)
    expect(error).toMatchObject({ options: { param: 'x-gateway-azure-resource-name' } })
  })

  test('missing, it is asked for by name', async () => {
    const provider = await start()
    expect(thrownBy(() => baseOf(provider, {}))).toBeInstanceOf(InvalidHeader)
  })

  test('is not looked at when the operator gives the base URL', async () => {
    const provider = await start({ baseURL: 'https://contoso.openai.azure.us' })
    expect(baseOf(provider, { resource_name: 'evil.example#' })).toBe('https://contoso.openai.azure.us')
  })
})

describe('the deployment', () => {
  const dated = { api_version: '2024-10-21' }

  test.each([
    ['a/b', 'a%2Fb'],
    ['../x', '..%2Fx'],
    ['a?b#c', 'a%3Fb%23c'],
    ['ü', '%C3%BC'],
    ['%2e%2e', '%252e%252e'],
  ])('%s stays one segment', async (deployment_id, segment) => {
    const { path } = send(await start(), { ...dated, deployment_id })
    expect(path).toBe(`/openai/deployments/${segment}/chat/completions?api-version=2024-10-21`)
  })

  test.each(['.', '..', '\ud800'])('%j is refused', async (name) => {
    const provider = await start()
    expect(thrownBy(() => send(provider, { ...dated, deployment_id: name }))).toBeInstanceOf(InvalidHeader)
    const asModel = thrownBy(() => send(provider, dated, name))
    expect(asModel).toBeInstanceOf(InvalidRequest)
    expect(asModel).toMatchObject({ options: { param: 'model' } })
  })

  test('no deployment and no model is refused', async () => {
    const provider = await start()
    expect(thrownBy(() => send(provider, dated, ''))).toBeInstanceOf(InvalidRequest)
  })
})

describe('a call that passes through', () => {
  test.each([
    ['/openai/deployments/gpt-5/chat/completions', 'gpt-5'],
    ['/openai/deployments/gpt-5', 'gpt-5'],
    ['/OpenAI/Deployments/gpt 5/embeddings', 'gpt 5'],
    ['/deployments/gpt-5/embeddings', 'gpt-5'],
    ['/openai/v1/chat/completions', undefined],
    ['/openai/deployments', undefined],
    ['/openai/deployments/', undefined],
    ['/x/openai/deployments/gpt-5', undefined],
  ])('names the deployment in its path: %s', async (path, deployment) => {
    expect((await start()).modelInPath?.(path)).toBe(deployment)
  })

  test('may name a host below the domains of resources', async () => {
    const { hostSuffixes } = await start()
    expect([...(hostSuffixes ?? [])]).toEqual([
      '.openai.azure.com',
      '.cognitiveservices.azure.com',
      '.services.ai.azure.com',
    ])
  })
})

describe('the version', () => {
  test.each([
    ['', '/openai/v1/chat/completions'],
    ['constructor', '/openai/deployments/d/chat/completions?api-version=constructor'],
  ])('%j gives %s', async (api_version, path) => {
    expect(send(await start(), { api_version, deployment_id: 'd' }).path).toBe(path)
  })

  test.each(['2024-10-21&x=1', 'v1/../..', 'v1#', 'a'.repeat(31)])('%j is refused', async (api_version) => {
    const provider = await start()
    expect(thrownBy(() => send(provider, { api_version }))).toBeInstanceOf(InvalidHeader)
  })
})

test('the operator may name resource, deployment and version', async () => {
  const { defaultSettings } = await start({ resourceName: 'contoso', deploymentId: 'd', apiVersion: '2024-10-21' })
  expect(defaultSettings).toEqual({ resource_name: 'contoso', deployment_id: 'd', api_version: '2024-10-21' })
})

describe('the key', () => {
  test('goes into api-key', async () => {
    expect(await headersOf(await start(), 'k', { resource_name: 'contoso' })).toEqual([['api-key', 'k']])
  })

  test('gives way to a token', async () => {
    const headers = await headersOf(await start(), 'k', { azure_ad_token: 'eyJ.a.b' })
    expect(headers).toEqual([['authorization', 'Bearer eyJ.a.b']])
  })

  test.each(['a b', 'a\r\nx: y', 'ä'])('a token such as %j is refused', async (azure_ad_token) => {
    const provider = await start()
    expect(
      thrownBy(() =>
        provider.authorize(new Headers(), { apiKey: 'k', settings: { azure_ad_token } }, CONFORM_OUTGOING),
      ),
    ).toBeInstanceOf(InvalidHeader)
  })

  test('of the operator goes to the resource of the operator alone', async () => {
    const provider = await start({ apiKey: 'operator', resourceName: 'contoso' })
    const sentTo = (resource_name: string, apiKey = 'operator') =>
      thrownBy(() => provider.authorize(new Headers(), { apiKey, settings: { resource_name } }, CONFORM_OUTGOING))
    expect(sentTo('contoso')).toBeUndefined()
    expect(sentTo('other')).toBeInstanceOf(ProviderKeyRequired)
    expect(sentTo('other', 'their own')).toBeUndefined()
    const anywhere = await start({ apiKey: 'operator' })
    expect(
      thrownBy(() =>
        anywhere.authorize(
          new Headers(),
          { apiKey: 'operator', settings: { resource_name: 'other' } },
          CONFORM_OUTGOING,
        ),
      ),
    ).toBeInstanceOf(ProviderKeyRequired)
  })

  test('of the operator goes to the base URL of the operator whatever the call names', async () => {
    const provider = await start({ apiKey: 'operator', baseURL: 'https://contoso.openai.azure.us' })
    expect(await headersOf(provider, 'operator', { resource_name: 'other' })).toEqual([['api-key', 'operator']])
  })
})
