import type { TextKind, TextPlace } from '../../core/guardrails.ts'
import { withTexts } from './with-texts.ts'

type Fields = Readonly<Record<string, unknown>>

/** What is looked at: a body and the texts in it, as the checks so far have left them. */
export interface Content {
  readonly texts: readonly string[]
  /** What each of them is. */
  readonly kinds: readonly TextKind[]
  readonly json: Fields
  /** Not as it came any more. */
  readonly isTransformed: boolean
  /** @throws Error for texts that cannot stand there: fewer or more, or no JSON where there was some */
  withTexts(texts: readonly string[]): Content
  withJson(json: Fields): Content
}

/** Texts of a body of JSON. */
export class BodyContent implements Content {
  readonly json: Fields
  readonly isTransformed: boolean
  readonly #placesOf: (body: Fields) => readonly TextPlace[]
  readonly #places: readonly TextPlace[]
  #texts: readonly string[] | undefined
  #kinds: readonly TextKind[] | undefined

  /** @param placesOf where the texts of such a body stand */
  constructor(json: Fields, placesOf: (body: Fields) => readonly TextPlace[], isTransformed = false) {
    this.json = json
    this.isTransformed = isTransformed
    this.#placesOf = placesOf
    this.#places = placesOf(json)
  }

  get texts(): readonly string[] {
    this.#texts ??= this.#places.map(({ text }) => text)
    return this.#texts
  }

  get kinds(): readonly TextKind[] {
    this.#kinds ??= this.#places.map(({ kind }) => kind)
    return this.#kinds
  }

  withTexts(texts: readonly string[]): Content {
    const before = this.texts
    if (texts.length !== before.length)
      throw new Error(`a check gave ${texts.length} texts for ${before.length}: it must give as many as it got`)
    if (texts.every((text, index) => text === before[index])) return this
    return this.withJson(withTexts(this.json, this.#places, texts))
  }

  withJson(json: Fields): Content {
    return new BodyContent(json, this.#placesOf, true)
  }
}

/** Texts without a body: those of a dry run, or of a part of a stream. */
export class TextContent implements Content {
  readonly json: Fields = {}
  readonly texts: readonly string[]
  readonly kinds: readonly TextKind[]
  readonly isTransformed: boolean

  /** @param kinds absent: all are words of a message */
  constructor(texts: readonly string[], isTransformed = false, kinds?: readonly TextKind[]) {
    this.texts = texts
    this.isTransformed = isTransformed
    this.kinds = kinds ?? texts.map(() => 'text')
  }

  withTexts(texts: readonly string[]): Content {
    if (texts.length !== this.texts.length)
      throw new Error(`a check gave ${texts.length} texts for ${this.texts.length}: it must give as many as it got`)
    return texts.every((text, index) => text === this.texts[index]) ? this : new TextContent(texts, true, this.kinds)
  }

  withJson(): Content {
    throw new Error('a check gave a body where there are texts alone')
  }
}
