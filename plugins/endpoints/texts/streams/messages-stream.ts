import type { ReadEvent, StreamTexts, TextPiece } from '#core/guardrails'
import { isRecord, type SseEvent } from '#kit'
import { eventOf } from '../../messages/events.ts'
import { addText, hasWords, kindOf, wordsOf } from '../words.ts'
import { EventPieces, fieldsOf } from './event-pieces.ts'

type Fields = Readonly<Record<string, unknown>>

/** How far a stream is. */
interface State {
  readonly hasBegun: boolean
  /** Indexes of the blocks that are open. */
  readonly open: readonly number[]
  /** Its reason to stop has been told. */
  readonly hasStopped: boolean
  /** Tokens of the output, as far as they are known. */
  readonly outputTokens: number
}

class MessageEvent implements ReadEvent {
  readonly name: string
  readonly fields: Fields
  readonly pieces: readonly TextPiece[]
  readonly ends: readonly string[] | 'all' | undefined
  /** Once this event is out. */
  readonly state: State

  constructor(name: string, fields: Fields, found: EventPieces, isEnd: boolean, state: State) {
    this.name = name
    this.fields = fields
    this.pieces = found.pieces
    this.ends = isEnd ? 'all' : found.ends
    this.state = state
  }
}

/** The texts of a stream of Anthropic's Messages: tracks by block and field. */
export class MessagesStream implements StreamTexts {
  /** Tracks of the blocks that are open. */
  readonly #tracks = new Map<number, string[]>()
  #state: State = { hasBegun: false, open: [], hasStopped: false, outputTokens: 0 }
  #events = 0

  read({ event, data }: SseEvent): ReadEvent | undefined {
    // Whatever it says, it is nothing.
    if (event === 'ping') return undefined
    const fields = fieldsOf(data)
    if (fields === undefined) return undefined
    const found = new EventPieces(this.#events++)
    const { type } = fields
    if (type === 'content_block_delta') this.#delta(found, fields)
    else if (type === 'content_block_start') this.#begin(found, fields)
    else if (type === 'content_block_stop') this.#close(found, fields)
    else if (type === 'message_start') this.#start(found, fields)
    else if (type === 'message_delta') this.#stop(found, fields)
    return new MessageEvent(event, fields, found, type === 'message_stop', this.#state)
  }

  /**
   * The open blocks are closed, and the message ends with `refusal`: "streaming classifiers intervene to handle potential policy
   * violations" (page "Streaming refusals" of Anthropic's documentation, read 2026-11). There is no `message_stop`: the error stands in its place.
   */
  withhold(last: ReadEvent | undefined): string {
    if (!(last instanceof MessageEvent) || !last.state.hasBegun || last.state.hasStopped) return ''
    const { open, outputTokens } = last.state
    return [
      ...open.map((index) => ({ type: 'content_block_stop', index })),
      {
        type: 'message_delta',
        delta: { stop_reason: 'refusal', stop_sequence: null, stop_details: null },
        usage: { output_tokens: outputTokens },
      },
    ]
      .map((event) => eventOf(event.type, event))
      .join('')
  }

  #start(found: EventPieces, { message }: Fields): void {
    const tokens = isRecord(message) && isRecord(message.usage) ? message.usage.output_tokens : undefined
    this.#state = {
      ...this.#state,
      hasBegun: true,
      outputTokens: typeof tokens === 'number' ? tokens : 0,
    }
    if (isRecord(message)) found.addWhole(wordsOf(message.content, ['message', 'content'], 'text'))
  }

  #begin(found: EventPieces, { index, content_block: block }: Fields): void {
    if (typeof index !== 'number') return
    this.#state = { ...this.#state, open: [...this.#state.open.filter((each) => each !== index), index] }
    if (isRecord(block)) this.#add(found, wordsOf(block, ['content_block'], 'text'), index, 2)
  }

  #delta(found: EventPieces, { index, delta }: Fields): void {
    if (!isRecord(delta) || typeof index !== 'number') return
    for (const name of Object.keys(delta)) {
      const value = delta[name]
      if (value === null || value === '' || !hasWords(name)) continue
      const path = ['delta', name]
      if (typeof value !== 'string') this.#add(found, wordsOf(value, path, 'text'), index, 2)
      else this.#grow(found, { role: 'assistant', kind: kindOf(name, 'text'), path, text: value }, index, name)
    }
  }

  #stop(found: EventPieces, { delta, usage }: Fields): void {
    const tokens = isRecord(usage) ? usage.output_tokens : undefined
    this.#state = {
      ...this.#state,
      hasStopped: isRecord(delta) && typeof delta.stop_reason === 'string',
      outputTokens: typeof tokens === 'number' ? tokens : this.#state.outputTokens,
    }
    if (!isRecord(delta) || !isRecord(delta.stop_details)) return
    const places: Omit<TextPiece, 'track'>[] = []
    addText(places, delta.stop_details.explanation, ['delta', 'stop_details', 'explanation'])
    found.addWhole(places)
  }

  #close(found: EventPieces, { index }: Fields): void {
    if (typeof index !== 'number') return
    this.#state = { ...this.#state, open: this.#state.open.filter((each) => each !== index) }
    for (const track of this.#tracks.get(index) ?? []) found.end(track)
    this.#tracks.delete(index)
  }

  /** Adds what may grow, and what comes whole: a citation, a result, arguments as an object. @param depth of what may grow */
  #add(found: EventPieces, places: readonly Omit<TextPiece, 'track'>[], index: number, depth: number): void {
    for (const place of places) {
      const name = place.path.at(-1)
      if (place.path.length > depth || place.isJson === true || typeof name !== 'string') found.addWhole([place])
      else this.#grow(found, place, index, name)
    }
  }

  #grow(found: EventPieces, place: Omit<TextPiece, 'track'>, index: number, name: string): void {
    const track = `${index}.${name}`
    found.add({ ...place, track })
    const known = this.#tracks.get(index)
    if (known === undefined) this.#tracks.set(index, [track])
    else if (!known.includes(track)) known.push(track)
  }
}
