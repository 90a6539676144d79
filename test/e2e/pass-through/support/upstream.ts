import { API_KEY, startTestGateway, type TestGateway, type TestGatewayOptions } from '../../../support/gateway.ts'

/** A request as it reached the provider. */
export interface Arrived {
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  readonly headers: Headers
  readonly body: Uint8Array
}

export interface Scene {
  readonly gateway: TestGateway
  readonly arrived: Arrived[]
  /** Answers of the provider from now on. */
  answer: (request: Arrived) => Response | Promise<Response>
  call(method: string, path: string, options?: CallOptions): Promise<Answered>
  close(): Promise<void>
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
}

/** The provider's key of these calls. */
export const PROVIDER_KEY = 'sk-provider-key-0123456789'

/** A provider of OpenAI's address form, `<url>/v1`, whose answers a test chooses, behind a gateway. */
export const startScene = async (options: TestGatewayOptions = {}): Promise<Scene> => {
  const arrived: Arrived[] = []
  const ok = (): Response => Response.json({ ok: true })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const seen: Arrived = {
        method: request.method,
        target: `${pathname}${search}`,
        headers: request.headers,
        body: await request.bytes(),
      }
      arrived.push(seen)
      return scene.answer(seen)
    },
  })
  const base = `http://127.0.0.1:${server.port}/v1`
  const gateway = await startTestGateway({
    ...options,
    config: {
      plugins: [
        'defaults',
        'mock',
        { openai: { baseURL: base } },
        { anthropic: { baseURL: base } },
        { google: { baseURL: base } },
        { route: { retryBaseMs: 1 } },
      ],
      ...options.config,
    },
  })
  const scene: Scene = {
    gateway,
    arrived,
    answer: ok,
    async call(method, path, { headers = {}, body } = {}) {
      const response = await fetch(`${gateway.url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          'x-gateway-api-key': API_KEY,
          'x-gateway-provider': 'openai',
          authorization: `Bearer ${PROVIDER_KEY}`,
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      })
      const bytes = await response.bytes()
      return { status: response.status, headers: response.headers, bytes, text: new TextDecoder().decode(bytes) }
    },
    async close() {
      await gateway.close()
      await server.stop(true)
    },
  }
  return scene
}

/** The request that came last. */
export const last = ({ arrived }: Scene): Arrived => {
  const found = arrived.at(-1)
  if (found === undefined) throw new Error('nothing reached the provider')
  return found
}
