import Anthropic from '@anthropic-ai/sdk'
import { API_KEY, type TestGateway } from '../../../support/gateway.ts'
import { startWireUpstream, type WireProvider, type WireUpstream } from '../../clients/support/wire-upstream.ts'

/** A provider's key that no gateway knows. */
const PROVIDER_KEY = 'provider-key-of-the-caller-0123456789'

/** The official client, changed in nothing but its address, its key and the provider that it asks. */
export const mockMessages = ({ url }: TestGateway, headers: Readonly<Record<string, string>> = {}): Anthropic =>
  new Anthropic({
    baseURL: url,
    apiKey: API_KEY,
    maxRetries: 0,
    defaultHeaders: { 'x-gateway-provider': 'mock', ...headers },
  })

/** The same with recorded answers of a provider. */
export const wireMessages = (
  { url }: TestGateway,
  upstream: WireUpstream,
  provider: WireProvider,
  fixture: string,
): Anthropic =>
  new Anthropic({
    baseURL: url,
    apiKey: PROVIDER_KEY,
    maxRetries: 0,
    defaultHeaders: {
      'x-gateway-api-key': API_KEY,
      'x-gateway-provider': provider,
      'x-gateway-custom-host': upstream.baseURL(provider, fixture),
    },
  })

export { startWireUpstream, type WireUpstream }

export const WEATHER = {
  name: 'get_weather',
  description: 'Weather of a place',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
}

/** What a call failed with. @throws Error when it did not fail */
export const failureOf = async (call: PromiseLike<unknown>): Promise<InstanceType<typeof Anthropic.APIError>> => {
  try {
    await call
  } catch (thrown) {
    if (thrown instanceof Anthropic.APIError) return thrown
    throw thrown
  }
  throw new Error('the call did not fail')
}
