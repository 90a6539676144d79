import OpenAI, { type ClientOptions } from 'openai'
import type { Door } from './door.ts'

export interface CallOptions {
  /** Values of `x-gateway-…` headers by their name without prefix. */
  readonly gateway?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** What goes into `Authorization`. Default: the gateway key. */
  readonly bearer?: string
  /** Default: `/v1`. */
  readonly path?: string
  /** Default 0: a failure shows at once. */
  readonly maxRetries?: number
}

/** The official client, pointed at a gateway in the one way its users know: base URL, key, extra headers. */
export const openaiClient = (door: Door, options: CallOptions = {}): OpenAI => {
  const named = Object.entries(options.gateway ?? {}).map(([name, value]) => [`x-gateway-${name}`, value])
  const settings: ClientOptions = {
    baseURL: `${door.url}${options.path ?? '/v1'}`,
    apiKey: options.bearer ?? door.apiKey,
    defaultHeaders: { ...Object.fromEntries(named), ...options.headers },
    maxRetries: options.maxRetries ?? 0,
    fetch: door.fetch,
  }
  return new OpenAI(settings)
}

/** The client with the built-in provider `mock`. */
export const mockClient = (door: Door, options: CallOptions = {}): OpenAI =>
  openaiClient(door, { ...options, gateway: { provider: 'mock', ...options.gateway } })

/** A provider key that no gateway knows. */
export const PROVIDER_KEY = 'provider-key-of-the-caller-0123456789'

/** The client with a provider of its own choice, key and place: the gateway key is in `x-gateway-api-key`. */
export const providerClient = (door: Door, provider: string, baseURL: string, options: CallOptions = {}): OpenAI =>
  openaiClient(door, {
    bearer: PROVIDER_KEY,
    ...options,
    gateway: { 'api-key': door.apiKey, provider, 'custom-host': baseURL, ...options.gateway },
  })

/** What a call failed with. @throws Error when it did not fail. */
export const failureOf = async (call: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await call
  } catch (thrown) {
    return thrown
  }
  throw new Error('the call did not fail')
}

/** All of a stream, in order. */
export const all = async <Item>(stream: AsyncIterable<Item>): Promise<Item[]> => {
  const items: Item[] = []
  for await (const item of stream) items.push(item)
  return items
}
