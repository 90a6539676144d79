import { isRecord } from '#kit'
import type { AdapterContext, BridgeStream, MessagesBlock } from '#kit/provider'
import { BlockWriter } from './block-writer.ts'
import { makerOf, opaqueBlock, type Shown, saidBy, shownOf, signatureOf, textBlock, toolUse } from './blocks.ts'
import { isWhole, type StreamedCall, StreamedCalls } from './calls.ts'
import { emptyMessage, estimatedUsage, firstChoice, stopOf, usageOf } from './ends.ts'
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
  readonly #writer = new BlockWriter()
  #hasBegun = false
  #open: Open | undefined
  #last: Fields = {}
  #refusal = ''
  /** Of the thought that is being written, or of one without a text. */
  #details: unknown[] = []
  #usage: unknown
  #textBytes = 0

  constructor(context: AdapterContext, params: Fields) {
    this.#context = context
    this.#params = params
    this.#shown = shownOf(params)
  }

  push(chunk: Fields): string {
    if (!this.#hasBegun) {
      this.#hasBegun = true
      this.#writer.write('message_start', { message: emptyMessage(chunk, this.#context) })
    }
    if (isRecord(chunk.usage)) this.#usage = chunk.usage
    const choice = firstChoice(chunk)
    if (choice !== undefined) this.#readChoice(choice)
    return this.#writer.taken()
  }

  end(): string {
    this.#writeCalls()
    this.#close()
    this.#writeDetails()
    const said = { refusal: this.#refusal, hasCalls: this.#calls.count > 0 }
    const usage = this.#usage === undefined ? estimatedUsage(this.#textBytes) : usageOf(this.#usage, undefined)
    this.#writer.write('message_delta', {
      delta: { ...stopOf(this.#last, said, this.#params), container: null },
      usage,
    })
    this.#writer.write('message_stop', {})
    return this.#writer.taken()
  }

  #readChoice(choice: Fields): void {
    if (typeof choice.finish_reason === 'string') this.#last = choice
    const { delta } = choice
    if (!isRecord(delta)) return
    const { content_blocks: pieces, content, reasoning_content: thoughts, refusal, tool_calls: calls } = delta
    const { reasoning_details: details } = delta
    if (Array.isArray(details) && this.#shown !== 'never') this.#details.push(...details)
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

  #readPiece(piece: unknown): void {
    if (!isRecord(piece)) return
    const { text, thought, rest, opaque } = saidBy(piece)
    if (text !== undefined) this.#say(text)
    if (thought !== undefined) this.#think(thought, piece.index, rest)
    if (opaque !== undefined && this.#shown !== 'never') {
      this.#writeWhole(opaqueBlock({ by: makerOf(this.#context), block: opaque }))
    }
  }

  #say(text: string): void {
    if (text === '') return
    if (this.#open?.type !== 'text') {
      this.#writeCalls()
      this.#begin({ type: 'text' }, textBlock(''))
    }
    this.#writer.text('text_delta', 'text', text)
    this.#textBytes += Buffer.byteLength(text)
  }

  /** @param at which block of the provider it belongs to; each has a signature of its own */
  #think(text: string, at?: unknown, rest?: Fields): void {
    this.#textBytes += Buffer.byteLength(text)
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
    if (text !== '' && this.#shown === 'whole') this.#writer.text('thinking_delta', 'thinking', text)
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
    this.#close()
    this.#writeDetails()
    if (call.extra !== undefined) this.#writeWhole(opaqueBlock({ by: makerOf(this.#context), call: call.extra }))
    const id = callIdOf(call.id, this.#context.callId, call.place)
    this.#begin({ type: 'call', call }, toolUse(id, call.name, {}))
    return true
  }

  #writeArguments(): void {
    if (this.#open?.type !== 'call') return
    const { call } = this.#open
    if (call.unsent === '') return
    this.#writer.text('input_json_delta', 'partial_json', call.unsent)
    this.#textBytes += Buffer.byteLength(call.unsent)
    call.unsent = ''
  }

  /** All calls that are there, before something else begins. */
  #writeCalls(): void {
    while (this.#nextCall()) this.#writeArguments()
  }

  #begin(open: Open, block: MessagesBlock): void {
    this.#close()
    if (open.type !== 'thinking') this.#writeDetails()
    this.#open = open
    this.#writer.begin(block)
  }

  #close(): void {
    const open = this.#open
    this.#open = undefined
    if (open?.type === 'thinking') {
      const kept = { rest: open.rest, details: this.#details }
      const signature = signatureOf(makerOf(this.#context), this.#shown, open.text, kept)
      this.#details = []
      this.#writer.grow({ type: 'signature_delta', signature })
    }
    this.#writer.close()
  }

  #writeWhole(block: MessagesBlock): void {
    this.#close()
    this.#writer.whole(block)
  }

  /** What a thought without a text needs to have back. */
  #writeDetails(): void {
    if (this.#details.length === 0) return
    const details = this.#details
    this.#details = []
    this.#writeWhole(opaqueBlock({ by: makerOf(this.#context), details }))
  }
}
