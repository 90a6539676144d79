/** The texts of a stream as far as they went out, by their tracks. Given up where they are longer than anybody looks at. */
export class CollectedTexts {
  readonly #maxCharacters: number
  readonly #texts = new Map<string, string>()
  #characters = 0

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters
  }

  get isTooLong(): boolean {
    return this.#characters > this.#maxCharacters
  }

  add(track: string, text: string): void {
    this.#characters += text.length
    if (this.isTooLong) this.#texts.clear()
    else this.#texts.set(track, this.of(track) + text)
  }

  of(track: string): string {
    return this.#texts.get(track) ?? ''
  }

  /** In the order in which they began. */
  all(): readonly string[] {
    return [...this.#texts.values()]
  }
}
