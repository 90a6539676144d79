import { ManagementForbidden } from '../../errors/gateway-error.ts'
import { CSRF_HEADER, type CsrfTokens } from './csrf.ts'
import { isSameOrigin, ownOrigin } from './origin.ts'

/** Methods that change nothing, so that another site gains nothing by having them sent. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/**
 * Refuses a change that a session makes unless a page of this gateway asked for it.
 * @throws ManagementForbidden
 */
export const refuseForgery = (
  request: Request,
  sessionToken: string,
  { csrf, publicUrl }: { readonly csrf: CsrfTokens; readonly publicUrl: string | undefined },
): void => {
  if (SAFE_METHODS.has(request.method)) return
  refuseOtherSites(request, publicUrl)
  const given = request.headers.get(CSRF_HEADER)
  if (given !== null && csrf.isGood(sessionToken, given)) return
  throw new ManagementForbidden(
    `A change with a session needs its \`csrf_token\`, as GET /v2/session shows it, in the header \`${CSRF_HEADER}\`.`,
    { param: CSRF_HEADER },
  )
}

/** @throws ManagementForbidden when a browser says that a page of somebody else asks */
export const refuseOtherSites = (request: Request, publicUrl: string | undefined): void => {
  if (isSameOrigin(request, ownOrigin(request, publicUrl))) return
  throw new ManagementForbidden(
    'This was asked for by a page of another site. Where a proxy stands in front, `server.publicUrl` must be the address that browsers see.',
    { param: 'origin' },
  )
}
