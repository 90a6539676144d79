/** Takes away what an answer repeats of a text that was sent already. */
export class Echo {
  readonly #mustRepeat: boolean
  #left: string
  #repeated = ''

  /**
   * @param text what the answer begins with
   * @param mustRepeat whether an answer that begins with anything else is the wrong one; else it is not touched
   */
  constructor(text: string, mustRepeat: boolean) {
    this.#left = text
    this.#mustRepeat = mustRepeat
  }

  /** True once the answer has come to what is new. */
  get isOver(): boolean {
    return this.#left === ''
  }

  /** What is new in the next piece of the answer. @returns undefined when it is the wrong answer */
  take(piece: string): string | undefined {
    if (this.#left === '') return piece
    if (piece.startsWith(this.#left)) {
      const fresh = piece.slice(this.#left.length)
      this.#left = ''
      return fresh
    }
    if (!this.#left.startsWith(piece)) return this.#differs(piece)
    this.#left = this.#left.slice(piece.length)
    this.#repeated += piece
    return ''
  }

  /** What is new at the end of the answer. @returns undefined when it is the wrong answer */
  end(): string | undefined {
    return this.#left === '' ? '' : this.#differs('')
  }

  #differs(piece: string): string | undefined {
    if (this.#mustRepeat) return undefined
    this.#left = ''
    return this.#repeated + piece
  }
}
