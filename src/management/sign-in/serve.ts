import type { Clock, Logger } from '../../core/ports.ts'
import { errorFields } from '../../errors/error-fields.ts'
import { ManagementForbidden, ManagementTooMany } from '../../errors/gateway-error.ts'
import { errorResponse } from '../../http/respond.ts'
import type { Arrival } from '../../http/trusted-proxies.ts'
import type { CsrfTokens } from '../../people/sessions/csrf.ts'
import { type OwnAddress, ownAddress } from '../../people/sessions/origin.ts'
import type { Attempts } from '../../people/sign-in/attempts.ts'
import type { FlowSeal } from '../../people/sign-in/flow.ts'
import type { Issuers } from '../../people/sign-in/issuers.ts'
import type { LiveApiKey } from '../../store/memory/live-keys.ts'
import type { Db } from '../../store/types.ts'
import { toManagementError } from '../management-error.ts'
import { errorPage } from './page.ts'

export interface SignInDeps {
  readonly db: Db
  readonly issuers: Issuers
  readonly attempts: Attempts
  readonly flows: FlowSeal
  readonly csrf: CsrfTokens
  /** Keys by themselves, none that is revoked. */
  readonly keys: { find(key: string): LiveApiKey | undefined | Promise<LiveApiKey | undefined> }
  /** Hours after which a session ends however much it is used. */
  readonly sessionMaxHours: number
  readonly publicUrl: string | undefined
  readonly basePath: string
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Logger, 'warn' | 'error'>
  readonly randomId: () => string
  readonly arrivalOf: (request: Request) => Arrival
}

/** One request of somebody who signs in, or out. */
export interface Visit extends OwnAddress {
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  readonly requestId: string
  readonly address: string | undefined
  /** `Set-Cookie` headers, which go out with whatever is answered. */
  readonly cookies: string[]
}

export type SignInHandler = (request: Request, params: Readonly<Record<string, string>>) => Promise<Response>

/** A page is only ever shown where a browser goes by itself. */
const WANTS_PAGE = /\btext\/html\b/

/** Nothing of a sign-in is kept on the way, or told to others. */
const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } as const

/**
 * Answers one kind of request, and puts every refusal into words: on a page for people, else as JSON.
 * @param title of that page
 */
export const serveSignIn =
  (deps: SignInDeps, answer: (visit: Visit) => Promise<Response>, title = 'You are not signed in'): SignInHandler =>
  async (request, params) => {
    const requestId = deps.randomId()
    const cookies: string[] = []
    const response = await answerOrRefuse(deps, answer, { request, params, requestId, cookies }, title)
    for (const [name, value] of Object.entries(HEADERS)) {
      if (!response.headers.has(name)) response.headers.set(name, value)
    }
    for (const name of ['x-request-id', 'x-gateway-request-id']) response.headers.set(name, requestId)
    for (const cookie of cookies) response.headers.append('set-cookie', cookie)
    return response
  }

const answerOrRefuse = async (
  deps: SignInDeps,
  answer: (visit: Visit) => Promise<Response>,
  visit: Omit<Visit, keyof OwnAddress | 'address'>,
  title: string,
): Promise<Response> => {
  const { request, requestId } = visit
  const own = ownAddress(request, deps)
  try {
    if (own === undefined) throw notSafe()
    return await answer({ ...visit, ...own, address: deps.arrivalOf(request).address })
  } catch (thrown) {
    const error = toManagementError(thrown, requestId)
    if (error.code === 'management_internal') {
      deps.log.error('a sign-in failed for a reason of ours', { id: requestId, ...errorFields(thrown) })
    }
    const isPage = WANTS_PAGE.test(request.headers.get('accept') ?? '')
    return isPage ? errorPage(title, error, own?.prefix ?? deps.basePath) : errorResponse(error)
  }
}

const notSafe = (): ManagementForbidden =>
  new ManagementForbidden(
    'Nobody can sign in here: browsers keep the cookie of a session only over https (TLS), or on the loopback address. Set `server.publicUrl` to the https address of this gateway.',
  )

/** @throws ManagementTooMany when an address has tried too often */
export const takeAttempt = ({ attempts }: SignInDeps, { address }: Visit): void => {
  const retryAfterMs = attempts.take(address)
  if (retryAfterMs === undefined) return
  throw new ManagementTooMany('Too many attempts to sign in from this address. Wait a little.', { retryAfterMs })
}
