import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Provider from 'oidc-provider'

export type AccountClaims = Readonly<Record<string, unknown>>

/** A real issuer (`oidc-provider`) on a socket, whose people are these. */
export interface RealIssuer {
  readonly url: string
  /** Id of whoever signs in next; absent: they call it off. */
  next: string | undefined
  readonly accounts: Map<string, AccountClaims>
  close(): Promise<void>
}

export interface RealIssuerOptions {
  readonly clientId: string
  /** Absent: a public client. */
  readonly clientSecret?: string
  readonly redirectUri: string
  /** All claims in the ID token, instead of the user info alone. */
  readonly inIdToken?: boolean
}

const SCOPES = ['openid', 'email', 'profile', 'groups']

export const startRealIssuer = async (options: RealIssuerOptions): Promise<RealIssuer> => {
  const { clientId, clientSecret, redirectUri, inIdToken = false } = options
  let handle = async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.end()
  }
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the issuer does not listen')
  const url = `http://127.0.0.1:${address.port}`
  const accounts = new Map<string, AccountClaims>()
  const issuer: RealIssuer = {
    url,
    next: undefined,
    accounts,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const provider = new Provider(url, {
    clients: [
      {
        client_id: clientId,
        redirect_uris: [redirectUri],
        ...(clientSecret === undefined ? { token_endpoint_auth_method: 'none' } : { client_secret: clientSecret }),
      },
    ],
    scopes: SCOPES,
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name'],
      groups: ['groups'],
    },
    conformIdTokenClaims: !inIdToken,
    cookies: { keys: ['a key of the tests'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ ...accounts.get(id), sub: id }),
    }),
    async loadExistingGrant({ oidc }: { oidc: ProviderContext }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope(SCOPES.join(' '))
      await grant.save()
      return grant
    },
  })
  const standard = provider.callback()
  handle = async (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return standard(request, response)
    const result = issuer.next === undefined ? { error: 'access_denied' } : { login: { accountId: issuer.next } }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
  return issuer
}

interface ProviderContext {
  readonly client: { readonly clientId: string }
  readonly session: { readonly accountId: string }
  readonly provider: {
    readonly Grant: new (of: {
      clientId: string
      accountId: string
    }) => {
      addOIDCScope(scope: string): void
      save(): Promise<string>
    }
  }
}
