import * as oidc from 'openid-client'
import { createBoundedMap } from '../../core/bounded-map.ts'
import { defined } from '../../core/defined.ts'
import { McpLoginMissing } from '../../core/mcp/login-missing.ts'
import type { McpHeaders } from '../../core/mcp/servers.ts'
import { McpUnreachable } from '../../core/mcp/unreachable.ts'
import type { Logger } from '../../core/ports.ts'
import { errorFields } from '../../errors/error-fields.ts'
import type { PassingSeal } from '../../secrets/own-seal.ts'
import type { McpServerRecord, StoredMcpIntegration } from '../../store/memory/mcp-snapshot.ts'
import { createRowsById, type RowsByIdOptions } from '../../store/memory/rows-by-id.ts'
import {
  endRefresh,
  findConnection,
  putConnection,
  readConnections,
  removeConnectionById,
  type SealedConnection,
  takeRefresh,
} from '../../store/objects/mcp-connections.ts'
import { newId } from '../../store/objects/rows.ts'
import type { Store } from '../../store/types.ts'
import { MCP_LOGIN_PATHS } from '../place.ts'
import { type LoginPlace, type OwnClientDeps, openLoginPlace } from './own-client.ts'

/** Who agrees, or has agreed, and at which server. */
export interface LoginOf {
  readonly record: McpServerRecord
  readonly userId: string
}

/** What must still be known when a browser comes back. */
export interface BegunLogin {
  readonly serverId: string
  readonly userId: string
  readonly state: string
  /** Of PKCE. */
  readonly verifier: string
}

/** What an address that a user is shown stands for. */
export interface Ticket {
  readonly serverId: string
  readonly userId: string
  readonly scope?: string
}

/** Logins of users at the servers behind (interface, section 10.3: OAuth for each user). */
export interface UserLogins {
  /**
   * The headers that a server is asked with for a user.
   * @throws McpLoginMissing where they have not agreed yet, or not any more; McpUnreachable, a catalogue error
   */
  headersFor(login: LoginOf): McpHeaders | Promise<McpHeaders>
  /** The server did not take what was sent. @returns true: it is worth another try, or another look */
  renew(login: LoginOf, sent: McpHeaders): Promise<boolean>
  /** The server wants more than was agreed to. @returns what its user is told */
  wanting(login: LoginOf, scope: string): McpLoginMissing
  /** Where a browser is sent to agree. @param scope more than is asked for unless said @throws McpUnreachable, a catalogue error */
  begin(login: LoginOf, scope?: string): Promise<{ readonly url: string; readonly begun: BegunLogin }>
  /** Takes what a browser came back with. @param url as it came @throws McpUnreachable, a catalogue error */
  finish(login: LoginOf, begun: BegunLogin, url: URL): Promise<void>
  /** The ticket of an address that a client shows its user. @returns undefined for one that is not good any more */
  readTicket(ticket: string): Ticket | undefined
  close(): Promise<void>
}

export interface UserLoginsOptions extends Omit<OwnClientDeps, 'db' | 'redirectUri'>, RowsByIdOptions {
  readonly store: Store
  /** What the library asks through: the guard of all outgoing calls. */
  readonly send: oidc.CustomFetch
  readonly tickets: PassingSeal<Ticket>
  readonly log: Pick<Logger, 'warn'>
  /** Where browsers reach this gateway, with the operator's prefix. */
  readonly publicBase: () => string
  /** Whether the operator trusts a private host, which alone may do without https. */
  readonly isTrusted: (host: URL) => boolean
}

/** Milliseconds before its end from which a token is not used any more. */
const MARGIN_MS = 30_000
/** Milliseconds for which one process asks for new tokens, and others wait for them. */
const REFRESH_MS = 15_000
const LOOK_MS = 200
const TIMEOUT_SECONDS = 10
const FIELD = 'tokens'
const MAX_LATEST = 10_000

interface Tokens {
  readonly accessToken: string
  readonly refreshToken?: string
}

