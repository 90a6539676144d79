import type { Abortable } from '../core/cancellation.ts'
import { isRecord } from '../core/json/record.ts'
import { type Message, type MessageId, toBytes } from '../core/mcp/json-rpc.ts'
import { messagesOf } from '../core/mcp/messages.ts'
import type { McpHeaders } from '../core/mcp/servers.ts'
import { McpUnreachable } from '../core/mcp/unreachable.ts'
import type { Upstream, UpstreamResponse } from '../core/ports.ts'
import { within } from '../timing/within.ts'
import { askMcp, callDeadlines, PROTOCOL_VERSION, SESSION_HEADER } from './ask.ts'
import { openSseLine, type SseLine } from './sse-line.ts'

type Fields = Readonly<Record<string, unknown>>

/** Where a server is, and how to show oneself there. */
export interface McpPlace {
  readonly url: string
  readonly transport: 'http' | 'sse'
  readonly headers: McpHeaders
  readonly hostOwner: string
  readonly timeoutMs: number
  /** Of Weir. */
  readonly version: string
  readonly signal: Abortable
  /** What is said in the name of a client; Weir's own handshake unless given. Its id is 0. */
  readonly handshake?: object | undefined
}

/** A connection of Weir's own, as a client without any abilities. */
export interface McpConnection {
  /** The result of `initialize`. */
  readonly server: Fields
  /** Id of the session, where the server gave one. */
  readonly sessionId: string | undefined
  readonly protocolVersion: string
  /** @throws McpUnreachable; a catalogue error */
  request(method: string, params: Fields): Promise<Fields>
  /** Ends the session. Never throws. */
  close(): Promise<void>
}

/** The handshake of Weir itself, as a message. @param version of Weir */
export const initializeMessage = (id: MessageId, version: string): object => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'weir', title: 'Weir', version },
  },
})

export const INITIALIZED = toBytes({ jsonrpc: '2.0', method: 'notifications/initialized' })

/** Shakes hands. @throws McpUnreachable; a catalogue error */
export const connectMcp = (upstream: Upstream, place: McpPlace): Promise<McpConnection> =>
  place.transport === 'sse' ? connectBySse(upstream, place) : connectByHttp(upstream, place)

const connectByHttp = async (upstream: Upstream, place: McpPlace): Promise<McpConnection> => {
  const { url, headers, hostOwner, signal, timeoutMs } = place
  let sessionId: string | undefined
  let protocolVersion: string | undefined
  let number = 0
  const send = (method: 'POST' | 'DELETE', body?: Uint8Array): Promise<UpstreamResponse> =>
    askMcp(upstream, {
      ...{ method, url, headers, body, sessionId, protocolVersion, hostOwner, signal },
      deadlines: callDeadlines(timeoutMs),
    })
  const ask = async (message: object, id: MessageId): Promise<{ result: Fields; response: UpstreamResponse }> => {
    const response = await send('POST', toBytes(message))
    if (response.status !== 200) {
      response.body.cancel()
      throw new McpUnreachable(`The MCP server answered with status ${response.status}.`, { status: response.status })
    }
    const answer = await within(
      responseTo(id, messagesOf(response)),
      timeoutMs,
      () => new McpUnreachable(`The MCP server did not answer within ${timeoutMs} ms.`),
    )
    return { result: resultIn(answer), response }
  }
  const { result: server, response } = await ask(place.handshake ?? initializeMessage(0, place.version), 0)
  sessionId = response.headers.get(SESSION_HEADER) ?? undefined
  protocolVersion = versionOf(server)
  const receipt = await send('POST', INITIALIZED)
  receipt.body.cancel()
  return {
    server,
    sessionId,
    protocolVersion,
    async request(method, params) {
      const id = ++number
      return (await ask({ jsonrpc: '2.0', id, method, params }, id)).result
    },
    async close() {
      if (sessionId === undefined) return
      await send('DELETE').then(
        ({ body }) => body.cancel(),
        () => undefined,
      )
    },
  }
}

const connectBySse = async (upstream: Upstream, place: McpPlace): Promise<McpConnection> => {
  const waiting = new Map<MessageId, PromiseWithResolvers<Message>>()
  let line: SseLine
  const ask = async (message: object, id: MessageId): Promise<Fields> => {
    const answer = Promise.withResolvers<Message>()
    // Nobody waits any more where the post itself failed.
    answer.promise.catch(() => undefined)
    waiting.set(id, answer)
    try {
      await line.send(toBytes(message))
      const late = () => new McpUnreachable(`The MCP server did not answer within ${place.timeoutMs} ms.`)
      return resultIn(await within(answer.promise, place.timeoutMs, late))
    } finally {
      waiting.delete(id)
    }
  }
  line = await openSseLine({
    upstream,
    ...place,
    onMessage(message) {
      if (message.kind === 'answer' && message.id !== null) waiting.get(message.id)?.resolve(message)
    },
    onEnd(cause) {
      const ended = new McpUnreachable('The MCP server ended its stream of events.', { cause })
      for (const { reject } of waiting.values()) reject(ended)
    },
  })
  let number = 0
  try {
    const server = await ask(initializeMessage(0, place.version), 0)
    await line.send(INITIALIZED)
    return {
      server,
      sessionId: undefined,
      protocolVersion: versionOf(server),
      request: (method, params) => {
        const id = ++number
        return ask({ jsonrpc: '2.0', id, method, params }, id)
      },
      async close() {
        line.close()
      },
    }
  } catch (thrown) {
    line.close()
    throw thrown
  }
}

const responseTo = async (id: MessageId, messages: AsyncIterable<Message>): Promise<Message> => {
  for await (const message of messages) if (message.kind === 'answer' && message.id === id) return message
  throw new McpUnreachable('The MCP server gave no answer.')
}

const MAX_WORDS = 300

const resultIn = ({ fields }: Message): Fields => {
  const { result, error } = fields
  if (isRecord(result)) return result
  const said = isRecord(error) && typeof error.message === 'string' ? error.message.slice(0, MAX_WORDS) : 'no result'
  throw new McpUnreachable(`The MCP server refused: ${said}`)
}

const versionOf = ({ protocolVersion }: Fields): string =>
  typeof protocolVersion === 'string' ? protocolVersion : PROTOCOL_VERSION
