/** An answer, read to its end. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The JSON object in it; empty when there is none. */
  readonly body: Readonly<Record<string, unknown>>
}

export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Gateway key or token, sent as bearer. */
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
}

/** One plain HTTP request. */
export const send = async (url: string, { method = 'GET', token, headers, body }: Sent = {}): Promise<Reply> => {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      // A form says itself what it is.
      ...(body === undefined || body instanceof Blob ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parse(text) }
}

const parse = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** A call to a model, by default to the built-in mock. */
export const chat = (
  url: string,
  token: string,
  { headers = { 'x-gateway-provider': 'mock' }, model = 'mock', query = '' }: ChatOptions = {},
): Promise<Reply> =>
  send(`${url}/v1/chat/completions${query}`, {
    method: 'POST',
    token,
    headers,
    body: { model, messages: [{ role: 'user', content: 'Hello' }] },
  })

export interface ChatOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly model?: string
  /** With its question mark. */
  readonly query?: string
}

/** A text field of an answer. @throws Error with the answer when it has none. */
export const textOf = ({ status, text, body }: Reply, field: string): string => {
  const value = body[field]
  if (typeof value !== 'string') throw new Error(`no text '${field}' in the answer ${status}: ${text}`)
  return value
}

/** Asks until the answer fits. @returns how many milliseconds that took. @throws Error with the last answer. */
export const within = async (
  deadlineMs: number,
  ask: () => Promise<Reply>,
  fits: (reply: Reply) => boolean,
): Promise<number> => {
  const startMs = performance.now()
  for (;;) {
    const reply = await ask()
    const tookMs = performance.now() - startMs
    if (fits(reply)) return tookMs
    if (tookMs > deadlineMs)
      throw new Error(`not within ${deadlineMs} ms; the last answer: ${reply.status} ${reply.text}`)
    await Bun.sleep(10)
  }
}

export const hasStatus =
  (status: number) =>
  (reply: Reply): boolean =>
    reply.status === status
