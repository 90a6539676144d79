import { textTokens } from '#calls/estimate-tokens'
import { isRecord } from '#kit'
import type { AdapterContext, BridgeStream, MessagesBlock } from '#kit/provider'
import { eventOf } from '../events.ts'
import {
  makerOf,
  opaqueBlock,
  pictureText,
  restOf,
  type Shown,
  shownOf,
  signatureOf,
  textBlock,
  toolUse,
} from './blocks.ts'
import { isWhole, type StreamedCall, StreamedCalls } from './calls.ts'
import { emptyMessage, firstChoice, NO_USAGE, stopOf, usageOf } from './ends.ts'
import { callIdOf } from './reply.ts'
import type { Fields } from './values.ts'

/** The block that is being written. */
type Open =
  | { readonly type: 'text' }
  | { readonly type: 'thinking'; readonly at: unknown; text: string; rest: Fields | undefined }
  | { readonly type: 'call'; readonly call: StreamedCall }

/**
 * The chunks of a chat as the events of a message: one block after the other, each with its end ("Streaming messages"). Usage
 * comes with the last event but one, as a chat reports it last.
 */
export class MessageStream implements BridgeStream {
  readonly #context: AdapterContext
  readonly #params: Fields
  readonly #shown: Shown
  readonly #calls = new StreamedCalls()
  #out = ''
  #hasBegun = false
  /** Index of the next block. */
  #index = 0
  #open: Open | undefined
  #last: Fields = {}
  #refusal = ''
  #usage: unknown
  #textLength = 0

  constructor(context: AdapterContext, params: Fields) {
    this.#context = context
    this.#params = params
    this.#shown = shownOf(params)
  }

  push(chunk: Fields): string {
    if (!this.#hasBegun) {
      this.#hasBegun = true
      this.#write('message_start', { message: emptyMessage(chunk, this.#context) })
    }
    if (isRecord(chunk.usage)) this.#usage = chunk.usage
    const choice = firstChoice(chunk)
    if (choice !== undefined) this.#readChoice(choice)
    return this.#taken()
  }

  end(): string {
    this.#writeCalls()
    this.#close()
    const said = { refusal: this.#refusal, hasCalls: this.#calls.count > 0 }
    const usage = this.#usage === undefined ? this.#estimated() : usageOf(this.#usage, undefined)
    this.#write('message_delta', { delta: { ...stopOf(this.#last, said, this.#params), container: null }, usage })
    this.#write('message_stop', {})
    return this.#taken()
  }

  #readChoice(choice: Fields): void {
    if (typeof choice.finish_reason === 'string') this.#last = choice
    const { delta } = choice
    if (!isRecord(delta)) return
    const { content_blocks: pieces, content, reasoning_content: thoughts, refusal, tool_calls: calls } = delta
    if (Array.isArray(pieces) && pieces.length > 0) for (const piece of pieces) this.#readPiece(piece)
    else {
      if (typeof thoughts === 'string') this.#think(thoughts)
      if (typeof content === 'string') this.#say(content)
    }
    if (typeof refusal === 'string') {
      this.#refusal += refusal
      this.#say(refusal)
    }
    if (Array.isArray(calls)) for (const call of calls) if (isRecord(call)) this.#call(call)
  }

