import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { McpSessionGone } from '../core/mcp/ask.ts'
import type { McpCaller, McpTarget } from '../core/mcp/servers.ts'

/** What a session of a client stands for. It is in the session's id itself, so that any process can go on with it. */
export interface McpSession {
  readonly serverId: string
  /** Of whoever began it: nobody else goes on with it. */
  readonly callerId: string
  /** Id of the session at the server behind, as that gave it out. */
  readonly upstream: string
}

/** Stands for the server of a session with all servers that its caller may use. */
export const EVERY_SERVER = '*'

/** The longest handshake of a client that its session can be begun anew with, by another process or after a restart. */
export const MAX_HANDSHAKE_CHARACTERS = 1_024

/** What `upstream` holds of a session that Weir begins for its client: an id, and what the client shook hands with. */
export const readHandshake = ({ upstream }: Pick<McpSession, 'upstream'>): { id: string; handshake: string } => {
  const [id = '', ...rest] = upstream.split(' ')
  return { id, handshake: rest.join(' ') }
}

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Longest id that is opened. */
const MAX_CHARACTERS = 4096

/**
 * Ids of sessions: sealed (AES-256-GCM), so that they can neither be guessed nor used by another caller, and nothing of the
 * server behind shows.
 */
export interface SessionTokens {
  seal(session: McpSession): string
  /** Undefined for what is no id of ours. */
  open(token: string): McpSession | undefined
}

/** @throws McpSessionGone for what is no session of this caller at this server, or at all of them */
export const ownSession = (
  tokens: SessionTokens,
  token: string,
  { id }: Pick<McpTarget, 'id'>,
  { keyId }: Pick<McpCaller, 'keyId'>,
): McpSession => {
  const opened = tokens.open(token)
  const isOfServer = opened?.serverId === id || opened?.serverId === EVERY_SERVER
  if (opened === undefined || !isOfServer || opened.callerId !== keyId) throw new McpSessionGone()
  return opened
}

/** @param secret 32 bytes, the same on all processes */
export const createSessionTokens = (secret: Uint8Array): SessionTokens => {
  const key = createHash('sha256').update('mcp sessions').update(secret).digest()
  return {
    seal({ serverId, callerId, upstream }) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const text = JSON.stringify([serverId, callerId, upstream])
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open(token) {
      if (token.length > MAX_CHARACTERS || !/^[\w-]+$/.test(token)) return undefined
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      try {
        const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
        const value: unknown = JSON.parse(text.toString('utf8'))
        if (!Array.isArray(value)) return undefined
        const [serverId, callerId, upstream]: unknown[] = value
        return typeof serverId === 'string' && typeof callerId === 'string' && typeof upstream === 'string'
          ? { serverId, callerId, upstream }
          : undefined
      } catch {
        return undefined
      }
    },
  }
}
