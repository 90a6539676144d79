const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Where browsers reach this gateway, without a path: what the operator says in `server.publicUrl`; where that is not said, what the
 * request names, if it is this very machine. Behind a proxy nobody else knows whether the browser is at https.
 * @returns undefined where no cookie would be safe
 */
export const ownOrigin = (request: Pick<Request, 'url'>, publicUrl: string | undefined): string | undefined => {
  const { origin, protocol, hostname } = new URL(publicUrl ?? request.url)
  return protocol === 'https:' || LOOPBACK.test(hostname) ? origin : undefined
}

/** Where browsers reach this gateway: an origin, and what stands in front of each path there. */
export interface OwnAddress {
  readonly origin: string
  /** Empty, or `/llm`. */
  readonly prefix: string
}

/** @param basePath the prefix where the operator names no address. @returns undefined where no cookie would be safe */
export const ownAddress = (
  request: Pick<Request, 'url'>,
  { publicUrl, basePath }: { readonly publicUrl: string | undefined; readonly basePath: string },
): OwnAddress | undefined => {
  const origin = ownOrigin(request, publicUrl)
  if (origin === undefined) return undefined
  return { origin, prefix: publicUrl === undefined ? basePath : new URL(publicUrl).pathname.replace(/\/+$/, '') }
}

/** Whether a request of a browser comes from a page of this gateway, as far as the browser says: other clients say nothing. */
export const isSameOrigin = ({ headers }: Request, origin: string | undefined): boolean => {
  const said = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  return (said === null || said === origin) && (site === null || site === 'same-origin')
}
