import { applyEdits, composeEdits, NO_EDITS, type TextEdit, type TextEdits } from '#core/text-edits'
import { editedPart, editsOfRest } from './edits.ts'

export interface HeldTextOptions {
  /** Characters that are held back. */
  readonly window: number
  /** Characters of what was let out that are looked at again with what is held. */
  readonly reach: number
  /** What was let out before the first part. */
  readonly before?: string | undefined
  /** All of it may be said again. */
  readonly isSaidAgain?: boolean | undefined
}

/** Characters that wait for a change to be over, besides its reach, before all is let out as it is changed so far. */
const MAX_CHANGING = 4096

/** Looks are no closer together than this part of the window. */
const LOOKS_A_WINDOW = 2

const SENTENCE_END = /[.!?\n。！？]/

/** One text of a stream, of which the last part is held back. It is let out part by part, as parts came: none is cut in two. */
export class HeldText<Part> {
  readonly #window: number
  readonly #reach: number
  /** The end of what was let out, as it went out. */
  #before: string
  /** Characters of what was let out. */
  #outLength: number
  /** What is held, as it came. */
  #held = ''
  /** Characters that were let out, as they came. */
  #start = 0
  /** Parts of what is held, and where they end in the whole text. */
  #parts: Part[] = []
  #ends: number[] = []
  /** Of what is held, as far as it was looked at. */
  #seen = 0
  /** Text of the part that came last. */
  #last = ''
  #edits: TextEdit[] | undefined
  /** All parts, as they came. Absent: nobody says them again. */
  #said: string | undefined

  constructor({ window, reach, before = '', isSaidAgain }: HeldTextOptions) {
    if (isSaidAgain === true) this.#said = ''
    this.#window = window
    this.#reach = reach
    this.#before = tailOf(before, reach)
    this.#outLength = before.length
  }

  /** Characters of all parts, as they came. */
  get length(): number {
    return this.#start + this.#held.length
  }

  /** Whether a text is what all parts said. */
  says(text: string): boolean {
    return this.#said === text
  }

  get isHeld(): boolean {
    return this.#parts.length > 0
  }

  /** What is to be looked at: what is held, behind the end of what was let out. */
  get seen(): string {
    return this.#before + this.#held
  }

  /** Whether more was let out than stands in `seen`. */
  get hasBefore(): boolean {
    return this.#outLength > this.#before.length
  }

  /** What is held, as a look at `seen` has changed it. */
  changed(edits: TextEdits): string {
    return applyEdits(this.#held, this.#ofHeld(edits))
  }

  /** Lets out all that is held. @param more edits of what those of the look at `seen` have made of it */
  replace(edits: TextEdits, more: TextEdits, letOut: (part: Part, text: string | undefined) => void): void {
    this.#release(composeEdits(this.#ofHeld(edits), more), true, letOut)
  }

  add(part: Part, text: string): void {
    this.#held += text
    if (this.#said !== undefined) this.#said += text
    this.#parts.push(part)
    this.#ends.push(this.length)
    this.#last = text
  }

  /** Whether a look is worth it: parts could be let out after it, and a sentence is over or much has come since the last one. */
  get isDue(): boolean {
    const { length } = this.#held
    const first = this.#ends[0]
    if (first === undefined || first - this.#start > length - this.#window) return false
    const fresh = length - this.#seen
    return fresh >= this.#window || (fresh * LOOKS_A_WINDOW >= this.#window && SENTENCE_END.test(this.#last))
  }

  /**
   * Lets out what no later part can change: all but the window, and nothing from within a change.
   * @param edits of `seen`
   * @param isEnd nothing follows: all of it goes
   * @param letOut gets each part with its new text, if it has one
   */
  release(edits: TextEdits, isEnd: boolean, letOut: (part: Part, text: string | undefined) => void): void {
    this.#release(this.#ofHeld(edits), isEnd, letOut)
  }

  #release(edits: TextEdits, isEnd: boolean, letOut: (part: Part, text: string | undefined) => void): void {
    const { count, end } = isEnd ? this.#all() : this.#releasable(edits)
    this.#seen = this.#held.length - end
    if (count === 0) return
    const isAll = end === this.#held.length
    const out = edits.length === 0 ? this.#held.slice(0, end) : editedPart(this.#held.slice(0, end), 0, edits, isAll)
    let at = 0
    for (let index = 0; index < count; index++) {
      const partEnd = (this.#ends[index] as number) - this.#start
      const text = edits.length === 0 ? undefined : this.#held.slice(at, partEnd)
      const edited = text === undefined ? undefined : editedPart(text, at, edits, isAll && index === count - 1)
      letOut(this.#parts[index] as Part, edited === text ? undefined : edited)
      at = partEnd
    }
    this.#remember(edits, end, isAll)
    this.#before = tailOf(this.#before + out, this.#reach)
    this.#outLength += out.length
    this.#parts = this.#parts.slice(count)
    this.#ends = this.#ends.slice(count)
    this.#held = this.#held.slice(end)
    this.#start += end
  }

  /** The whole text again, as its parts were let out. */
  asReleased(whole: string): string {
    return this.#edits === undefined ? whole : editedPart(whole, 0, this.#edits, true)
  }

  #ofHeld(edits: TextEdits): TextEdits {
    return edits.length === 0 ? NO_EDITS : editsOfRest(edits, this.#before.length)
  }

  #all(): { readonly count: number; readonly end: number } {
    return { count: this.#parts.length, end: this.#held.length }
  }

  #releasable(edits: TextEdits): { readonly count: number; readonly end: number } {
    const bound = this.#held.length - this.#window
    let most = bound
    let released = this.#upTo(most)
    for (let index = edits.length - 1; index >= 0; index--) {
      const { start, end } = edits[index] as TextEdit
      if (start < released.end && released.end < end) {
        most = start
        released = this.#upTo(most)
      }
    }
    const waiting = bound - ((this.#ends[0] ?? 0) - this.#start)
    return released.count === 0 && waiting > MAX_CHANGING + this.#reach ? this.#all() : released
  }

  /** Parts that end there or before. */
  #upTo(bound: number): { readonly count: number; readonly end: number } {
    let count = 0
    let end = 0
    for (; count < this.#ends.length; count++) {
      const next = (this.#ends[count] as number) - this.#start
      if (next > bound) break
      end = next
    }
    return { count, end }
  }

  #remember(edits: TextEdits, end: number, isAll: boolean): void {
    for (const edit of edits) {
      if (edit.start > end || (edit.start === end && !isAll)) break
      this.#edits ??= []
      this.#edits.push({ start: this.#start + edit.start, end: this.#start + edit.end, text: edit.text })
    }
  }
}

/** The last characters, without half of one at their beginning. */
const tailOf = (text: string, length: number): string => {
  if (length === 0) return ''
  const tail = text.length <= length ? text : text.slice(-length)
  const first = tail.charCodeAt(0)
  return first >= 0xdc00 && first <= 0xdfff ? tail.slice(1) : tail
}
