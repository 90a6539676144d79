import { definePlugin, openaiCompatible, t } from '#kit'
import { type MockServer, type MockServerOptions, startMockServer } from '../../../../plugins/providers/mock/server.ts'
import { type RawAnswer, type RawCall, rawCall } from '../../../../plugins/providers/mock/test-support/raw-client.ts'
import { API_KEY, startTestGateway, type TestGateway, type TestGatewayOptions } from '../../../support/gateway.ts'

/** All that a host of this format can have. */
const ALL = [
  'chat',
  'completions',
  'embeddings',
  'models',
  'moderations',
  'rerank',
  'ocr',
  'images',
  'image-edits',
  'image-variations',
  'speech',
  'transcriptions',
  'translations',
] as const

type Fields = Readonly<Record<string, unknown>>

/** A gateway in front of an upstream that the test can look into. */
export interface Probe {
  readonly upstream: MockServer
  readonly gateway: TestGateway
  /** Port of the gateway. */
  readonly port: number
  /** One raw call: the provider is `probe`, the key is good, the body is JSON unless it is text. */
  call(body: unknown, more?: Partial<RawCall>): Promise<RawAnswer>
  /** The one record of the call that this answer belongs to. */
  recordOf(answer: RawAnswer): Promise<Fields>
  close(): Promise<void>
}

/** Headers of a call to the provider `probe`. */
export const CALL_HEADERS = {
  'content-type': 'application/json',
  'x-gateway-api-key': API_KEY,
  'x-gateway-provider': 'probe',
} as const

/** A chat request for the mock with its switches. */
export const chat = (mock: Fields = {}, more: Fields = {}): Fields => ({
  model: 'mock',
  messages: [{ role: 'user', content: 'one two three four' }],
  mock,
  ...more,
})

/** A provider of the reference's wire format at a base URL of the test. */
export const providerAt = (baseURL: string, id = 'probe', apiKey?: string) =>
  definePlugin({
    name: id,
    config: t.Object({}),
    setup: () => ({
      providers: [
        openaiCompatible({
          id,
          baseURL,
          needsKey: false,
          endpoints: ALL,
          fineTuning: {},
          realtime: true,
          ...(apiKey === undefined ? {} : { apiKey }),
        }),
      ],
    }),
  })

export const startProbe = async (
  options: TestGatewayOptions & { readonly upstream?: MockServerOptions } = {},
): Promise<Probe> => {
  const upstream = await startMockServer(options.upstream)
  const probe = providerAt(`${upstream.url}/v1`)
  const { config } = options
  const gateway = await startTestGateway({
    ...options,
    plugins: [probe, ...(options.plugins ?? [])],
    config: { ...config, plugins: ['defaults', ...(config?.plugins ?? [])] },
  })
  const { port } = gateway.server
  if (port === undefined) throw new Error('the gateway has no port')
  return {
    upstream,
    gateway,
    port,
    call: (body, more) => rawCall({ port, body, ...more, headers: { ...CALL_HEADERS, ...more?.headers } }),
    recordOf: async (answer) => {
      const id = answer.headers.get('x-gateway-request-id')
      return gateway.record((record) => record.id === id)
    },
    async close() {
      await gateway.close()
      await upstream.close()
    },
  }
}
