import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { Browser } from '../../sign-in/support/browser.ts'

export const REDIRECT_URI = 'http://127.0.0.1:9/callback'

/** An app with the official client, which knows an address and nothing else. */
export interface App {
  /** Where it sent its person last. */
  asked: URL | undefined
  tokens: OAuthTokens | undefined
  information: OAuthClientInformationMixed | undefined
  /** @throws UnauthorizedError where a person has to be asked */
  connect(): Promise<Client>
  /** Comes back with the code that the person's answer brought. */
  finish(code: string): Promise<void>
}

/** @param documentUrl address of a document about it, instead of a registration */
export const createApp = (address: string, documentUrl?: string): App => {
  let verifier = ''
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT_URI,
    ...(documentUrl === undefined ? {} : { clientMetadataUrl: documentUrl }),
    clientMetadata: { client_name: 'An <app>', redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'none' },
    clientInformation: () => app.information,
    saveClientInformation: (information) => {
      app.information = information
    },
    tokens: () => app.tokens,
    saveTokens: (tokens) => {
      app.tokens = tokens
    },
    redirectToAuthorization: (url) => {
      app.asked = url
    },
    saveCodeVerifier: (text) => {
      verifier = text
    },
    codeVerifier: () => verifier,
  }
  const transport = () => new StreamableHTTPClientTransport(new URL(address), { authProvider: provider })
  const app: App = {
    asked: undefined,
    tokens: undefined,
    information: undefined,
    async connect() {
      const client = new Client({ name: 'an app', version: '1.0.0' })
      // What the client's types say of optional fields is stricter than what it takes.
      await client.connect(transport() as Parameters<Client['connect']>[0])
      return client
    },
    finish: (code) => transport().finishAuth(code),
  }
  return app
}

/** A page that asks a person, as a browser shows it. */
export interface ConsentPage {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Fields that the form sends, but for the answer. */
  readonly fields: Readonly<Record<string, string>>
}

/** Goes to where an app sends a person, signs in on the way, and stops where they are asked. */
export const visit = async (browser: Browser, url: URL): Promise<ConsentPage> => {
  const { response } = await browser.go(url.href, ({ port }) => port === '9')
  const text = (await response?.text()) ?? ''
  const inputs = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
  const [, workspace] = /<option value="([^"]+)">/.exec(text) ?? []
  return {
    status: response?.status ?? 0,
    headers: response?.headers ?? new Headers(),
    text,
    fields: {
      ...(workspace === undefined ? {} : { workspace }),
      ...Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value])),
    },
  }
}

/** Sends the form of a page. @returns the answer, and what the app is told by it */
export const answer = async (
  browser: Browser,
  origin: string,
  fields: Readonly<Record<string, string>>,
): Promise<{ readonly response: Response; readonly told: URLSearchParams }> => {
  const response = await browser.send(`${origin}/oauth/authorize`, {
    method: 'POST',
    headers: { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
  const location = response.headers.get('location')
  return { response, told: location === null ? new URLSearchParams() : new URL(location).searchParams }
}
