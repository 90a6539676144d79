/** A request as it reached a provider. */
export interface Arrived {
  readonly method: string
  /** Id of the provider whose base URL it came to. */
  readonly provider: string
  /** Path and query below that base URL. */
  readonly target: string
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
  /** The JSON object in it; empty when there is none. */
  readonly body: Readonly<Record<string, unknown>>
}

export type Answering = (arrived: Arrived) => Response | Promise<Response>

export interface Providers {
  readonly arrived: Arrived[]
  /** Base URL of a provider of OpenAI's address form. */
  baseURL(id: string): string
  answer: Answering
  close(): Promise<void>
}

/** Providers on one socket, told apart by their path. */
export const startProviders = (): Providers => {
  const arrived: Arrived[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const [, provider = '', path = ''] = /^\/([^/]+)\/v1(.*)$/.exec(pathname) ?? []
      const bytes = await request.bytes()
      const text = new TextDecoder().decode(bytes)
      const { method, headers } = request
      const seen: Arrived = {
        method,
        provider,
        target: `${path}${search}`,
        headers,
        bytes,
        text,
        body: objectIn(text),
      }
      arrived.push(seen)
      return providers.answer(seen)
    },
  })
  const providers: Providers = {
    arrived,
    baseURL: (id) => `http://127.0.0.1:${server.port}/${id}/v1`,
    answer: usualAnswer,
    close: () => server.stop(true),
  }
  return providers
}

const objectIn = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }

/** Two words, in the form that was asked for. */
export const usualAnswer: Answering = ({ provider, target, body }) => {
  const { model = 'model-1' } = body
  const said = ['Hello', ` from ${provider}`]
  const chunk = (object: string, choice: object): string =>
    `data: ${JSON.stringify({ id: 'id-1', object, created: 1, model, choices: [{ index: 0, logprobs: null, ...choice }] })}\n\n`
  const streamed = (object: string, choices: readonly object[]): Response =>
    new Response(`${choices.map((choice) => chunk(object, choice)).join('')}data: [DONE]\n\n`, {
      headers: { 'content-type': 'text/event-stream' },
    })
  const whole = (object: string, choice: object): Response =>
    Response.json({ id: 'id-1', object, created: 1, model, choices: [{ index: 0, ...choice }], usage: USAGE })
  switch (target) {
    case '/chat/completions':
      return body.stream === true
        ? streamed('chat.completion.chunk', [
            ...said.map((content) => ({ delta: { role: 'assistant', content }, finish_reason: null })),
            { delta: {}, finish_reason: 'stop' },
          ])
        : whole('chat.completion', {
            message: { role: 'assistant', content: said.join('') },
            logprobs: null,
            finish_reason: 'stop',
          })
    case '/completions':
      return body.stream === true
        ? streamed('text_completion', [
            ...said.map((text) => ({ text, finish_reason: null })),
            { text: '', finish_reason: 'stop' },
          ])
        : whole('text_completion', { text: said.join(''), logprobs: null, finish_reason: 'stop' })
    case '/embeddings':
      return Response.json({
        object: 'list',
        model,
        data: [{ object: 'embedding', index: 0, embedding: [0.25, -0.5] }],
        usage: { prompt_tokens: 3, total_tokens: 3 },
      })
    default:
      return Response.json({ ok: true })
  }
}