  /** A piece of a content block: `{index, ...block}` as it begins or comes whole, `{index, delta}` as it goes on. */
  #readPiece(piece: unknown): void {
    if (!isRecord(piece)) return
    const { delta, type, index } = piece
    if (isRecord(delta)) {
      if (typeof delta.text === 'string') this.#say(delta.text)
      if (typeof delta.thinking === 'string') this.#think(delta.thinking, index)
      if (delta.type === 'signature_delta') this.#think('', index, { signature: delta.signature })
      return
    }
    if (type === 'text' && typeof piece.text === 'string') this.#say(piece.text)
    else if (type === 'thinking')
      this.#think(typeof piece.thinking === 'string' ? piece.thinking : '', index, restOf(piece))
    else if (type === 'image') this.#say(pictureText(piece))
    else if (type === 'redacted_thinking' && this.#shown !== 'never') {
      const { index: _place, ...block } = piece
      this.#writeWhole(opaqueBlock({ by: makerOf(this.#context), block }))
    }
  }

  #say(text: string): void {
    if (text === '') return
    if (this.#open?.type !== 'text') {
      this.#writeCalls()
      this.#begin({ type: 'text' }, textBlock(''))
    }
    this.#grow({ type: 'text_delta', text })
    this.#textLength += Buffer.byteLength(text)
  }

  /** @param at which block of the provider it belongs to; each has a signature of its own */
  #think(text: string, at?: unknown, rest?: Fields): void {
    this.#textLength += Buffer.byteLength(text)
    if (this.#shown === 'never' || (text === '' && rest === undefined && this.#open?.type !== 'thinking')) return
    if (this.#open?.type !== 'thinking' || (this.#open.at !== at && at !== undefined)) {
      this.#writeCalls()
      this.#begin(
        { type: 'thinking', at, text: '', rest: undefined },
        { type: 'thinking', thinking: '', signature: '' },
      )
    }
    const open = this.#open
    if (open?.type !== 'thinking') return
    open.text += text
    if (rest !== undefined) open.rest = { ...open.rest, ...rest }
    if (text !== '' && this.#shown === 'whole') this.#grow({ type: 'thinking_delta', thinking: text })
  }

  #call(piece: Fields): void {
    this.#calls.add(piece)
    this.#writeArguments()
    const open = this.#open?.type === 'call' ? this.#open.call : undefined
    // A name may come in pieces too, so a call begins with its arguments.
    if (this.#calls.isNextReady && (open === undefined || isWhole(open)) && this.#nextCall()) this.#writeArguments()
  }

  /** Begins the call that waits longest. @returns false where none does */
  #nextCall(): boolean {
    const call = this.#calls.next()
    if (call === undefined) return false
    if (call.extra !== undefined) this.#writeWhole(opaqueBlock({ by: makerOf(this.#context), call: call.extra }))
    const id = callIdOf(call.id, this.#context.callId, call.place)
    this.#begin({ type: 'call', call }, toolUse(id, call.name, {}))
    return true
  }

  #writeArguments(): void {
    if (this.#open?.type !== 'call') return
    const { call } = this.#open
    if (call.unsent === '') return
    this.#grow({ type: 'input_json_delta', partial_json: call.unsent })
    this.#textLength += Buffer.byteLength(call.unsent)
    call.unsent = ''
  }

  /** All calls that are there, before something else begins. */
  #writeCalls(): void {
    while (this.#nextCall()) this.#writeArguments()
  }

  #begin(open: Open, block: MessagesBlock): void {
    this.#close()
    this.#open = open
    this.#write('content_block_start', { index: this.#index, content_block: block })
  }

  #grow(delta: Fields): void {
    this.#write('content_block_delta', { index: this.#index, delta })
  }

  #close(): void {
    const open = this.#open
    if (open === undefined) return
    if (open.type === 'thinking') {
      const signature = signatureOf(makerOf(this.#context), this.#shown, open.text, open.rest)
      this.#grow({ type: 'signature_delta', signature })
    }
    this.#write('content_block_stop', { index: this.#index++ })
    this.#open = undefined
  }

  #writeWhole(block: MessagesBlock): void {
    this.#close()
    this.#write('content_block_start', { index: this.#index, content_block: block })
    this.#write('content_block_stop', { index: this.#index++ })
  }

  /** For a provider that reports no usage: clients add it up. */
  #estimated(): Fields {
    return { ...NO_USAGE, output_tokens: textTokens(this.#textLength) }
  }

  #write(type: string, fields: Fields): void {
    this.#out += eventOf(type, { type, ...fields })
  }

  #taken(): string {
    const text = this.#out
    this.#out = ''
    return text
  }
}
