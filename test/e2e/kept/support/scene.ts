import OpenAI, { toFile } from 'openai'
import { API_KEY, startTestGateway, type TestGateway } from '../../../support/gateway.ts'

/** A request as a provider got it. */
export interface Seen {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Headers
  readonly text: string
}

/** Answers of a provider by method and path, without a query: `GET /v1/files`; or what answers all. */
export type Answers = Readonly<Record<string, (seen: Seen) => Response>> | ((seen: Seen) => Response)

export interface KeptScene {
  readonly gateway: TestGateway
  /** What the provider was asked, in order; `clear` forgets it. */
  readonly seen: Seen[]
  readonly client: OpenAI
  /** Another client of the same provider. */
  clientWith(headers: Readonly<Record<string, string>>): OpenAI
  close(): Promise<void>
}

export const PROVIDER_KEY = 'key-of-the-operator-0123456789'

/** A gateway, a provider that answers what it is told to, and the official client in front of them. */
export const startKeptScene = async (
  provider: string,
  answersAt: (url: string) => Answers,
  {
    basePath = '/v1',
    settings = () => ({}),
  }: { readonly basePath?: string; readonly settings?: (url: string) => object } = {},
): Promise<KeptScene> => {
  const seen: Seen[] = []
  let answers: Answers = {}
  const upstream = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const { method, headers } = request
      const one = { method, path: `${pathname}${search}`, headers, text: await request.text() }
      seen.push(one)
      const answer = typeof answers === 'function' ? answers : answers[`${method} ${pathname}`]
      return answer?.(one) ?? Response.json({ error: { message: `nothing at ${method} ${pathname}` } }, { status: 404 })
    },
  })
  const url = `http://127.0.0.1:${upstream.port}`
  answers = answersAt(url)
  const gateway = await startTestGateway({
    config: {
      plugins: [
        'defaults',
        'mock',
        { [provider]: { baseURL: `${url}${basePath}`, apiKey: PROVIDER_KEY, ...settings(url) } },
      ],
    },
  })
  const clientWith: KeptScene['clientWith'] = (headers) =>
    new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: API_KEY, maxRetries: 0, defaultHeaders: headers })
  return {
    gateway,
    seen,
    client: clientWith({ 'x-gateway-provider': provider }),
    clientWith,
    async close() {
      await gateway.close()
      await upstream.stop(true)
    },
  }
}

export const line = (id: string, body: object, url = '/v1/chat/completions'): string =>
  JSON.stringify({ custom_id: id, method: 'POST', url, body })

export const inputOf = (lines: readonly string[]) => toFile(Buffer.from(`${lines.join('\n')}\n`), 'in.jsonl')

export const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((each) => JSON.parse(each))

/** Fields and the file of a form that a provider got. */
export const formOf = async ({ headers, text }: Seen) => {
  const form = await new Response(text, { headers: { 'content-type': headers.get('content-type') ?? '' } }).formData()
  const file = form.get('file')
  const fields = [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  if (!(file instanceof File)) throw new Error('a form without a file')
  return { fields: Object.fromEntries(fields), name: file.name, type: file.type, text: await file.text() }
}

/** The output of a batch, as the gateway gives it. */
export const outputOf = async ({ gateway }: KeptScene, provider: string, id: string, headers: object = {}) => {
  const answer = await fetch(`${gateway.url}/v1/batches/${id}/output`, {
    headers: { authorization: `Bearer ${API_KEY}`, 'x-gateway-provider': provider, ...headers },
  })
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}

/** What a call of the client failed with. It asks only once somebody waits for it. */
export const failureOf = async (call: PromiseLike<unknown>): Promise<unknown> => {
  try {
    return await call
  } catch (thrown) {
    return thrown
  }
}
