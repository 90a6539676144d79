import { fromPieces } from '../core/bodies/ready-stream.ts'
import { Cancellation } from '../core/cancellation.ts'
import { HeaderList } from '../core/header-fields.ts'
import { type McpReply, type McpRequest, McpSessionGone } from '../core/mcp/ask.ts'
import type { EventOut } from '../core/mcp/event-out.ts'
import { readMessages, toMessage } from '../core/mcp/json-rpc.ts'
import type { McpHeaders, McpTarget } from '../core/mcp/servers.ts'
import { McpUnreachable } from '../core/mcp/unreachable.ts'
import type { Upstream } from '../core/ports.ts'
import { within } from '../timing/within.ts'
import { INITIALIZED, initializeMessage } from './connection.ts'
import { EVERY_SERVER, type McpSession, ownSession, type SessionTokens } from './session-token.ts'
import { openSseLine } from './sse-line.ts'
import { SseSession } from './sse-session.ts'

export interface SseBridgeOptions {
  readonly upstream: Upstream
  readonly tokens: SessionTokens
  readonly randomId: () => string
  readonly monotonicMs: () => number
  /** Of Weir. */
  readonly version: string
}

/** Lets clients of streamable HTTP use servers of the transport before it. */
export interface SseBridge {
  ask(target: McpTarget, headers: McpHeaders, request: McpRequest): Promise<McpReply>
  /** Ends sessions that nobody has used for a while. */
  sweep(): void
  close(): void
}

const MAX_SESSIONS = 2_000
const IDLE_MS = 10 * 60 * 1000

export const createSseBridge = ({ upstream, tokens, randomId, monotonicMs, version }: SseBridgeOptions): SseBridge => {
  const sessions = new Map<string, SseSession>()
  const lives = new WeakMap<SseSession, Cancellation>()

  const end = (key: string, session: SseSession, thrown?: unknown): void => {
    if (sessions.get(key) === session) sessions.delete(key)
    session.end(thrown)
    lives.get(session)?.abort(thrown ?? new McpSessionGone())
  }

  const open = async (key: string, target: McpTarget, headers: McpHeaders): Promise<SseSession> => {
    if (sessions.size >= MAX_SESSIONS) throw new McpUnreachable('Too many sessions of MCP servers are open here.')
    const session = new SseSession(monotonicMs())
    const life = new Cancellation()
    lives.set(session, life)
    const line = await openSseLine({
      ...{ upstream, url: target.url, headers, hostOwner: target.workspaceId, timeoutMs: target.timeoutMs },
      signal: life,
      onMessage: (message) => session.receive(message),
      onEnd: (thrown) => end(key, session, thrown),
    })
    session.open(line)
    sessions.set(key, session)
    return session
  }

  /** One whose handshake Weir has made, for its own or in the name of a client. */
  const openReady = async (
    key: string,
    target: McpTarget,
    headers: McpHeaders,
    handshake: object,
  ): Promise<SseSession> => {
    const session = await open(key, target, headers)
    try {
      const out = await session.send([toMessage(handshake)])
      const late = () => new McpUnreachable(`The MCP server did not answer within ${target.timeoutMs} ms.`)
      await within(firstOf(out), target.timeoutMs, late)
      await session.send(readMessages(INITIALIZED))
      return session
    } catch (thrown) {
      end(key, session, thrown)
      throw thrown
    }
  }

  const opening = new Map<string, Promise<SseSession>>()
  /** The session of a key, begun if it is not there; once, however many ask. */
  const reach = (key: string, target: McpTarget, headers: McpHeaders, handshake: object): Promise<SseSession> => {
    const known = sessions.get(key)
    if (known?.isOpen === true) return Promise.resolve(known)
    const running = opening.get(key)
    if (running !== undefined) return running
    const started = openReady(key, target, headers, handshake).finally(() => opening.delete(key))
    opening.set(key, started)
    return started
  }

  const begin = async (target: McpTarget, headers: McpHeaders, request: McpRequest): Promise<McpReply> => {
    const messages = readMessages(request.body ?? new Uint8Array(0))
    const [first] = messages
    const id = randomId()
    const session = await open(id, target, headers)
    try {
      const owner = { serverId: target.id, callerId: request.caller.keyId, upstream: id }
      const handshake = first?.kind === 'request' ? { ...first.fields, params: first.params } : undefined
      // Where there is no room for it, the session ends with this process.
      const token = tokens.seal({ ...owner, handshake }) ?? tokens.seal(owner)
      return { ...replyOf(await session.send(messages)), session: token }
    } catch (thrown) {
      end(id, session, thrown)
      throw thrown
    }
  }

  return {
    async ask(target, headers, request) {
      const { session: token, caller, method } = request
      if (request.isInitialize === true) return begin(target, headers, request)
      let key = `${target.id} ${caller.keyId}`
      let own: McpSession | undefined
      let handshake: object = initializeMessage('weir', version)
      if (token !== undefined) {
        const opened = ownSession(tokens, token, target, caller)
        const { upstream: id, handshake: said } = opened
        key = opened.serverId === EVERY_SERVER ? `${id} ${target.id}` : id
        own = opened.serverId === EVERY_SERVER ? undefined : opened
        if (said !== undefined) handshake = said
        else if (sessions.get(key)?.isOpen !== true) throw new McpSessionGone()
      }
      if (method === 'DELETE') {
        const session = sessions.get(key)
        if (session !== undefined) end(key, session)
        if (own !== undefined) tokens.end(own)
        return { status: 200, headers: new HeaderList(), body: fromPieces([]) }
      }
      const session = await reach(key, target, headers, handshake)
      session.lastUsedMs = monotonicMs()
      if (method === 'GET') return replyOf(session.listen())
      return replyOf(await session.send(readMessages(request.body ?? new Uint8Array(0))))
    },
    sweep() {
      const before = monotonicMs() - IDLE_MS
      for (const [key, session] of [...sessions]) if (session.lastUsedMs < before) end(key, session)
    },
    close() {
      for (const [key, session] of [...sessions]) end(key, session)
    },
  }
}

const replyOf = (out: EventOut | undefined): McpReply => {
  const headers = new HeaderList()
  if (out === undefined) return { status: 202, headers, body: fromPieces([]) }
  headers.set('content-type', 'text/event-stream')
  headers.set('cache-control', 'no-cache')
  return { status: 200, headers, body: out }
}

const firstOf = (out: EventOut | undefined): Promise<void> =>
  out === undefined ? Promise.resolve() : new Promise((resolve) => out.whenReady(resolve))
