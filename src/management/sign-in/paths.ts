/** Where people sign in, behind the operator's prefix. */
export const SIGN_IN_PATHS = {
  /** For people; invites lead here. */
  page: '/sign-in',
  issuers: '/v2/sign-in/issuers',
  start: '/v2/sign-in/start',
  /** An issuer each, so that the answer of one is never taken for that of another (RFC 9700, section 4.4.2). */
  callback: '/v2/sign-in/callback/:issuer',
  key: '/v2/sign-in/key',
  out: '/v2/sign-in/out',
} as const

/** What guards each of them, for `weir routes`. */
export const signInPaths = (basePath: string) =>
  [
    { method: 'GET', path: `${basePath}${SIGN_IN_PATHS.page}`, guard: 'public' },
    { method: 'GET', path: `${basePath}${SIGN_IN_PATHS.issuers}`, guard: 'public' },
    { method: 'GET', path: `${basePath}${SIGN_IN_PATHS.start}`, guard: 'rate limit' },
    { method: 'GET', path: `${basePath}${SIGN_IN_PATHS.callback}`, guard: 'rate limit > sealed cookie > issuer' },
    {
      method: 'POST',
      path: `${basePath}${SIGN_IN_PATHS.key}`,
      guard: 'rate limit > same site > key of the organisation',
    },
    { method: 'POST', path: `${basePath}${SIGN_IN_PATHS.out}`, guard: 'session > CSRF token' },
  ] as const

/** Where the way to an issuer begins. @param query what it takes along */
export const startPath = (prefix: string, issuer: string, query: URLSearchParams): string => {
  const asked = new URLSearchParams({ issuer })
  for (const name of ['return_to', 'invite']) {
    const value = query.get(name)
    if (value !== null) asked.set(name, value)
  }
  return `${prefix}${SIGN_IN_PATHS.start}?${asked}`
}

/** Where an issuer sends the browser back to. */
export const callbackPath = (prefix: string, issuer: string): string =>
  `${prefix}${SIGN_IN_PATHS.callback.replace(':issuer', issuer)}`
