import { isRecord } from '../core/json/record.ts'
import { EventOut } from '../core/mcp/event-out.ts'
import { errorOf, type Message, type MessageId, RPC, toBytes } from '../core/mcp/json-rpc.ts'
import type { SseLine } from './sse-line.ts'

/** A message of a client that an answer is owed to. */
interface Asked {
  /** Its id, as the client wrote it. */
  readonly id: MessageId
  readonly progressToken: unknown
  readonly out: EventOut
  /** Answers that the stream still owes. */
  readonly owed: { count: number }
}

/** Messages of one session that wait for an answer at the same time. */
const MAX_ASKED = 1_000
/** Characters of what the server has said before anybody listens, as it may ask its client at once. What is more is lost. */
const MAX_UNHEARD = 64 * 1024

/**
 * A session with a server of the older transport, as a client of streamable HTTP sees it. Ids of the client are written anew: two
 * clients without a session share one, and may use the same.
 */
export class SseSession {
  readonly #asked = new Map<number, Asked>()
  #line: SseLine | undefined
  #number = 0
  #listening: EventOut | undefined
  #unheard: object[] = []
  #unheardCharacters = 0
  lastUsedMs: number
  #ended: unknown

  constructor(nowMs: number) {
    this.lastUsedMs = nowMs
  }

  /** @param line that hands its messages to `receive`, and its end to `end` */
  open(line: SseLine): void {
    this.#line = line
  }

  get isOpen(): boolean {
    return this.#line !== undefined
  }

  /**
   * Sends messages on.
   * @returns the stream in which the answers come; undefined where none is owed
   * @throws a catalogue error or McpUnreachable when the server does not take them
   */
  async send(messages: readonly Message[]): Promise<EventOut | undefined> {
    const line = this.#line
    if (line === undefined) throw this.#ended ?? new Error('the session is not open')
    const requests = messages.filter((message) => message.kind === 'request')
    if (this.#asked.size + requests.length > MAX_ASKED) throw new Error('too many messages wait for an answer')
    const numbers = new Map<MessageId, number>()
    const out = new EventOut(() => this.#forget(numbers.values()))
    const owed = { count: requests.length }
    for (const { id, params } of requests) {
      const number = ++this.#number
      numbers.set(id, number)
      const { _meta: meta } = params
      this.#asked.set(number, { id, out, owed, progressToken: isRecord(meta) ? meta.progressToken : undefined })
    }
    try {
      for (const message of messages) {
        const written = this.#written(message, numbers)
        if (written !== undefined) await line.send(toBytes(written))
      }
    } catch (thrown) {
      this.#forget(numbers.values())
      throw thrown
    }
    return requests.length === 0 ? undefined : out
  }

  /** A stream of all that the server says without being asked. The one before it ends. */
  listen(): EventOut {
    this.#listening?.end()
    const out: EventOut = new EventOut(() => {
      if (this.#listening === out) this.#listening = undefined
    })
    this.#listening = out
    for (const message of this.#unheard) out.write(message)
    this.#unheard = []
    this.#unheardCharacters = 0
    return out
  }

  /** A message of the server. */
  receive(message: Message): void {
    if (message.kind === 'answer') {
      this.#answer(message)
      return
    }
    const asked = this.#about(message)
    const out = asked?.out ?? this.#listening ?? this.#lastAsked()?.out
    if (out === undefined) this.#keep(message.fields)
    else out.write(asked === undefined ? message.fields : withProgress(message, asked.progressToken))
  }

  /** Nothing comes any more. */
  end(thrown: unknown): void {
    this.#line?.close()
    this.#line = undefined
    this.#ended = thrown
    for (const { id, out } of this.#asked.values()) {
      out.write(errorOf(id, RPC.internal, 'The MCP server ended its stream of events.'))
      out.end()
    }
    this.#asked.clear()
    this.#listening?.end()
    this.#listening = undefined
  }

  #keep(message: object): void {
    const { length } = JSON.stringify(message)
    if (this.#unheardCharacters + length > MAX_UNHEARD) return
    this.#unheard.push(message)
    this.#unheardCharacters += length
  }

  #answer({ id, fields }: Message & { readonly kind: 'answer' }): void {
    const number = typeof id === 'number' ? id : Number.NaN
    const asked = this.#asked.get(number)
    // Answered twice, or an id that nobody asked with.
    if (asked === undefined) return
    this.#asked.delete(number)
    asked.out.write({ ...fields, id: asked.id })
    asked.owed.count -= 1
    if (asked.owed.count === 0) asked.out.end()
  }

  /**
   * The message as the server gets it: its id, or the id that it is about, is one of ours.
   * @returns undefined where nobody waits for what it gives up
   */
  #written(message: Message, numbers: ReadonlyMap<MessageId, number>): object | undefined {
    if (message.kind === 'request') {
      const number = numbers.get(message.id)
      const { _meta: meta } = message.params
      if (!isRecord(meta) || meta.progressToken === undefined) return { ...message.fields, id: number }
      return {
        ...message.fields,
        id: number,
        params: { ...message.params, _meta: { ...meta, progressToken: number } },
      }
    }
    if (message.kind === 'notification' && message.method === 'notifications/cancelled') {
      const { requestId } = message.params
      const [only, another] = [...this.#asked].filter(([, { id }]) => id === requestId)
      // Of two clients with the same id nobody knows which one gives up.
      if (only === undefined || another !== undefined) return undefined
      return { ...message.fields, params: { ...message.params, requestId: only[0] } }
    }
    return message.fields
  }

  /** What a notification tells about: progress names the request. */
  #about(message: Message): Asked | undefined {
    if (message.kind !== 'notification' || message.method !== 'notifications/progress') return undefined
    const { progressToken } = message.params
    const asked = typeof progressToken === 'number' ? this.#asked.get(progressToken) : undefined
    return asked?.progressToken === undefined ? undefined : asked
  }

  #lastAsked(): Asked | undefined {
    return [...this.#asked.values()].at(-1)
  }

  #forget(numbers: Iterable<number>): void {
    for (const number of numbers) this.#asked.delete(number)
  }
}

/** Progress with the token of its client. */
const withProgress = ({ fields }: Message, progressToken: unknown): object => {
  const { params } = fields
  return { ...fields, params: { ...(isRecord(params) ? params : {}), progressToken } }
}
