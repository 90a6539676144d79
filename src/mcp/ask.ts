import type { Abortable } from '../core/cancellation.ts'
import { HeaderList } from '../core/header-fields.ts'
import type { McpHeaders } from '../core/mcp/servers.ts'
import type { Deadlines, Upstream, UpstreamResponse } from '../core/ports.ts'

/** One request of streamable HTTP to an MCP server (specification 2025-11-25, "Transports"). */
export interface McpAsk {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly url: string
  /** Later ones win over earlier ones of the same name. */
  readonly headers: McpHeaders
  readonly body?: Uint8Array | undefined
  readonly sessionId?: string | undefined
  readonly protocolVersion?: string | undefined
  readonly lastEventId?: string | undefined
  /** The workspace whose server it is: its connections serve nobody else. */
  readonly hostOwner: string
  readonly signal: Abortable
  readonly deadlines: Deadlines
}

/** The newest version of the protocol that is known here. */
export const PROTOCOL_VERSION = '2025-11-25'
export const SESSION_HEADER = 'mcp-session-id'
export const VERSION_HEADER = 'mcp-protocol-version'

const CONNECT_MS = 5_000
/** A stream that a client listens at may be silent for as long as it likes. */
const LISTENING_MS = 24 * 60 * 60 * 1000

/** Waits of a call that takes so long at most. */
export const callDeadlines = (timeoutMs: number): Deadlines => ({
  connectMs: Math.min(CONNECT_MS, timeoutMs),
  firstByteMs: timeoutMs,
  idleMs: timeoutMs,
  // Progress may be told for much longer than one wait.
  totalMs: Math.max(timeoutMs * 10, timeoutMs),
})

/** Waits of a stream that is listened at. */
export const listeningDeadlines = (timeoutMs: number): Deadlines => ({
  connectMs: Math.min(CONNECT_MS, timeoutMs),
  firstByteMs: timeoutMs,
  idleMs: LISTENING_MS,
  totalMs: LISTENING_MS,
})

/** @throws a catalogue error when no answer comes, or the address may not be reached */
export const askMcp = (upstream: Upstream, ask: McpAsk): Promise<UpstreamResponse> => {
  const headers = new HeaderList()
  for (const [name, value] of ask.headers) headers.set(name, value)
  headers.set('accept', ask.method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream')
  if (ask.body !== undefined) headers.set('content-type', 'application/json')
  const { sessionId, protocolVersion, lastEventId } = ask
  if (sessionId !== undefined) headers.set(SESSION_HEADER, sessionId)
  if (protocolVersion !== undefined) headers.set(VERSION_HEADER, protocolVersion)
  if (lastEventId !== undefined) headers.set('last-event-id', lastEventId)
  return upstream.send({
    method: ask.method,
    url: ask.url,
    headers,
    ...(ask.body === undefined ? {} : { body: ask.body }),
    hostOwner: ask.hostOwner,
    signal: ask.signal,
    deadlines: ask.deadlines,
  })
}
