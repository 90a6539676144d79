import type { RequestBody } from '../core/bodies/body.ts'
import type { CallRequest } from '../core/call.ts'

/** The request of a call. Its URL is taken apart only where somebody asks. */
export class DoorRequest implements CallRequest {
  readonly #url: string
  readonly method: string
  readonly headers: Headers
  readonly params: CallRequest['params']
  readonly body: RequestBody

  constructor({ url, method, headers }: Request, params: CallRequest['params'], body: RequestBody) {
    this.#url = url
    this.method = method
    this.headers = headers
    this.params = params
    this.body = body
  }

  get path(): string {
    return pathOf(this.#url)
  }

  get search(): string {
    const [whole] = this.#url.split('#', 1)
    const start = whole?.indexOf('?') ?? -1
    return start === -1 ? '' : (whole?.slice(start) ?? '')
  }

  get query(): URLSearchParams {
    return this.#url.includes('?') ? new URL(this.#url).searchParams : NO_QUERY
  }
}

/** Nobody writes to a query. */
const NO_QUERY = new URLSearchParams()

/** The path of an absolute URL, as the server made it: always with a host and a slash behind it. */
export const pathOf = (url: string): string => {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.slice(start).search(/[?#]/)
  return end === -1 ? url.slice(start) : url.slice(start, start + end)
}
