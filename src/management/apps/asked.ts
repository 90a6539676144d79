import { defined } from '../../core/defined.ts'
import { ManagementInvalid } from '../../errors/gateway-error.ts'
import { MCP_SCOPE } from '../../mcp/place.ts'
import { type App, AppRefused } from '../../people/apps/app.ts'
import { isDocumentId } from '../../people/apps/documents.ts'
import { isSameRedirect } from '../../people/apps/redirect-uri.ts'
import type { Visit } from '../sign-in/serve.ts'
import { OAuthError } from '../tokens/oauth-error.ts'
import type { AppsDeps } from './deps.ts'
import { type Resource, readResource } from './resource.ts'

/** An app that is known, and where its answer goes: from here on it is told itself what is wrong. */
export interface Asker {
  readonly app: App
  readonly redirectUri: string
  readonly state?: string
}

/** What an app asks a person for. */
export interface Asked extends Asker {
  readonly resource: Resource
  readonly codeChallenge: string
}

const MAX_STATE = 512

/**
 * Whoever asks. Nothing may be sent to an address that is not known to be theirs: what is wrong here, the person is told.
 * @throws ManagementInvalid
 */
export const readAsker = async ({ registrations, documents }: AppsDeps, query: URLSearchParams): Promise<Asker> => {
  const id = onlyOne(query, 'client_id')
  if (id === undefined) throw notAnApp('names no app: `client_id` is missing')
  const app = isDocumentId(id) ? await documents.find(id).catch(rethrown) : registrations.find(id)
  if (app === undefined) throw notAnApp('is not registered here, or not any more: it has to register again')
  const asked = onlyOne(query, 'redirect_uri')
  const [first = '', ...others] = app.redirectUris
  if (asked === undefined && others.length > 0)
    throw notAnApp('has several addresses and says none: `redirect_uri` is missing')
  const redirectUri = asked ?? first
  if (!app.redirectUris.some((registered) => isSameRedirect(registered, redirectUri))) {
    throw notAnApp('wants an answer at an address that is not its own: `redirect_uri` is not one that it registered')
  }
  const state = query.get('state') ?? undefined
  if ((state?.length ?? 0) > MAX_STATE) throw notAnApp(`has a \`state\` of more than ${MAX_STATE} characters`)
  return { app, redirectUri, ...defined({ state }) }
}

/**
 * What is asked for.
 * @throws OAuthError, which the app is told
 */
export const readAsked = (asker: Asker, query: URLSearchParams, visit: Visit): Asked => {
  for (const name of new Set(query.keys())) {
    if (query.getAll(name).length > 1)
      throw new OAuthError('invalid_request', `The parameter ${name.slice(0, 40)} is given twice.`)
  }
  if (query.get('response_type') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'The only response_type is code.')
  }
  const codeChallenge = query.get('code_challenge') ?? ''
  if (query.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(codeChallenge)) {
    throw new OAuthError('invalid_request', 'A code_challenge with the code_challenge_method S256 is needed.')
  }
  const asked = query.get('resource')
  if (asked === null) {
    throw new OAuthError(
      'invalid_target',
      'The resource is missing: it is the address of an MCP server of this gateway.',
    )
  }
  const resource = readResource(asked, visit)
  if (resource === undefined) throw new OAuthError('invalid_target', 'The resource is no MCP server of this gateway.')
  const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
  if (scopes.length > 0 && !scopes.includes(MCP_SCOPE)) {
    throw new OAuthError('invalid_scope', `The only scope that apps can ask for is ${MCP_SCOPE}.`)
  }
  return { ...asker, resource, codeChallenge }
}

/** Where the browser goes with an answer. @param parameters of the answer; `state` and `iss` are added (RFC 9207) */
export const answerUrl = (
  { redirectUri, state }: Asker,
  issuer: string,
  parameters: Readonly<Record<string, string>>,
): string => {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...parameters, ...defined({ state }), iss: issuer })) {
    url.searchParams.set(name, value)
  }
  return url.href
}

const onlyOne = (query: URLSearchParams, name: string): string | undefined => {
  const [value, ...others] = query.getAll(name)
  if (others.length > 0) throw notAnApp(`says \`${name}\` twice`)
  return value === '' ? undefined : value
}

const rethrown = (thrown: unknown): never => {
  throw thrown instanceof AppRefused ? notAnApp(`cannot be let in. ${thrown.message}`, thrown) : thrown
}

const notAnApp = (what: string, cause?: unknown): ManagementInvalid =>
  new ManagementInvalid(`Whatever sent you here ${what}.`, cause === undefined ? {} : { cause })
