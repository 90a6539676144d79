import { defined } from '../../core/defined.ts'
import { ManagementNotFound } from '../../errors/gateway-error.ts'
import type { Fields } from '../../people/scim/documents.ts'
import type { KnownVersions } from '../../people/scim/version.ts'
import type { ManagementCall } from '../route.ts'
import { SCIM_JSON } from './errors.ts'

export const SCIM_PATH = '/scim/v2'

/** The address of SCIM as the client called it. */
export const baseOf = ({ request, from }: Pick<ManagementCall<unknown, unknown>, 'request' | 'from'>): string => {
  const { pathname } = new URL(request.url)
  return `${from.origin}${pathname.slice(0, pathname.indexOf(SCIM_PATH))}${SCIM_PATH}`
}

export const versionsOf = ({ headers }: Pick<Request, 'headers'>): KnownVersions =>
  defined({
    ifMatch: headers.get('if-match') ?? undefined,
    ifNoneMatch: headers.get('if-none-match') ?? undefined,
  })

export const scimAnswer = (body: Fields, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': SCIM_JSON } })

/** An answer that shows one resource, with its address and version, whatever of it is shown. */
export const resourceAnswer = (
  shown: Fields,
  { location, version }: { readonly location: string; readonly version: string },
  status = 200,
): Response => {
  const answer = scimAnswer(shown, status)
  answer.headers.set('location', location)
  answer.headers.set('etag', version)
  return answer
}

export const emptyAnswer = (status: 204 | 304 = 204, version?: string): Response =>
  new Response(null, { status, headers: defined({ etag: version }) })

/** @throws ManagementNotFound */
export const oneOf = (documents: readonly Fields[], id: string, what: string): Fields => {
  const found = documents.find((document) => document.id === id)
  if (found === undefined) throw new ManagementNotFound(`There is no ${what} '${id.slice(0, 100)}'.`)
  return found
}
