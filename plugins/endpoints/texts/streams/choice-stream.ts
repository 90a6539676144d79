import type { ReadEvent, StreamTexts, TextPiece } from '#core/guardrails'
import { eventText, isRecord, type SseEvent } from '#kit'
import { hasWords, type Path, wordsOf } from '../words.ts'
import { EventPieces, fieldsOf } from './event-pieces.ts'
import { OpenTracks } from './open-tracks.ts'

type Fields = Readonly<Record<string, unknown>>

/** A choice, and the texts of it that may go on. */
export interface OpenChoice {
  readonly index: number
  readonly tracks: OpenTracks
}

/** What streams of choices differ in. */
export interface ChoiceForm {
  readonly object: string
  /** Field of a choice that its texts stand in; texts in other fields come whole. */
  readonly field: string
  /** Adds the texts of that field. @param tokens where they are spelled once more */
  add(found: EventPieces, value: unknown, path: Path, choice: OpenChoice, tokens: Path | undefined): void
  /** What a choice is finished with, besides the reason. */
  readonly finish: Fields
}

const NONE: readonly never[] = []

class ChoiceEvent implements ReadEvent {
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

/** The texts of a stream of chunks with choices: tracks by choice and field. */
export class ChoiceStream implements StreamTexts {
  readonly #form: ChoiceForm
  readonly #choices = new Map<number, OpenChoice>()
  #open: readonly number[] = NONE
  #events = 0

  constructor(form: ChoiceForm) {
    this.#form = form
  }

  read({ event, data }: SseEvent): ReadEvent | undefined {
    const fields = fieldsOf(data)
    if (fields === undefined) return undefined
    const { choices } = fields
    if (!Array.isArray(choices) || choices.length === 0) return new ChoiceEvent(event, fields, undefined, this.#open)
    const found = new EventPieces(this.#events++)
    for (let at = 0; at < choices.length; at++) {
      const choice: unknown = choices[at]
      if (isRecord(choice)) this.#read(found, choice, at)
    }
    return new ChoiceEvent(event, fields, found, this.#open)
  }

  /**
   * A chunk for each choice that is still open. `content_filter`: "if content was omitted due to a flag from our content filters"
   * (OpenAI API reference, "The chat completion chunk object" and "The completion object", read 2026-11).
   */
  withhold(last: ReadEvent | undefined): string {
    if (!(last instanceof ChoiceEvent)) return ''
    const { object, finish } = this.#form
    const { id, created, model } = last.fields
    return last.open
      .map((index) => {
        const choices = [{ index, ...finish, logprobs: null, finish_reason: 'content_filter' }]
        return eventText(JSON.stringify({ id, object, created, model, choices }))
      })
      .join('')
  }

  #read(found: EventPieces, choice: Fields, at: number): void {
    const { field } = this.#form
    const index = typeof choice.index === 'number' ? choice.index : at
    const { logprobs, finish_reason: reason } = choice
    const open = this.#choiceOf(index)
    const tokens = isRecord(logprobs) ? ['choices', at, 'logprobs'] : undefined
    this.#form.add(found, choice[field], ['choices', at, field], open, tokens)
    for (const name of Object.keys(choice)) {
      const value = choice[name]
      if (name !== field && value !== null && typeof value !== 'number' && hasWords(name))
        found.addWhole(wordsOf(value, ['choices', at, name], 'text'))
    }
    if (reason === null || reason === undefined) return
    open.tracks.end(found)
    this.#open = this.#open.filter((each) => each !== index)
  }

  #choiceOf(index: number): OpenChoice {
    const known = this.#choices.get(index)
    if (known !== undefined) return known
    const choice = { index, tracks: new OpenTracks() }
    this.#choices.set(index, choice)
    this.#open = [...this.#open, index]
    return choice
  }
}
