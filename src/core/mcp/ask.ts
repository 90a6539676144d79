import type { ReadyStream } from '../bodies/ready-stream.ts'
import type { Abortable } from '../cancellation.ts'
import type { HeaderFields } from '../header-fields.ts'
import type { McpCaller, McpHeaders, McpServers, McpTarget } from './servers.ts'

/** A request of a client of streamable HTTP, for the server behind. */
export interface McpRequest {
  readonly method: 'POST' | 'GET' | 'DELETE'
  /** JSON of one message, or of a batch. */
  readonly body?: Uint8Array | undefined
  /** It begins a session. */
  readonly isInitialize?: boolean | undefined
  /** What the client sent as `mcp-session-id`. */
  readonly session?: string | undefined
  readonly protocolVersion?: string | undefined
  readonly lastEventId?: string | undefined
  /** Headers of the client that go on to the server, credentials left out. */
  readonly forwarded: McpHeaders
  readonly caller: McpCaller
  readonly signal: Abortable
}

/** An answer of streamable HTTP, whatever transport the server behind speaks. */
export interface McpReply {
  readonly status: number
  readonly headers: HeaderFields
  readonly body: ReadyStream
  /** What the client is to send as `mcp-session-id` from now on. */
  readonly session?: string | undefined
}

/** MCP servers, and the way to them. */
export interface McpGateway extends McpServers {
  /** Of Weir, as it tells clients and servers. */
  readonly version: string
  /**
   * @throws McpUnreachable for a server that does not speak the protocol; McpSessionGone for a session that is not, or no longer,
   * one of this caller; a catalogue error where no answer comes, or the address may not be reached
   */
  ask(target: McpTarget, request: McpRequest): Promise<McpReply>
  /**
   * Begins a session of a client with all of its servers: each is shaken hands with when it is first asked, in the client's name.
   * @param handshake the `params` that the client initialized with
   * @returns what the client is to send as `mcp-session-id`
   * @throws InvalidRequest for abilities of the client that are too long
   */
  begin(caller: McpCaller, handshake: Readonly<Record<string, unknown>>): string
  /** @throws McpSessionGone for what is no session of the caller with all of its servers */
  resume(caller: McpCaller, session: string): void
  /** Such a session is not gone on with. @throws McpSessionGone */
  end(caller: McpCaller, session: string): void
}

/** The session that a client names is none of its own, or has ended: it begins another one. */
export class McpSessionGone extends Error {
  constructor() {
    super('There is no such session any more: initialize again.')
    this.name = 'McpSessionGone'
  }
}

export const NO_MCP_SERVERS: McpGateway = {
  find: () => undefined,
  list: () => [],
  isWorkspace: () => false,
  seen: () => undefined,
  ask: () => Promise.reject(new McpSessionGone()),
  version: '',
  begin: () => '',
  resume: () => undefined,
  end: () => undefined,
}
