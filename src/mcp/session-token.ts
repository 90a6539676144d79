import { createBoundedMap } from '../core/bounded-map.ts'
import { isRecord } from '../core/json/record.ts'
import { McpSessionGone } from '../core/mcp/ask.ts'
import type { McpCaller, McpTarget } from '../core/mcp/servers.ts'
import type { OwnSeal } from '../secrets/own-seal.ts'

/** What a session of a client stands for. It is in the session's id itself, so that any process can go on with it. */
export interface McpSession {
  readonly serverId: string
  /** Of whoever began it: nobody else goes on with it. */
  readonly callerId: string
  /** Id of the session at the server behind, as that gave it out; one of ours where Weir keeps the session. */
  readonly upstream: string
  /** What the client began with, where Weir keeps the session: another process, or this one later, begins it anew with that. */
  readonly handshake?: Handshake | undefined
}

/** An `initialize` message. */
export interface Handshake {
  readonly params: Readonly<Record<string, unknown>>
}

/** Stands for the server of a session with all servers that its caller may use. */
export const EVERY_SERVER = '*'

/** Ended sessions that are remembered. */
const MAX_ENDED = 10_000
/** Longest id that is given out and opened: servers take headers of 8 KB and more. */
const MAX_CHARACTERS = 4096

/**
 * Ids of sessions: sealed, so that they can neither be guessed nor used by another caller, and nothing of the
 * server behind shows.
 */
export interface SessionTokens {
  /**
   * A handshake that is too long goes in without what its client says of itself beyond its name.
   * @returns undefined where there is no room
   */
  seal(session: McpSession): string | undefined
  /** Undefined for what is no id of ours, or of a session that has ended. */
  open(token: string): McpSession | undefined
  /**
   * Ends a session that Weir keeps. This process remembers it, and no other: there it would be begun anew by its own caller, who
   * has given it up.
   */
  end(session: McpSession): void
}

/** @throws McpSessionGone for what is no session of this caller at this server, or at all of them */
export const ownSession = (
  tokens: SessionTokens,
  token: string,
  { id }: Pick<McpTarget, 'id'> | { readonly id: typeof EVERY_SERVER },
  { keyId }: Pick<McpCaller, 'keyId'>,
): McpSession => {
  const opened = tokens.open(token)
  const isOfServer = opened?.serverId === id || opened?.serverId === EVERY_SERVER
  if (opened === undefined || !isOfServer || opened.callerId !== keyId) throw new McpSessionGone()
  return opened
}

/** @param seal of the gateway, the same on all processes */
export const createSessionTokens = (seal: OwnSeal): SessionTokens => {
  const ended = createBoundedMap<string, true>(MAX_ENDED)
  return {
    seal(session) {
      const { handshake } = session
      for (const said of handshake === undefined ? [undefined] : [handshake, shortHandshake(handshake)]) {
        const token = seal.seal({ ...session, handshake: said })
        if (token.length <= MAX_CHARACTERS) return token
      }
      return undefined
    },
    open(token) {
      if (token.length > MAX_CHARACTERS) return undefined
      // Nobody else has sealed it: it is what went in.
      const session = seal.open(token) as McpSession | undefined
      return session === undefined || ended.peek(session.upstream) === true ? undefined : session
    },
    end({ upstream }) {
      ended.set(upstream, true)
    },
  }
}

/** A handshake without icons and whatever else a client adds: with its version, abilities and name. */
const shortHandshake = (handshake: Handshake): Handshake => {
  const { protocolVersion, capabilities, clientInfo } = handshake.params
  const { name, version } = isRecord(clientInfo) ? clientInfo : {}
  return { ...handshake, params: { protocolVersion, capabilities, clientInfo: { name, version } } }
}
