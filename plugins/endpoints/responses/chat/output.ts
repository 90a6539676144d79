import { isRecord } from '#kit'
import { type AdapterContext, ownItemId, ownResponseId, type ResponsesItem, type ResponsesReply } from '#kit/provider'
import { EventList } from '../events.ts'
import { CallIds } from './call-ids.ts'
import { OpaqueState } from './opaque.ts'
import { CallItem, type ItemStatus, MessageItem, type OpenItem, ReasoningItem } from './output-items.ts'
import { begunResponse, incompleteReason, responseUsage } from './response-object.ts'
import type { ToolNames } from './tools.ts'

type Fields = Readonly<Record<string, unknown>>

/** A call whose name has not come yet is held back: nobody could show it. */
interface PendingCall {
  id: string | undefined
  name: string
  text: string
  item?: CallItem
}

/** Makes a response of what a chat answers, as it comes: its items, and the events that tell of them. */
export class Output {
  readonly events = new EventList()
  readonly #begun: ResponsesReply
  readonly #names: ToolNames
  readonly #opaque: OpaqueState
  /** The client asked for the sealed state of all reasoning. */
  readonly #seals: boolean
  /** By place. One that is still open has not come to its item yet. */
  readonly #items: (ResponsesItem | undefined)[] = []
  readonly #open = new Map<number, OpenItem>()
  readonly #calls = new Map<number, PendingCall>()
  readonly #callIds: CallIds
  #reasoning: { readonly index: number; readonly item: ReasoningItem } | undefined
  #message: { readonly index: number; readonly item: MessageItem } | undefined
  #usage: unknown
  #finish: string | undefined
  /** What only a whole answer says: who answered, and how it was served. */
  #said: Fields = {}

  constructor(params: Fields, context: AdapterContext, names: ToolNames) {
    this.#names = names
    this.#opaque = new OpaqueState(context.provider ?? '')
    this.#seals = Array.isArray(params.include) && params.include.includes('reasoning.encrypted_content')
    this.#begun = begunResponse(ownResponseId(context.callId), params, context)
    this.#callIds = new CallIds(this.#begun.id)
  }

  begin(): void {
    this.events.add('response.created', { response: this.#begun })
    this.events.add('response.in_progress', { response: this.#begun })
  }

  /** What the answer says of itself. */
  describe({ model, service_tier: tier, usage }: Fields): void {
    if (typeof model === 'string' && model !== '') this.#said = { ...this.#said, model }
    if (typeof tier === 'string') this.#said = { ...this.#said, service_tier: tier }
    if (isRecord(usage)) this.#usage = usage
  }

  opaque(): OpaqueState {
    return this.#opaque
  }

  think(delta: string): void {
    if (delta === '') return
    this.#closeMessage('completed')
    this.#reasoning ??= this.#opened('rs', (at) => new ReasoningItem(at))
    this.#reasoning.item.add(delta)
  }

  say(delta: string, logprobs: readonly object[]): void {
    if (delta !== '') this.#messageItem().say(delta, logprobs)
  }

  refuse(delta: string): void {
    if (delta !== '') this.#messageItem().refuse(delta)
  }

  annotate(annotation: object): void {
    this.#messageItem().annotate(annotation)
  }

  /** An image that the model drew, in base64. */
  draw(data: string): void {
    this.#closeReasoning()
    this.#closeMessage('completed')
    const { id, index } = this.#place('ig')
    const item = { id, type: 'image_generation_call', status: 'completed', result: data }
    this.events.add('response.output_item.added', {
      output_index: index,
      item: { ...item, status: 'in_progress', result: null },
    })
    this.events.add('response.output_item.done', { output_index: index, item })
    this.#items[index] = item
  }

  /** A call, or a piece of one. @param place its index among the calls of the answer */
  call(
    place: number,
    { id, name, text, mark }: { id?: unknown; name?: unknown; text?: unknown; mark?: unknown },
  ): void {
    const call = this.#calls.get(place) ?? { id: undefined, name: '', text: '' }
    this.#calls.set(place, call)
    if (typeof id === 'string' && id !== '') call.id ??= this.#callIds.take(id)
    if (typeof name === 'string' && call.item === undefined) call.name += name
    if (isRecord(mark)) this.#opaque.addCall(this.#idOf(call), mark)
    const piece = typeof text === 'string' ? text : ''
    if (call.item !== undefined) {
      call.item.add(piece)
      return
    }
    call.text += piece
    if (call.name !== '') this.#openCall(call)
  }

  finish(reason: unknown): void {
    if (typeof reason === 'string') this.#finish = reason
  }

  /** Ends what is still open. @returns the response, which the last event tells too */
  end(): ResponsesReply {
    const reason = incompleteReason(this.#finish)
    const status: ItemStatus = reason === undefined ? 'completed' : 'incomplete'
    this.#closeReasoning()
    this.#closeMessage(status)
    for (const [index, item] of this.#open) this.#items[index] = item.close(status)
    this.#open.clear()
    const response: ResponsesReply = {
      ...this.#begun,
      ...this.#said,
      status,
      incomplete_details: reason === undefined ? null : { reason },
      output: this.#items.filter((item) => item !== undefined),
      usage: responseUsage(this.#usage),
    }
    this.events.add(`response.${status}`, { response })
    return response
  }

  #openCall(call: PendingCall): void {
    this.#closeReasoning()
    this.#closeMessage('completed')
    const tool = this.#names.get(call.name) ?? { name: call.name, isCustom: false }
    const callId = this.#idOf(call)
    const { item } = this.#opened(tool.isCustom ? 'ctc' : 'fc', (at) => new CallItem(at, tool, callId))
    call.item = item
    item.add(call.text)
  }

  #idOf(call: PendingCall): string {
    call.id ??= this.#callIds.take('')
    return call.id
  }

  #messageItem(): MessageItem {
    this.#closeReasoning()
    this.#message ??= this.#opened('msg', (at) => new MessageItem(at))
    return this.#message.item
  }

  #closeMessage(status: ItemStatus): void {
    const open = this.#message
    if (open === undefined) return
    this.#message = undefined
    this.#open.delete(open.index)
    this.#items[open.index] = open.item.close(status)
  }

  /** With the state that belongs to it; where nothing was shown of it, an item of its own carries it. */
  #closeReasoning(): void {
    // Clients that keep no responses leave out reasoning without it, the plain text of others too.
    const sealed = this.#opaque.take(this.#seals && this.#reasoning !== undefined)
    if (sealed !== undefined && this.#reasoning === undefined) {
      this.#closeMessage('completed')
      this.#reasoning = this.#opened('rs', (at) => new ReasoningItem(at))
    }
    const open = this.#reasoning
    if (open === undefined) return
    this.#reasoning = undefined
    this.#open.delete(open.index)
    open.item.sealed = sealed
    this.#items[open.index] = open.item.close()
  }

  #opened<Item extends OpenItem>(
    kind: string,
    make: (at: { id: string; index: number; events: EventList }) => Item,
  ): { readonly index: number; readonly item: Item } {
    const { id, index } = this.#place(kind)
    const item = make({ id, index, events: this.events })
    this.#open.set(index, item)
    return { index, item }
  }

  #place(kind: string): { readonly id: string; readonly index: number } {
    const index = this.#items.length
    this.#items.push(undefined)
    return { id: ownItemId(kind, this.#begun.id, index), index }
  }
}
