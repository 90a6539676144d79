/**
 * A cookie of this gateway: for it alone (`__Host-`: RFC 6265bis, section 4.1.3.2), out of reach for scripts, and not sent along
 * by other sites but when somebody follows a link. Chromium and Firefox keep such a one from the loopback address without https
 * too; Safari does not (Chromium tried 2026-11-25).
 */
export interface OwnCookie {
  /** @returns undefined where there is none, or more than one: then nobody knows whose it is */
  read(request: Request): string | undefined
  /** `Set-Cookie` of a value. @param maxAgeSeconds absent: until the browser is closed */
  write(value: string, maxAgeSeconds?: number): string
  /** `Set-Cookie` that takes it away. */
  clear(): string
}

const ownCookie = (name: `__Host-${string}`): OwnCookie => {
  const write: OwnCookie['write'] = (value, maxAgeSeconds) =>
    [
      `${name}=${value}`,
      ...['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'],
      ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
    ].join('; ')
  const start = `${name}=`
  return {
    read({ headers }) {
      const cookies = (headers.get('cookie') ?? '').split(';').map((cookie) => cookie.trim())
      const [found, ...others] = cookies.filter((cookie) => cookie.startsWith(start))
      return others.length > 0 ? undefined : found?.slice(start.length)
    },
    write,
    clear: () => write('', 0),
  }
}

/** Holds the token of a session. */
export const SESSION_COOKIE = ownCookie('__Host-weir_session')

/** Holds, sealed, what a login at an MCP server must still know when that sends the browser back. */
export const MCP_LOGIN_COOKIE = ownCookie('__Host-weir_mcp_login')

/** Holds, sealed, what a sign-in must still know when its issuer sends the browser back. */
export const SIGN_IN_COOKIE = ownCookie('__Host-weir_sign_in')
