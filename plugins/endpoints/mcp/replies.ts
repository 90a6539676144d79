import { fromGenerator } from '#core/bodies/ready-stream'
import { errorOf, type Message, type MessageId, NotMessages, RPC, readMessages, toBytes } from '#core/mcp/json-rpc'
import { framesOf, MAX_MESSAGE_BYTES } from '#core/mcp/messages'
import { collect, decodeFrame, eventText, type ReadyStream } from '#kit'

/** What is done to the answer of one request. @returns what the client gets: the same message where nothing is to be done */
export type Rewrite = (response: Message & { readonly kind: 'answer' }) => object | Promise<object>

/** What is done to requests and notices of a server. */
export type Pass = (message: Message) => object

/** What is done to messages that answer no request of the call. */
export interface Besides {
  readonly pass?: Pass | undefined
  /** To answers that are not owed here, as a stream has them that is resumed; absent: they are left out. */
  readonly others?: Rewrite | undefined
}

/** The requests of a call, by their ids, with what is done to their answers. */
export type Owed = Map<MessageId, Rewrite | undefined>

const UNANSWERED = 'The MCP server ended the answer before it was complete.'
const encoder = new TextEncoder()

/**
 * An answer of JSON, rewritten. Where nothing is done to any answer its bytes go on as they came.
 * @throws NotMessages for what is none, or answers something else; a catalogue error when it does not come whole
 */
export const rewriteJson = async (body: ReadyStream, owed: Owed, besides: Besides = {}): Promise<Uint8Array> => {
  const bytes = await collect(body, MAX_MESSAGE_BYTES)
  const messages = readMessages(bytes)
  const made: object[] = []
  for (const message of messages) {
    const sent = await rewritten(message, owed, besides)
    if (sent !== undefined) made.push(sent)
  }
  if (owed.size > 0) throw new NotMessages(RPC.internal, UNANSWERED)
  const isSame = made.length === messages.length && made.every((message, index) => message === messages[index]?.fields)
  if (isSame) return bytes
  return toBytes(messages.length === 1 && !startsList(bytes) ? made[0] : made)
}

const BRACKET = 0x5b
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d])
const startsList = (bytes: Uint8Array): boolean => bytes.find((byte) => !BLANKS.has(byte)) === BRACKET

/** @returns undefined for an answer to what was not asked, or was answered already, unless something is done to others */
const rewritten = (message: Message, owed: Owed, { pass, others }: Besides): object | undefined | Promise<object> => {
  if (message.kind !== 'answer') return pass === undefined ? message.fields : pass(message)
  if (message.id === null) return message.fields
  if (!owed.has(message.id)) return others?.(message)
  const rewrite = owed.get(message.id)
  owed.delete(message.id)
  return rewrite === undefined ? message.fields : rewrite(message)
}

/**
 * A stream of events: each goes on as it came, but for answers that something is done to. Where it breaks off, or ends without the
 * answers that it owes, it says so for each of them.
 */
export const rewriteEvents = (body: ReadyStream, owed: Owed, besides: Besides = {}): ReadyStream =>
  fromGenerator(rewrittenPieces(body, owed, besides), () => body.cancel())

async function* rewrittenPieces(body: ReadyStream, owed: Owed, besides: Besides): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const frame of framesOf(body)) {
      const sent = await rewrittenFrame(frame, owed, besides)
      if (sent !== undefined) yield sent
    }
  } catch {
    // What broke it is in the record; the client is told below that its answer does not come.
  }
  for (const id of owed.keys())
    yield encoder.encode(eventText(JSON.stringify(errorOf(id, RPC.internal, UNANSWERED)), 'message'))
}

/** @returns undefined where nothing is left of it */
const rewrittenFrame = async (frame: Uint8Array, owed: Owed, besides: Besides): Promise<Uint8Array | undefined> => {
  const event = decodeFrame(frame)
  if (event === undefined || event.data === '') return frame
  let messages: readonly Message[]
  try {
    // A batch is one of protocol 2025-03-26.
    messages = readMessages(encoder.encode(event.data))
  } catch (thrown) {
    // What is no message, or could be read as two: nobody knows what a client would find in it.
    if (thrown instanceof NotMessages) return undefined
    throw thrown
  }
  const made: object[] = []
  for (const message of messages) {
    const sent = await rewritten(message, owed, besides)
    if (sent !== undefined) made.push(sent)
  }
  if (made.length === messages.length && made.every((sent, index) => sent === messages[index]?.fields)) return frame
  if (made.length === 0) return undefined
  const id = event.id === undefined ? '' : `id: ${event.id}\n`
  const told = event.data.trimStart().startsWith('[') ? made : made[0]
  return encoder.encode(`${id}${eventText(JSON.stringify(told), event.event)}`)
}
