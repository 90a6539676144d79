import type { TextKind } from '#core/guardrails'

/** A text of a stream, and what it is. */
export interface CollectedText {
  readonly text: string
  readonly kind: TextKind
}

/** The texts of a stream as far as they went out, by their tracks. Given up where they are longer than anybody looks at. */
export class CollectedTexts {
  readonly #maxCharacters: number
  readonly #texts = new Map<string, { text: string; readonly kind: TextKind }>()
  #characters = 0

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters
  }

  get isTooLong(): boolean {
    return this.#characters > this.#maxCharacters
  }

  add(track: string, kind: TextKind, text: string): void {
    this.#characters += text.length
    const known = this.#texts.get(track)
    if (this.isTooLong) this.#texts.clear()
    else if (known === undefined) this.#texts.set(track, { text, kind })
    else known.text += text
  }

  of(track: string): string {
    return this.#texts.get(track)?.text ?? ''
  }

  /** In the order in which they began. */
  all(): readonly CollectedText[] {
    return [...this.#texts.values()]
  }
}
