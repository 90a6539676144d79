import { HeaderList } from '#core/header-fields'
import { type Answer, type Call, collect, fromPieces, isReadyStream, isRecord, UpstreamInvalid } from '#kit'
import type { Exchange, ExchangeAnswer, ExchangeRequest } from '#kit/provider'
import type { ProviderRequest, SendRequest, Target } from '#kit/slots'
import { parseBody, providerError } from './provider-error.ts'
import { headersFor } from './request-headers.ts'

/** More of them would be a loop: what one call may cause has an end. */
const MAX_REQUESTS = 20
/** Bytes of an answer that is read as a whole. */
const MAX_BYTES = 50 * 1024 * 1024

export interface ExchangeOptions {
  /** Of the provider, or the host that the call chose. */
  readonly baseURL: string
  readonly send: SendRequest
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The requests that a call is made of. */
export const createExchange = (call: Call, target: Target, { baseURL, send, now }: ExchangeOptions): Exchange => {
  let left = MAX_REQUESTS
  return {
    async send(asked) {
      if (left-- === 0) throw new Error(`a call made more than ${MAX_REQUESTS} requests`)
      const answer = await send(toRequest(call, target, baseURL, asked))
      const { status } = answer
      if ((status >= 200 && status < 300) || asked.sees?.includes(status) === true) return new Received(answer)
      throw providerError(target, status, parseBody(await bytesOf(answer)), answer.headers, now())
    },
  }
}

const toRequest = (
  call: Call,
  target: Target,
  baseURL: string,
  { method, url, headers: given = {}, body, withoutKey, service, passes }: ExchangeRequest,
): ProviderRequest => {
  const isBelow = url.startsWith('/')
  const isJson = isFields(body)
  const type = isJson ? 'application/json' : undefined
  const headers = withoutKey === true ? plainHeaders(type) : headersFor(call, target, type, 'application/json')
  for (const [name, value] of Object.entries(given)) headers.set(name, value)
  return {
    method,
    url: isBelow ? `${baseURL}${url}` : url,
    headers,
    body: isJson ? JSON.stringify(body) : body,
    stream: false,
    asItIs: passes,
    withoutKey,
    service,
    isElsewhere: isBelow ? undefined : true,
  }
}

/** Stored headers may log in, and those of the client are for the provider. */
const plainHeaders = (type: string | undefined): HeaderList => {
  const headers = new HeaderList()
  headers.set('accept', '*/*')
  headers.set('user-agent', 'weir')
  if (type !== undefined) headers.set('content-type', type)
  return headers
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (body: ExchangeRequest['body']): body is Fields =>
  isRecord(body) && !(body instanceof Uint8Array) && !isStream(body)

/** Fields of JSON hold no functions. */
const isStream = ({ stream }: Fields): boolean => isRecord(stream) && typeof stream.take === 'function'

const bytesOf = async ({ body }: Answer): Promise<Uint8Array> =>
  isReadyStream(body) ? await collect(body, MAX_BYTES) : body

class Received implements ExchangeAnswer {
  readonly status: number
  readonly headers: ExchangeAnswer['headers']
  readonly body: ExchangeAnswer['body']

  constructor({ status, headers, body }: Answer) {
    this.status = status
    this.headers = headers
    this.body = isReadyStream(body) ? body : fromPieces([body])
  }

  async json(): Promise<Fields> {
    const body = parseBody(await collect(this.body, MAX_BYTES))
    if (!isRecord(body)) throw new UpstreamInvalid('The provider answered with something that is not a JSON object.')
    return body
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await collect(this.body, MAX_BYTES))
  }
}
