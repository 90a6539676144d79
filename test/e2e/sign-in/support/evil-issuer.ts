import { createHmac } from 'node:crypto'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose'

/** What one answer of the token endpoint says; all of it may be wrong. */
export interface Lie {
  /** Claims instead of the right ones; null leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>
  readonly algorithm?: 'none' | 'HS256 with the public key' | 'another key' | 'altered'
  /** Instead of its own address, in the redirect; null leaves it out. */
  readonly issInRedirect?: string | null
  /** Bytes of the answer, about. */
  readonly size?: number
  /** The address that the discovery document names. */
  readonly issuer?: string
}

/** A small issuer that tells the truth but for what it is told to lie about. */
export interface EvilIssuer {
  readonly url: string
  lie: Lie
  /** Requests at the token endpoint. */
  readonly tokens: URLSearchParams[]
  close(): Promise<void>
}

export const startEvilIssuer = async (): Promise<EvilIssuer> => {
  const own = await generateKeyPair('RS256', { extractable: true })
  const other = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', use: 'sig' }
  const publicText = await exportSPKI(own.publicKey)
  const asked = new Map<string, URLSearchParams>()
  const tokens: URLSearchParams[] = []

  const sign = async (claims: Record<string, unknown>, algorithm: Lie['algorithm']): Promise<string> => {
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    if (algorithm === 'none') return `${part({ alg: 'none' })}.${part(claims)}.`
    if (algorithm === 'HS256 with the public key') {
      const text = `${part({ alg: 'HS256', kid: 'own' })}.${part(claims)}`
      return `${text}.${createHmac('sha256', publicText).update(text).digest('base64url')}`
    }
    const key = algorithm === 'another key' ? other.privateKey : own.privateKey
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(key)
    if (algorithm !== 'altered') return token
    const [head, , signature] = token.split('.')
    return [head, part({ ...claims, email: 'boss@acme.example' }), signature].join('.')
  }

  const discovery = (url: string) => ({
    issuer: issuer.lie.issuer ?? url,
    authorization_endpoint: `${url}/auth`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    authorization_response_iss_parameter_supported: true,
    // It would take anything.
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
  })

  const authorize = (url: string, query: URLSearchParams): Response => {
    const code = crypto.randomUUID()
    asked.set(code, query)
    const back = new URL(query.get('redirect_uri') ?? '')
    back.searchParams.set('code', code)
    back.searchParams.set('state', query.get('state') ?? '')
    const iss = issuer.lie.issInRedirect === undefined ? url : issuer.lie.issInRedirect
    if (iss !== null) back.searchParams.set('iss', iss)
    return new Response(null, { status: 302, headers: { location: back.href } })
  }

  const token = async (url: string, form: URLSearchParams): Promise<Response> => {
    tokens.push(form)
    const query = asked.get(form.get('code') ?? '')
    const now = Math.floor(Date.now() / 1000)
    const right = {
      ...{
        iss: url,
        aud: query?.get('client_id'),
        sub: 'mallory',
        nonce: query?.get('nonce'),
        iat: now,
        exp: now + 300,
      },
      ...{ email: 'mallory@evil.example', email_verified: true },
    }
    const claims = Object.entries({ ...right, ...issuer.lie.claims }).filter(([, value]) => value !== null)
    const idToken = await sign(Object.fromEntries(claims), issuer.lie.algorithm)
    const padding = issuer.lie.size === undefined ? {} : { padding: 'x'.repeat(issuer.lie.size) }
    return Response.json({ access_token: 'access', token_type: 'Bearer', id_token: idToken, ...padding })
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { origin, pathname, searchParams } = new URL(request.url)
      if (pathname === '/jwks') return Response.json({ keys: [jwk] })
      if (pathname === '/auth') return authorize(origin, searchParams)
      if (pathname === '/token') return token(origin, new URLSearchParams(await request.text()))
      return Response.json(discovery(origin))
    },
  })
  const issuer: EvilIssuer = {
    url: `http://127.0.0.1:${server.port}`,
    lie: {},
    tokens,
    close: () => server.stop(true),
  }
  return issuer
}
