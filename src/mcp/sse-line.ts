import { collect } from '../core/bodies/answer.ts'
import type { Abortable } from '../core/cancellation.ts'
import { type Message, readMessage } from '../core/mcp/json-rpc.ts'
import { eventsOf, isEvents } from '../core/mcp/messages.ts'
import type { McpHeaders } from '../core/mcp/servers.ts'
import { McpUnreachable } from '../core/mcp/unreachable.ts'
import type { Upstream } from '../core/ports.ts'
import { within } from '../timing/within.ts'
import { askMcp, callDeadlines, listeningDeadlines } from './ask.ts'

/**
 * A connection of the transport before streamable HTTP (specification 2024-11-05, "HTTP with SSE"): a stream that the server
 * writes its messages to, and an address, told by its first event, that those of the client are posted to.
 */
export interface SseLine {
  /** @throws a catalogue error when the server does not take it */
  send(body: Uint8Array): Promise<void>
  close(): void
}

export interface SseLineOptions {
  readonly upstream: Upstream
  readonly url: string
  readonly headers: McpHeaders
  readonly hostOwner: string
  readonly timeoutMs: number
  readonly signal: Abortable
  /** Hears each message of the server. */
  readonly onMessage: (message: Message) => void
  /** Once, when nothing will come any more. */
  readonly onEnd: (thrown: unknown) => void
}

/** Bytes of the answer to a post: there is nothing in it. */
const MAX_RECEIPT_BYTES = 64 * 1024

/** @throws a catalogue error when there is no such stream there */
export const openSseLine = async (options: SseLineOptions): Promise<SseLine> => {
  const { upstream, url, headers, hostOwner, timeoutMs, signal, onMessage, onEnd } = options
  const response = await askMcp(upstream, {
    method: 'GET',
    ...{ url, headers, hostOwner, signal },
    deadlines: listeningDeadlines(timeoutMs),
  })
  if (response.status !== 200 || !isEvents(response)) {
    response.body.cancel()
    throw new McpUnreachable(`The MCP server answered with status ${response.status} instead of a stream of events.`, {
      status: response.status,
    })
  }
  const events = eventsOf(response.body)
  const address = await within(
    endpointOf(events, url),
    timeoutMs,
    () => new McpUnreachable('The MCP server did not say where messages are to be sent.'),
  ).catch((thrown: unknown) => {
    response.body.cancel()
    throw thrown
  })
  void listen(events, onMessage).then(
    () => onEnd(undefined),
    (thrown: unknown) => onEnd(thrown),
  )
  return {
    async send(body) {
      const receipt = await askMcp(upstream, {
        method: 'POST',
        ...{ url: address, headers, body, hostOwner, signal },
        deadlines: callDeadlines(timeoutMs),
      })
      await collect(receipt.body, MAX_RECEIPT_BYTES)
      if (receipt.status < 200 || receipt.status >= 300) {
        throw new McpUnreachable(`The MCP server answered a message with status ${receipt.status}.`, {
          status: receipt.status,
        })
      }
    },
    close: () => response.body.cancel(),
  }
}

type Events = ReturnType<typeof eventsOf>

/** Messages go to the host that was asked, and to no other that it may name. */
const endpointOf = async (events: Events, url: string): Promise<string> => {
  for (;;) {
    const { value: event, done } = await events.next()
    if (done === true) throw new McpUnreachable('The MCP server ended its stream of events at once.')
    if (event.event !== 'endpoint') continue
    const address = URL.parse(event.data, url)
    if (address === null || address.origin !== new URL(url).origin) {
      throw new McpUnreachable('The MCP server wants messages to be sent to another host.')
    }
    return address.href
  }
}

const listen = async (events: Events, onMessage: (message: Message) => void): Promise<void> => {
  for await (const event of events) {
    if (event.event === 'message' && event.data !== '') onMessage(readMessage(event.data))
  }
}
