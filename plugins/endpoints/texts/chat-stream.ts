import type { ReadEvent, StreamTexts, TextPiece, TextPlace } from '#core/guardrails'
import { eventText, isRecord, parseJson, type SseEvent } from '#kit'
import { EventPieces } from './event-pieces.ts'
import { OpenTracks } from './open-tracks.ts'
import { addWords, hasWords, type Kind, kindOf, type Path } from './words.ts'

type Fields = Readonly<Record<string, unknown>>

const NONE: readonly never[] = []

class ChatEvent implements ReadEvent {
  readonly name: string
  readonly fields: Fields
  readonly pieces: readonly TextPiece[]
  readonly ends: readonly string[] | undefined
  /** Choices that have begun, and not finished, once this event is out. */
  readonly open: readonly number[]

  constructor(name: string, fields: Fields, found: EventPieces | undefined, open: readonly number[]) {
    this.name = name
    this.fields = fields
    this.pieces = found === undefined ? NONE : found.pieces
    this.ends = found?.ends
    this.open = open
  }
}

/** Lists of a message that come piece by piece, each item under its `index`. */
const LISTS: ReadonlySet<string> = new Set(['content_blocks', 'reasoning_details', 'tool_calls'])

/** Fields that a chunk adds to; any other value comes whole. */
const GROWING: ReadonlySet<string> = new Set(['audio', 'function_call'])

/** The texts of a stream of chat chunks: tracks by choice and field. */
export class ChatStream implements StreamTexts {
  readonly #tracks = new Map<number, OpenTracks>()
  #open: readonly number[] = NONE
  /** Texts so far that came whole: no two have the same name. */
  #wholes = 0

  read({ event, data }: SseEvent): ReadEvent | undefined {
    if (data.startsWith('[DONE]')) return undefined
    const fields = parseJson(data)
    if (!isRecord(fields)) return undefined
    const { choices } = fields
    if (!Array.isArray(choices) || choices.length === 0) return new ChatEvent(event, fields, undefined, this.#open)
    const found = new EventPieces()
    for (let at = 0; at < choices.length; at++) {
      const choice: unknown = choices[at]
      if (isRecord(choice)) this.#choice(found, choice, at)
    }
    return new ChatEvent(event, fields, found, this.#open)
  }

  /**
   * A chunk for each choice that is still open. `content_filter`: "if content was omitted due to a flag from our content filters"
   * (OpenAI API reference, "The chat completion chunk object", read 2026-11).
   */
  withhold(last: ReadEvent | undefined): string {
    if (!(last instanceof ChatEvent)) return ''
    const { id, created, model } = last.fields
    return last.open
      .map((index) => {
        const choices = [{ index, delta: {}, logprobs: null, finish_reason: 'content_filter' }]
        return eventText(JSON.stringify({ id, object: 'chat.completion.chunk', created, model, choices }))
      })
      .join('')
  }

  #choice(found: EventPieces, choice: Fields, at: number): void {
    const index = typeof choice.index === 'number' ? choice.index : at
    const { delta, logprobs, finish_reason: reason } = choice
    const tracks = this.#tracksOf(index)
    if (isRecord(delta)) {
      const tokens = isRecord(logprobs) ? ['choices', at, 'logprobs'] : undefined
      this.#delta(found, delta, ['choices', at, 'delta'], { index, tracks, tokens })
    }
    for (const name of Object.keys(choice)) {
      const value = choice[name]
      if (name !== 'delta' && value !== null && typeof value !== 'number' && hasWords(name))
        this.#whole(found, value, ['choices', at, name], 'text')
    }
    if (reason === null || reason === undefined) return
    tracks.end(found)
    this.#open = this.#open.filter((each) => each !== index)
  }

  #tracksOf(index: number): OpenTracks {
    const known = this.#tracks.get(index)
    if (known !== undefined) return known
    const tracks = new OpenTracks()
    this.#tracks.set(index, tracks)
    this.#open = [...this.#open, index]
    return tracks
  }

  #delta(found: EventPieces, delta: Fields, path: Path, choice: ChoiceOf): void {
    for (const name of Object.keys(delta)) {
      const value = delta[name]
      if (value === null || value === '' || !hasWords(name)) continue
      const kind = kindOf(name, 'text')
      if (typeof value === 'string') {
        const track = `${choice.index}.${name}`
        found.add({
          role: 'assistant',
          kind,
          path: [...path, name],
          text: value,
          tokens: name === 'content' || name === 'refusal' ? choice.tokens : undefined,
          track,
        })
        choice.tracks.take(found, track, kind)
      } else if (LISTS.has(name) && Array.isArray(value)) {
        this.#items(found, value, [...path, name], kind, name, choice)
      } else if (name === 'content' || GROWING.has(name)) {
        for (const place of wordsOf(value, [...path, name], kind)) {
          // Hosts that give content as a list of parts give it as a string as well.
          const track = place.kind === kind ? `${choice.index}.${name}` : `${choice.index}.${name}.${place.kind}`
          found.add({ ...place, track })
          choice.tracks.take(found, track, place.kind)
        }
      } else {
        this.#whole(found, value, [...path, name], kind)
      }
    }
  }

  #items(found: EventPieces, items: readonly unknown[], path: Path, kind: Kind, list: string, choice: ChoiceOf): void {
    for (let at = 0; at < items.length; at++) {
      const item = items[at]
      const number = isRecord(item) && typeof item.index === 'number' ? item.index : at
      for (const place of wordsOf(item, [...path, at], kind)) {
        // `text`, `delta.text`, `function.arguments`; what stands any deeper, or as an object, comes whole.
        if (place.isJson === true || place.path.length > path.length + 3) {
          found.addWhole(place, this.#wholeTrack())
          continue
        }
        const track = `${choice.index}.${list}.${number}.${String(place.path.at(-1))}`
        found.add({ ...place, track })
        choice.tracks.take(found, track, place.kind, list)
      }
    }
  }

  #whole(found: EventPieces, value: unknown, path: Path, kind: Kind): void {
    for (const place of wordsOf(value, path, kind)) found.addWhole(place, this.#wholeTrack())
  }

  #wholeTrack(): string {
    return `whole.${this.#wholes++}`
  }
}

interface ChoiceOf {
  readonly index: number
  readonly tracks: OpenTracks
  readonly tokens: Path | undefined
}

const wordsOf = (value: unknown, path: Path, kind: Kind): readonly TextPlace[] => {
  const places: TextPlace[] = []
  addWords(places, value, path, { role: 'assistant', kind })
  return places
}
