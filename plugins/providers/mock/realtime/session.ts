import type { Duplex } from 'node:stream'
import { isRecord } from '#kit'
import type { MockOptions } from '../options.ts'
import { type ResponseAsked, responseEvents } from './response.ts'
import { MockSocket } from './socket.ts'

type Fields = Readonly<Record<string, unknown>>

interface Running {
  readonly id: string
  isCancelled: boolean
}

/** Bytes of a sample of PCM of 16 bits, and samples of a millisecond at 24 kHz. */
const BYTES_A_MS = 48
const DEFAULT_AT = 2

/**
 * A realtime session (types of openai-node 7.55.0, resources/realtime/realtime.d.ts, read 2026-11-24): items and sound of the client,
 * and responses of text, sound or a function call. It speaks when it is asked to, and hears no pauses.
 */
export class MockSession {
  readonly #socket: MockSocket
  readonly #options: MockOptions
  readonly #items: Fields[] = []
  #session: Fields
  /** Of sound that was not committed. */
  #soundBytes = 0
  #events = 0
  #responses = 0
  /** The response that is given, where it takes time. */
  #running: Running | undefined

  constructor(stream: Duplex, first: Buffer, model: string, options: MockOptions) {
    this.#options = options
    this.#socket = new MockSocket(stream, { message: (text) => this.#heard(text), closed: () => this.#stop() })
    this.#session = {
      id: 'sess_mock',
      object: 'realtime.session',
      type: 'realtime',
      model,
      output_modalities: ['audio'],
      instructions: '',
      tools: [],
      tool_choice: 'auto',
    }
    this.#send({ type: 'session.created', session: this.#session })
    if (first.length > 0) this.#socket.received(first)
  }

  #heard(text: string): void {
    const event = parsed(text)
    if (event === undefined) this.#refuse('invalid_json', 'The message is no JSON object.', null)
    else this.#take(event)
  }

  #take(event: Fields): void {
    const { event_id: eventId = null } = event
    switch (event.type) {
      case 'session.update':
        if (isRecord(event.session)) this.#session = { ...this.#session, ...event.session }
        this.#send({ type: 'session.updated', session: this.#session })
        break
      case 'conversation.item.create':
        if (isRecord(event.item)) this.#add(event.item)
        else this.#refuse('missing_required_parameter', '`item` must be an object.', eventId)
        break
      case 'input_audio_buffer.append':
        this.#soundBytes += Buffer.byteLength(String(event.audio), 'base64')
        break
      case 'input_audio_buffer.clear':
        this.#soundBytes = 0
        this.#send({ type: 'input_audio_buffer.cleared' })
        break
      case 'input_audio_buffer.commit':
        if (this.#soundBytes > 0) this.#commit()
        else this.#refuse('input_audio_buffer_commit_empty', 'There is no sound to commit.', eventId)
        break
      case 'response.create':
        if (this.#running === undefined) this.#respond(isRecord(event.response) ? event.response : {})
        else this.#refuse('conversation_already_has_active_response', 'A response is given already.', eventId)
        break
      case 'response.cancel':
        if (this.#running !== undefined) this.#running.isCancelled = true
        else this.#refuse('response_cancel_not_active', 'No response is given.', eventId)
        break
      default:
        this.#refuse('unknown_event', `The mock knows no event \`${String(event.type)}\`.`, eventId)
    }
  }

  #add(item: Fields): void {
    const added = { id: `item_mock_${this.#items.length}`, object: 'realtime.item', status: 'completed', ...item }
    const previous = this.#items.at(-1)?.id ?? null
    this.#items.push(added)
    this.#send({ type: 'conversation.item.added', previous_item_id: previous, item: added })
    this.#send({ type: 'conversation.item.done', previous_item_id: previous, item: added })
  }

  #commit(): void {
    const bytes = this.#soundBytes
    this.#soundBytes = 0
    const id = `item_mock_${this.#items.length}`
    this.#send({ type: 'input_audio_buffer.committed', previous_item_id: this.#items.at(-1)?.id ?? null, item_id: id })
    const transcript = `${Math.round(bytes / BYTES_A_MS)} ms of sound`
    this.#add({ id, type: 'message', role: 'user', content: [{ type: 'input_audio', transcript, bytes }] })
  }

  #respond(asked: Fields): void {
    const id = `resp_mock_${this.#responses}`
    this.#responses++
    const call: ResponseAsked = { id, session: this.#session, asked, items: [...this.#items], options: this.#options }
    this.#running = { id, isCancelled: false }
    const rest = responseEvents(call)[Symbol.iterator]()
    const { latencyMs = 0 } = this.#options
    if (latencyMs > 0) setTimeout(() => this.#give(rest), latencyMs)
    else this.#give(rest)
  }

  /** Event by event: at once, or with a pause between them, and no faster than the client reads. */
  #give(rest: Iterator<Fields>): void {
    const { intervalMs = 0 } = this.#options
    while (!this.#socket.isOver && this.#running !== undefined && !this.#fails()) {
      if (this.#running.isCancelled) {
        this.#cancelled(this.#running.id)
        return
      }
      const { value: event, done } = rest.next()
      if (done === true) return
      if (event.type === 'response.done') this.#finish(event)
      const hasRoom = this.#send(event)
      if (hasRoom && intervalMs === 0) continue
      if (hasRoom) setTimeout(() => this.#give(rest), intervalMs)
      else this.#socket.drained(() => this.#give(rest))
      return
    }
  }

  /** A fault strikes once so many events were sent. */
  #fails(): boolean {
    const { fault, at = DEFAULT_AT } = this.#options
    if (this.#events < at) return false
    if (fault === 'cut-connection') this.#socket.destroy()
    else if (fault === 'cut-mid-stream') this.#socket.close(1011, 'The mock was asked to leave.')
    else if (fault === 'error-event') this.#refuse('server_error', 'The mock was asked to fail.', null)
    return (
      fault === 'cut-connection' || fault === 'cut-mid-stream' || fault === 'error-event' || fault === 'hang-mid-stream'
    )
  }

  #finish({ response }: Fields): void {
    this.#running = undefined
    const [item] = isRecord(response) && Array.isArray(response.output) ? response.output : []
    if (isRecord(item)) this.#items.push(item)
  }

  #cancelled(id: string): void {
    this.#running = undefined
    const details = { type: 'cancelled', reason: 'client_cancelled' }
    this.#send({
      type: 'response.done',
      response: {
        id,
        object: 'realtime.response',
        status: 'cancelled',
        status_details: details,
        output: [],
        usage: null,
      },
    })
  }

  #refuse(code: string, message: string, eventId: unknown): void {
    this.#send({
      type: 'error',
      error: { type: 'invalid_request_error', code, message, param: null, event_id: eventId },
    })
  }

  /** @returns false when the client is behind */
  #send(event: Fields): boolean {
    const { type, ...rest } = event
    const id = `event_mock_${this.#events}`
    this.#events++
    return this.#socket.send(JSON.stringify({ type, event_id: id, ...rest }))
  }

  #stop(): void {
    if (this.#running !== undefined) this.#running.isCancelled = true
  }
}

const parsed = (text: string): Fields | undefined => {
  try {
    const event: unknown = JSON.parse(text)
    return isRecord(event) ? event : undefined
  } catch {
    return undefined
  }
}
