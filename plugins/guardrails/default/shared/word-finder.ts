/** Finds which of many words stand in texts, in time in proportion to the text however many words there are. */
export interface WordFinder {
  /** Marks words that stand in a text with 1, by their index. */
  mark(text: string, found: Uint8Array): void
}

/** As many words are looked for one by one: that takes less than looking at each character. */
const FEW_WORDS = 12
const FEW_CHARACTERS = 500

/** @param words none of them empty, no two the same */
export const createWordFinder = (words: readonly string[]): WordFinder => {
  const characters = words.reduce((sum, { length }) => sum + length, 0)
  return words.length <= FEW_WORDS && characters <= FEW_CHARACTERS ? new FewWords(words) : new ManyWords(words)
}

class FewWords implements WordFinder {
  readonly #words: readonly string[]

  constructor(words: readonly string[]) {
    this.#words = words
  }

  mark(text: string, found: Uint8Array): void {
    for (const [index, word] of this.#words.entries()) if (found[index] === 0 && text.includes(word)) found[index] = 1
  }
}

/** Words that begin alike, up to `depth`: `from` the first of them, up to `to`, in their order. */
interface Range {
  readonly from: number
  readonly to: number
  readonly depth: number
}

/**
 * Aho and Corasick's machine (Efficient string matching, CACM 18, 1975). Its states are the beginnings of words, numbered level
 * by level, so that those which go on from one state stand side by side, in the order of their characters.
 */
class ManyWords implements WordFinder {
  /** Character that leads to each state. */
  readonly #characters: Uint16Array
  /** States that go on from one: from this number, up to that of the next state. */
  readonly #next: Int32Array
  /** The longest other beginning of a word that a state ends with. */
  readonly #shorter: Int32Array
  /** Index of the word that ends here, or −1. */
  readonly #word: Int32Array
  /** The longest other word that a state ends with: its state, or 0. */
  readonly #shorterWord: Int32Array
  /** States behind the first one by characters below 256. */
  readonly #first = new Int32Array(256)

  constructor(words: readonly string[]) {
    const order = words.map((_, index) => index).sort((one, other) => compare(words[one] ?? '', words[other] ?? ''))
    const sorted = order.map((index) => words[index] ?? '')
    const size = countStates(sorted)
    this.#characters = new Uint16Array(size)
    this.#next = new Int32Array(size + 1)
    this.#shorter = new Int32Array(size)
    this.#word = new Int32Array(size).fill(-1)
    this.#shorterWord = new Int32Array(size)
    this.#addStates(sorted, order)
  }

  mark(text: string, found: Uint8Array): void {
    let state = 0
    const first = this.#first
    for (let at = 0; at < text.length; at++) {
      const character = text.charCodeAt(at)
      // Most characters begin no word.
      if (state === 0 && character < 256 && first[character] === 0) continue
      let next = this.#step(state, character)
      while (next === 0 && state !== 0) {
        state = this.#shorter[state] ?? 0
        next = this.#step(state, character)
      }
      state = next
      if (state !== 0) this.#markWords(state, found)
    }
  }

  /** Those that end here: once one is marked, the shorter ones are too. */
  #markWords(state: number, found: Uint8Array): void {
    let ending = (this.#word[state] ?? -1) >= 0 ? state : (this.#shorterWord[state] ?? 0)
    while (ending !== 0) {
      const word = this.#word[ending] ?? 0
      if (found[word] === 1) return
      found[word] = 1
      ending = this.#shorterWord[ending] ?? 0
    }
  }

  #from(state: number): number {
    return this.#next[state] ?? 0
  }

  /** @returns 0 where no word goes on so */
  #step(state: number, character: number): number {
    if (state === 0 && character < 256) return this.#first[character] ?? 0
    let from = this.#from(state)
    let to = this.#from(state + 1)
    while (from < to) {
      const middle = (from + to) >> 1
      const here = this.#characters[middle] ?? 0
      if (here === character) return middle
      if (here < character) from = middle + 1
      else to = middle
    }
    return 0
  }

  #addStates(sorted: readonly string[], order: readonly number[]): void {
    let level: readonly Range[] = [{ from: 0, to: sorted.length, depth: 0 }]
    let states = 1
    let state = 0
    while (level.length > 0) {
      const following: Range[] = []
      for (const range of level) {
        this.#next[state] = states
        // The word that ends here stands first.
        let at = range.from
        if (sorted[at]?.length === range.depth && range.depth > 0) {
          this.#word[state] = order[at] ?? -1
          at++
        }
        while (at < range.to) {
          const character = sorted[at]?.charCodeAt(range.depth) ?? 0
          const from = at
          while (at < range.to && sorted[at]?.charCodeAt(range.depth) === character) at++
          this.#addState(states, state, character)
          following.push({ from, to: at, depth: range.depth + 1 })
          states++
        }
        state++
        this.#next[state] = states
      }
      level = following
    }
    this.#findShorterWords(states)
  }

  /** All shorter beginnings have their states by then. */
  #addState(state: number, before: number, character: number): void {
    this.#characters[state] = character
    if (before === 0) {
      if (character < 256) this.#first[character] = state
      return
    }
    let shorter = this.#shorter[before] ?? 0
    let next = this.#step(shorter, character)
    while (next === 0 && shorter !== 0) {
      shorter = this.#shorter[shorter] ?? 0
      next = this.#step(shorter, character)
    }
    this.#shorter[state] = next
  }

  #findShorterWords(states: number): void {
    for (let state = 1; state < states; state++) {
      const shorter = this.#shorter[state] ?? 0
      this.#shorterWord[state] = (this.#word[shorter] ?? -1) >= 0 ? shorter : (this.#shorterWord[shorter] ?? 0)
    }
  }
}

const compare = (one: string, other: string): number => (one < other ? -1 : 1)

/** Of sorted words: one for each beginning, and the first one. */
const countStates = (sorted: readonly string[]): number =>
  sorted.reduce((sum, word, index) => sum + word.length - sharedLength(word, sorted[index - 1] ?? ''), 1)

const sharedLength = (one: string, other: string): number => {
  let length = 0
  while (length < other.length && one.charCodeAt(length) === other.charCodeAt(length)) length++
  return length
}
