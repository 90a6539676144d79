import createClient, { type Middleware } from 'openapi-fetch'
import { Failure, failureOf, toFailure } from './failure.ts'
import { PREFIX } from './page.ts'
import type { paths } from './schema.d.ts'

/** What goes along with each request. */
const current: { csrfToken: string | undefined; workspace: string | undefined } = {
  csrfToken: undefined,
  workspace: undefined,
}

/**
 * Changes what goes along from now on: the token of the session, the workspace that a member of several means.
 * @returns whether the workspace is another one now
 */
export const bringAlong = (change: Partial<typeof current>): boolean => {
  const before = current.workspace
  Object.assign(current, change)
  return current.workspace !== before
}

let onEnd: () => void = () => undefined

/** Hears when the gateway knows the session no more. */
export const whenSessionEnds = (heard: () => void): void => {
  onEnd = heard
}

/** How long a page waits before it says that nothing came. */
const TIMEOUT_MS = 30_000

const middleware: Middleware = {
  onRequest({ request }) {
    if (request.method !== 'GET' && current.csrfToken !== undefined) {
      request.headers.set('x-gateway-csrf', current.csrfToken)
    }
    if (current.workspace !== undefined && !request.headers.has('x-gateway-workspace'))
      request.headers.set('x-gateway-workspace', current.workspace)
    return request
  },
  onResponse({ response }) {
    if (response.status === 401 && current.csrfToken !== undefined) onEnd()
  },
}

/** Asks the gateway, by the types of its own document. */
export const gateway = createClient<paths>({
  baseUrl: PREFIX,
  fetch: (request) => fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]) }),
})
gateway.use(middleware)

/** The headers of a request that goes out by another way. */
export const ownHeaders = (): Readonly<Record<string, string>> =>
  current.workspace === undefined ? {} : { 'x-gateway-workspace': current.workspace }

interface Asked<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/** What was asked for. @throws Failure */
export const take = async <Data>(asked: Promise<Asked<Data>>): Promise<NonNullable<Data>> => {
  const { data, error, response } = await asked.catch((thrown: unknown) => {
    const isLate = thrown instanceof DOMException && thrown.name === 'TimeoutError'
    throw isLate ? new Failure('The gateway took too long to answer. Try again.', 0) : toFailure(thrown)
  })
  if (error !== undefined || !response.ok) throw failureOf(error, response)
  if (data === undefined || data === null) throw new Failure('The answer of the gateway was empty.', response.status)
  return data
}

/** What is stored, as it was when it was asked for, and the tag by which the gateway knows that. */
export interface Tagged<Data> {
  readonly data: Data
  readonly tag: string
}

/** What was asked for, with its tag. @throws Failure */
export const takeTagged = async <Data>(asked: Promise<Asked<Data>>): Promise<Tagged<NonNullable<Data>>> => {
  const data = await take(asked)
  const { response } = await asked
  return { data, tag: response.headers.get('etag') ?? '*' }
}

/** The header by which a change is only made where that is still what is there; none for what is new. */
export type IfMatch = { readonly 'if-match'?: string }

/** @param tag `*` for whatever is there; absent: nothing is */
export const ifMatch = (tag: string | undefined): IfMatch => (tag === undefined ? {} : { 'if-match': tag })
