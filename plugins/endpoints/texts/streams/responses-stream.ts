import type { ReadEvent, StreamTexts, TextPiece, TextPlace } from '#core/guardrails'
import { isRecord, type SseEvent } from '#kit'
import { writeEvent } from '../../responses/events.ts'
import { addItem, addOutput } from '../response-items.ts'
import { hasWords, type Kind, type Path, wordsOf } from '../words.ts'
import { EventPieces, fieldsOf } from './event-pieces.ts'

type Fields = Readonly<Record<string, unknown>>

/** A text that comes in deltas, and once more as a whole. Its track is its place in `output`. */
interface Growing {
  /** List of the item that it stands in, and the field of an event with its index there. */
  readonly list?: readonly [name: string, index: string]
  readonly field: string
  readonly kind: Kind
}

const CONTENT = ['content', 'content_index'] as const
const SUMMARY = ['summary', 'summary_index'] as const
const ARGUMENTS: Growing = { field: 'arguments', kind: 'tool-arguments' }

/** By what stands between `response.` and `.delta` (types of openai-node 7.55.0, `ResponseStreamEvent`, read 2026-11-22). */
const GROWING: ReadonlyMap<string, Growing> = new Map<string, Growing>([
  ['output_text', { list: CONTENT, field: 'text', kind: 'text' }],
  ['refusal', { list: CONTENT, field: 'refusal', kind: 'text' }],
  ['reasoning_text', { list: CONTENT, field: 'text', kind: 'reasoning' }],
  ['reasoning_summary_text', { list: SUMMARY, field: 'text', kind: 'reasoning' }],
  ['function_call_arguments', ARGUMENTS],
  ['mcp_call_arguments', ARGUMENTS],
  ['custom_tool_call_input', { field: 'input', kind: 'tool-arguments' }],
  ['code_interpreter_call_code', { field: 'code', kind: 'tool-arguments' }],
])

/** Sound, in Base64. */
const SOUND: ReadonlySet<string> = new Set(['audio', 'output_audio'])

const FINAL: ReadonlySet<string> = new Set(['completed', 'incomplete', 'failed', 'cancelled'])

class ResponseEvent implements ReadEvent {
  readonly name: string
  readonly fields: Fields
  readonly pieces: readonly TextPiece[]
  readonly ends: readonly string[] | 'all' | undefined
  /** The response, once it has begun and until it ends, when this event is out. */
  readonly begun: Fields | undefined

  constructor(name: string, fields: Fields, found: EventPieces, isEnd: boolean, begun: Fields | undefined) {
    this.name = name
    this.fields = fields
    this.pieces = found.pieces
    this.ends = isEnd ? 'all' : found.ends
    this.begun = begun
  }
}

/** The texts of a stream of a response: tracks by their places in its output. */
export class ResponsesStream implements StreamTexts {
  readonly saysAgain = true
  #begun: Fields | undefined
  /** Tracks that have not ended. */
  readonly #open = new Set<string>()
  #events = 0

  read({ event, data }: SseEvent): ReadEvent | undefined {
    const fields = fieldsOf(data)
    if (fields === undefined) return undefined
    const found = new EventPieces(this.#events++)
    const type = typeof fields.type === 'string' ? fields.type : event
    const word = type.startsWith('response.') ? type.slice('response.'.length) : ''
    if (word.endsWith('.delta')) this.#delta(found, fields, word.slice(0, -'.delta'.length))
    else if (word.endsWith('.done') || word.endsWith('.added')) this.#whole(found, fields, word)
    else if (isRecord(fields.response)) this.#response(found, fields.response, word)
    return new ResponseEvent(event, fields, found, FINAL.has(word), this.#begun)
  }

  /**
   * The response is incomplete: `incomplete_details.reason` is `max_output_tokens` or `content_filter` (OpenAI API reference, "The
   * response object", read 2026-11). Its output is left empty: nothing is said again that was not let out.
   */
  withhold(last: ReadEvent | undefined): string {
    if (!(last instanceof ResponseEvent) || last.begun === undefined) return ''
    const { sequence_number: number } = last.fields
    return writeEvent({
      type: 'response.incomplete',
      ...(typeof number === 'number' ? { sequence_number: number + 1 } : {}),
      response: {
        ...last.begun,
        status: 'incomplete',
        incomplete_details: { reason: 'content_filter' },
        output: [],
      },
    })
  }

  #response(found: EventPieces, response: Fields, word: string): void {
    this.#begun = FINAL.has(word) ? undefined : response
    const places: TextPlace[] = []
    addOutput(places, response.output, ['response', 'output'])
    this.#again(found, places, '', 2)
  }

  #delta(found: EventPieces, fields: Fields, word: string): void {
    const { delta } = fields
    if (SOUND.has(word)) return
    const growing = GROWING.get(word)
    const kind = growing?.kind ?? 'text'
    if (typeof delta !== 'string') found.addWhole(wordsOf(delta, ['delta'], kind))
    else if (delta !== '') {
      const track = growing === undefined ? `${placeOf(fields)}.${word}` : trackOf(growing, fields)
      this.#open.add(track)
      found.add({ role: 'assistant', kind, path: ['delta'], text: delta, tokens: tokensOf(fields), track })
    }
  }