/** @throws StoreUnavailable when the database cannot be read at the start */
export const createUserLogins = async (options: UserLoginsOptions): Promise<UserLogins> => {
  const { store, secretBox, now, tickets, publicBase, log } = options
  const { db } = store
  const redirectUri = (): string => `${publicBase()}${MCP_LOGIN_PATHS.callback}`
  const deps: OwnClientDeps = { db, secretBox, ask: options.ask, now, redirectUri }
  const opened = new WeakMap<SealedConnection, Tokens>()
  const renewing = new Map<string, Promise<boolean>>()
  const latest = createBoundedMap<string, SealedConnection>(MAX_LATEST)
  const rows = await createRowsById<SealedConnection>(store, {
    ...defined({ onError: options.onError }),
    tables: ['mcp_connections'],
    read: async (ids) => {
      const found = await readConnections(db, [...new Set(ids.map((id) => id.split(' ')[0] ?? ''))])
      return new Map(found.map((row) => [keyOf(row.serverId, row.userId), row]))
    },
  })

  /** By the database: what is in memory may be a moment behind. */
  const look = async ({ record, userId }: LoginOf): Promise<SealedConnection | undefined> => {
    const row = await findConnection(db, record.server.id, userId)
    if (row !== undefined) latest.set(keyOf(record.server.id, userId), row)
    return row
  }

  /** The later of what follows the database and what was just read there: ids are in the order of time. */
  const laterOf = (row: SealedConnection): SealedConnection => {
    const seen = latest.get(keyOf(row.serverId, row.userId))
    return seen !== undefined && seen.id > row.id ? seen : row
  }

  const openTokens = async ({ server }: McpServerRecord, row: SealedConnection): Promise<Tokens> => {
    const text = await secretBox.open(server.organisationId, row.id, FIELD, row.sealed)
    const tokens = JSON.parse(text) as Tokens
    opened.set(row, tokens)
    return tokens
  }

  const required = ({ record: { server }, userId }: LoginOf, scope?: string): McpLoginMissing => {
    const ticket = tickets.seal({ serverId: server.id, userId, ...defined({ scope }) })
    const query = new URLSearchParams({ ticket })
    return new McpLoginMissing(server.slug, `${publicBase()}${MCP_LOGIN_PATHS.start}?${query}`)
  }

  const configure = (place: LoginPlace): oidc.Configuration => {
    const { server, client } = place
    const authenticate = {
      none: () => oidc.None(),
      client_secret_basic: () => basic(client.id, client.secret ?? ''),
      client_secret_post: () => oidc.ClientSecretPost(client.secret ?? ''),
    }[client.method]
    const metadata = { ...server, token_endpoint_auth_methods_supported: [client.method] }
    const configuration = new oidc.Configuration(metadata, client.id, {}, authenticate())
    configuration[oidc.customFetch] = options.send
    configuration.timeout = TIMEOUT_SECONDS
    for (const endpoint of [server.token_endpoint, server.authorization_endpoint]) {
      const address = URL.parse(endpoint)
      if (address?.protocol === 'http:' && options.isTrusted(address)) oidc.allowInsecureRequests(configuration)
    }
    return configuration
  }

  const seal = async (
    { record: { server }, userId }: LoginOf,
    answer: oidc.TokenEndpointResponse,
    former: Tokens | undefined,
  ): Promise<void> => {
    const refreshToken = answer.refresh_token ?? former?.refreshToken
    const tokens: Tokens = { accessToken: answer.access_token, ...(refreshToken === undefined ? {} : { refreshToken }) }
    const { expires_in: seconds, scope = null } = answer
    const expiresAt = seconds === undefined ? null : new Date(now() + seconds * 1000)
    await db.transaction(async (transaction) => {
      const id = newId()
      const sealed = await secretBox.seal(transaction, server.organisationId, id, FIELD, JSON.stringify(tokens))
      await putConnection(transaction, { id, serverId: server.id, userId, sealed, scope, expiresAt })
    })
  }

  /** The one process that has it asks; the others wait until the tokens are others. */
  const refresh = async (login: LoginOf, isBad: IsBad): Promise<boolean> => {
    const { record } = login
    const row = await look(login)
    if (row === undefined) return false
    // Somebody was quicker.
    if (!(await isBad(row))) return true
    const until = { now: new Date(now()), until: new Date(now() + REFRESH_MS) }
    if (!(await takeRefresh(db, row, until))) return waitForOther(login, row)
    try {
      const tokens = await openTokens(record, row)
      if (tokens.refreshToken === undefined) {
        await removeConnectionById(db, row.id)
        return false
      }
      const place = await openLoginPlace(deps, record.integration)
      const answer = await oidc.refreshTokenGrant(configure(place), tokens.refreshToken, { resource: place.resource })
      await seal(login, answer, tokens)
      return true
    } catch (thrown) {
      if (thrown instanceof oidc.ResponseBodyError && thrown.error === 'invalid_grant') {
        await removeConnectionById(db, row.id)
        return false
      }
      await endRefresh(db, row.id, {})
      log.warn('the tokens of a user at an MCP server could not be refreshed', errorFields(thrown))
      throw asUnreachable(thrown, record.integration)
    }
  }

  const waitForOther = async (login: LoginOf, before: SealedConnection): Promise<boolean> => {
    const untilMs = now() + REFRESH_MS
    while (now() < untilMs) {
      await Bun.sleep(LOOK_MS)
      const row = await look(login)
      if (row === undefined) return false
      if (row.sealed !== before.sealed) return true
    }
    return false
  }

  const refreshOnce = (login: LoginOf, isBad: IsBad): Promise<boolean> => {
    const key = keyOf(login.record.server.id, login.userId)
    const already = renewing.get(key)
    if (already !== undefined) return already
    const started = refresh(login, isBad).finally(() => renewing.delete(key))
    renewing.set(key, started)
    return started
  }

  const isOver = ({ expiresAt }: SealedConnection): boolean =>
    expiresAt !== null && expiresAt.getTime() - MARGIN_MS <= now()

  const afterRefresh = async (login: LoginOf): Promise<McpHeaders> => {
    if (!(await refreshOnce(login, isOver))) throw required(login)
    const row = await look(login)
    if (row === undefined) throw required(login)
    return bearer(await openTokens(login.record, row))
  }

  const fromRow = (login: LoginOf, found: SealedConnection | undefined): McpHeaders | Promise<McpHeaders> => {
    if (found === undefined) return afterMissing(login)
    const row = laterOf(found)
    if (isOver(row)) return afterRefresh(login)
    const known = opened.get(row)
    return known === undefined ? openTokens(login.record, row).then(bearer) : bearer(known)
  }

  /** Nothing was there when it was looked for last; somebody may have agreed since, at another process. */
  const afterMissing = async (login: LoginOf): Promise<McpHeaders> => {
    const row = await look(login)
    if (row === undefined) throw required(login)
    return isOver(row) ? afterRefresh(login) : bearer(await openTokens(login.record, row))
  }

  return {
    headersFor(login) {
      const found = rows.find(keyOf(login.record.server.id, login.userId))
      return found instanceof Promise ? found.then((row) => fromRow(login, row)) : fromRow(login, found)
    },
    async renew(login, sent) {
      await refreshOnce(login, async (row) => isSame(sent, bearer(await openTokens(login.record, row))))
      // Where none could be had, the next look says that the user has to agree again.
      return true
    },
    wanting: required,
    async begin({ record, userId }, scope) {
      const place = await openLoginPlace(deps, record.integration).catch(inWords(record.integration))
      const [state, verifier] = [oidc.randomState(), oidc.randomPKCECodeVerifier()]
      const url = oidc.buildAuthorizationUrl(configure(place), {
        ...place.parameters,
        ...defined({ scope: scope ?? place.scope }),
        response_type: 'code',
        redirect_uri: redirectUri(),
        resource: place.resource,
        state,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, begun: { serverId: record.server.id, userId, state, verifier } }
    },
    async finish(login, { state, verifier }, url) {
      const { integration } = login.record
      const place = await openLoginPlace(deps, integration).catch(inWords(integration))
      const here = new URL(redirectUri())
      here.search = url.search
      const checks = { pkceCodeVerifier: verifier, expectedState: state }
      const answer = await oidc
        .authorizationCodeGrant(configure(place), here, checks, { resource: place.resource })
        .catch(inWords(integration))
      await seal(login, answer, undefined)
    },
    readTicket: (ticket) => tickets.open(ticket),
    close: () => rows.close(),
  }
}

/** Whether tokens have to be others. */
type IsBad = (row: SealedConnection) => boolean | Promise<boolean>

const isSame = (sent: McpHeaders, own: McpHeaders): boolean =>
  own.every(([name, value]) => sent.some(([other, text]) => other === name && text === value))

/** As the library does it, but that nothing is encoded which need not be: there are servers that decode nothing (RFC 6749, section 2.3.1). */
const basic =
  (id: string, secret: string): oidc.ClientAuth =>
  (_server, _client, _body, headers) => {
    const pair = [id, secret].map((text) => encodeURIComponent(text).replaceAll('%20', '+')).join(':')
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  }

const keyOf = (serverId: string, userId: string): string => `${serverId} ${userId}`

const bearer = ({ accessToken }: Tokens): McpHeaders => [['authorization', `Bearer ${accessToken}`]]

const inWords =
  (integration: StoredMcpIntegration) =>
  (thrown: unknown): never => {
    throw asUnreachable(thrown, integration)
  }

/** What an authorization server says is not shown: it may repeat what it was sent. */
const asUnreachable = (thrown: unknown, { slug }: StoredMcpIntegration): unknown => {
  const said =
    thrown instanceof oidc.ResponseBodyError || thrown instanceof oidc.AuthorizationResponseError
      ? ` (${/^[\w.-]{1,64}$/.test(thrown.error) ? thrown.error : 'an error'})`
      : ''
  const isOfLibrary = thrown instanceof oidc.ClientError || said !== ''
  return isOfLibrary
    ? new McpUnreachable(`The authorization server of the MCP integration '${slug}' refused${said}.`, { cause: thrown })
    : thrown
}
