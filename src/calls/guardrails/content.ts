import type { TextKind, TextPlace } from '../../core/guardrails.ts'
import { applyEdits, areEditsOf, composeEdits, editBetween, NO_EDITS, type TextEdits } from '../../core/text-edits.ts'
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
  /** What made each text of the one that came. Absent: nobody wants to know. */
  readonly edits?: readonly TextEdits[]
  /** @throws Error for texts that cannot stand there: fewer or more, or no JSON where there was some */
  withTexts(texts: readonly string[]): Content
  /** @throws Error for edits that are not those of the texts */
  withEdits(edits: readonly TextEdits[]): Content
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
    requireAsMany(texts, before)
    if (texts.every((text, index) => text === before[index])) return this
    return this.withJson(withTexts(this.json, this.#places, texts))
  }

  withEdits(edits: readonly TextEdits[]): Content {
    return this.withTexts(edited(this.texts, edits))
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
  /** What made them of the texts that came. */
  readonly edits: readonly TextEdits[]

  /** @param kinds absent: all are words of a message */
  constructor(texts: readonly string[], edits?: readonly TextEdits[], kinds?: readonly TextKind[]) {
    this.texts = texts
    this.isTransformed = edits !== undefined
    this.edits = edits ?? texts.map(() => NO_EDITS)
    this.kinds = kinds ?? texts.map(() => 'text')
  }

  withTexts(texts: readonly string[]): TextContent {
    requireAsMany(texts, this.texts)
    return this.withEdits(this.texts.map((text, index) => editBetween(text, texts[index] ?? text)))
  }

  withEdits(edits: readonly TextEdits[]): TextContent {
    const texts = edited(this.texts, edits)
    if (edits.every(({ length }) => length === 0)) return this
    const composed = this.edits.map((before, index) => composeEdits(before, edits[index] ?? NO_EDITS))
    return new TextContent(texts, composed, this.kinds)
  }

  withJson(): Content {
    throw new Error('a check gave a body where there are texts alone')
  }
}

const requireAsMany = (made: readonly unknown[], texts: readonly string[]): void => {
  if (made.length === texts.length) return
  throw new Error(`a check gave ${made.length} texts for ${texts.length}: it must give as many as it got`)
}

/** @throws Error for edits that are not those of the texts */
const edited = (texts: readonly string[], edits: readonly TextEdits[]): readonly string[] => {
  requireAsMany(edits, texts)
  return texts.map((text, index) => {
    const own = edits[index] ?? NO_EDITS
    if (!areEditsOf(own, text))
      throw new Error('a check gave changes that do not lie in its text, one behind the other')
    return own.length === 0 ? text : applyEdits(text, own)
  })
}
