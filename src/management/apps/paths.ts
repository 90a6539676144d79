import { MCP_LOGIN_PATHS } from '../../mcp/place.ts'

/** Where apps are let in (OAuth 2.1), behind the operator's prefix. */
export const APP_PATHS = {
  authorize: '/oauth/authorize',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  token: '/oauth/token',
} as const

/** Stand at the root of a host, in front of the path that they are about (RFC 8414, section 3.1; RFC 9728, section 3.1). */
export const SERVER_METADATA = '/.well-known/oauth-authorization-server'
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'

/** Clients look at the root of the host; a proxy may hand on nothing but what is behind the prefix. */
const rootsOf = (basePath: string): readonly string[] => (basePath === '' ? [''] : ['', basePath])

interface AppPath {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly guard: string
}

/** Every path, with what guards it, for `weir routes`. */
export const appPaths = (basePath: string): readonly AppPath[] => [
  ...rootsOf(basePath).flatMap((root) =>
    [SERVER_METADATA, `${SERVER_METADATA}/*`, `${RESOURCE_METADATA}/*`].map(
      (path): AppPath => ({ method: 'GET', path: `${root}${path}`, guard: 'public' }),
    ),
  ),
  { method: 'GET', path: `${basePath}${APP_PATHS.authorize}`, guard: 'rate limit > session' },
  { method: 'POST', path: `${basePath}${APP_PATHS.authorize}`, guard: 'rate limit > session > CSRF token' },
  { method: 'POST', path: `${basePath}${APP_PATHS.register}`, guard: 'rate limit' },
  { method: 'POST', path: `${basePath}${APP_PATHS.revoke}`, guard: 'the token in the request' },
  { method: 'GET', path: `${basePath}${MCP_LOGIN_PATHS.start}`, guard: 'rate limit > sealed ticket > session' },
  { method: 'GET', path: `${basePath}${MCP_LOGIN_PATHS.callback}`, guard: 'rate limit > sealed cookie > server' },
]