  /** What an event says that begins or ends something. */
  #whole(found: EventPieces, fields: Fields, word: string): void {
    const isDone = word.endsWith('.done')
    const place = placeOf(fields)
    if (word === 'output_item.added' || word === 'output_item.done') {
      const places: TextPlace[] = []
      addItem(places, fields.item, ['item'], 'assistant')
      this.#again(found, places, `${place}.`, 1)
      if (isDone) this.#end(found, `${place}.`)
    } else if (word === 'content_part.added' || word === 'content_part.done') {
      this.#part(found, fields, CONTENT, isDone)
    } else if (word === 'reasoning_summary_part.added' || word === 'reasoning_summary_part.done') {
      this.#part(found, fields, SUMMARY, isDone)
    } else if (word === 'output_text.annotation.added') {
      const at = `${place}.content.${indexOf(fields.content_index)}.annotations.${indexOf(fields.annotation_index)}.`
      this.#again(found, wordsOf(fields.annotation, ['annotation'], 'text'), at, 1)
    } else {
      const growing = isDone ? GROWING.get(word.slice(0, -'.done'.length)) : undefined
      if (growing === undefined) this.#unknown(found, fields)
      else this.#done(found, fields, growing)
    }
  }

  #done(found: EventPieces, fields: Fields, growing: Growing): void {
    const { field, kind } = growing
    const text = fields[field]
    const track = trackOf(growing, fields)
    if (typeof text === 'string' && text !== '') {
      this.#open.add(track)
      found.add({
        role: 'assistant',
        kind,
        path: [field],
        text,
        tokens: tokensOf(fields),
        track,
        isWhole: true,
      })
    }
    this.#end(found, track)
  }

  #part(found: EventPieces, fields: Fields, [list, index]: readonly [string, string], isDone: boolean): void {
    const at = `${placeOf(fields)}.${list}.${indexOf(fields[index])}.`
    this.#again(found, wordsOf(fields.part, ['part'], 'text'), at, 1)
    if (isDone) this.#end(found, at)
  }

  /** Texts under the places that they have in the output. @param skipped keys of their paths that lead to what is told */
  #again(found: EventPieces, places: readonly TextPlace[], at: string, skipped: number): void {
    for (const place of places) {
      const track = at + place.path.slice(skipped).join('.')
      this.#open.add(track)
      found.add({ ...place, track, isWhole: true })
    }
  }

  /** Ends the texts whose tracks begin so. */
  #end(found: EventPieces, start: string): void {
    for (const track of this.#open) {
      if (!track.startsWith(start)) continue
      found.end(track)
      this.#open.delete(track)
    }
  }

  #unknown(found: EventPieces, fields: Fields): void {
    for (const name of Object.keys(fields)) {
      if (hasWords(name)) found.addWhole(wordsOf(fields[name], [name], 'text'))
    }
  }
}

/** Place of the item: its index, or its id for hosts that give none. */
const placeOf = ({ output_index: index, item_id: id }: Fields): string => String(index ?? id ?? 0)

/** Where a text of an event is spelled once more. */
const tokensOf = ({ logprobs }: Fields): Path | undefined =>
  Array.isArray(logprobs) && logprobs.length > 0 ? ['logprobs'] : undefined

const indexOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

const trackOf = ({ list, field }: Growing, fields: Fields): string =>
  list === undefined
    ? `${placeOf(fields)}.${field}`
    : `${placeOf(fields)}.${list[0]}.${indexOf(fields[list[1]])}.${field}`
