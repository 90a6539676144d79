import type { TextKind, TextPiece } from '#core/guardrails'
import { NO_EDITS, type TextEdits } from '#core/text-edits'
import type { TextPart } from '#kit/check'
import type { CollectedText, CollectedTexts } from './collected-texts.ts'
import { editsOfRest } from './edits.ts'
import type { HeldEvent } from './held-events.ts'
import { HeldText } from './held-text.ts'
import { MoreSaid, type SaidEvent } from './stream-reader.ts'
import { change, type HeldPiece, placeOf, type Track } from './track.ts'

export interface HeldTextsOptions {
  /** Characters of each text that are held back; `Infinity`: all of them, until the answer is complete. */
  readonly window: number
  /** Characters of what went out that are looked at again with what is held. */
  readonly reach: number
  /** The end of a text that the client has already, of an answer that goes on from there. */
  readonly before?: string | undefined
  /** Events at the end say texts again. */
  readonly isSaidAgain?: boolean | undefined
  /** Gets texts as they go out. Absent: nobody looks at the whole. */
  readonly collected?: CollectedTexts | undefined
  /**
   * Looks at a part of a text.
   * @param place what surrounds it; undefined: it is all of it
   * @returns what is to be changed in it
   * @throws what the stream ends with
   */
  look(part: string, kind: TextKind, place: TextPart | undefined): TextEdits | Promise<TextEdits>
  /**
   * Looks at all texts before the last that is held of them goes out, as `look` does. Absent: `look` is enough.
   * @param texts undefined where they are too long
   */
  lookAtAll?:
    | ((texts: readonly CollectedText[] | undefined) => readonly TextEdits[] | Promise<readonly TextEdits[]>)
    | undefined
}

/** A piece that says all of a text again, once that went out. */
interface Whole extends HeldPiece {
  readonly track: Track
  readonly said: string
}

/** The texts of a stream, each with its held part. */
export class HeldTexts {
  readonly #options: HeldTextsOptions
  readonly #tracks = new Map<string, Track>()
  /** To be looked at, the next one first. */
  #due: Track[] = []
  /** Over, unless it turns out that they were the last: then all texts are looked at before these go out. */
  #over: Track[] = []
  #wholes: Whole[] = []
  #isCompleting = false
  #before: string | undefined

  constructor(options: HeldTextsOptions) {
    this.#options = options
    this.#before = options.before
  }

  /** Holds the pieces of an event. */
  take(event: HeldEvent, said: SaidEvent): void {
    if (said instanceof MoreSaid) {
      event.waits++
      this.#add(this.#trackOf(said.like.track, said.like.kind), { event, index: 0 }, said.text)
      return
    }
    const { pieces } = said
    const { ends } = said.read
    for (let index = 0; index < pieces.length; index++) {
      const piece = pieces[index] as TextPiece
      if (piece.text === '') continue
      event.waits++
      if (piece.isWhole === true) this.#takeWhole(event, index, piece)
      else this.#add(this.#trackOf(piece.track, piece.kind), { event, index }, piece.text)
    }
    if (ends === 'all') for (const track of this.#tracks.values()) this.#end(track)
    else if (ends !== undefined) for (const name of ends) this.#endNamed(name)
  }

  /** Everything is to be looked at to its end: nothing follows, or no more can be held. @param isComplete the answer is whole */
  endAll(isComplete: boolean): void {
    this.#isCompleting = isComplete
    for (const track of this.#tracks.values()) this.#endNow(track)
  }

  /** Looks at what is due. @returns when it is worth to go on, where a look takes its time @throws what a look refuses with */
  settle(): Promise<void> | undefined {
    for (let track = this.#due[0]; track !== undefined; track = this.#due[0]) {
      const looked = track
      const { hasBefore, seen } = track.text
      const edits = this.#options.look(seen, track.kind, placeOf(hasBefore, !track.isEnding))
      if (edits instanceof Promise) return edits.then((late) => this.#looked(looked, late))
      this.#looked(looked, edits)
    }
    const waiting = this.#isCompleting ? this.#lookAtAll() : undefined
    if (waiting === undefined && this.#wholes.length > 0) this.#sayAgain()
    return waiting
  }

  #trackOf(name: string, kind: TextKind): Track {
    const known = this.#tracks.get(name)
    if (known !== undefined) return known
    const { window, reach, isSaidAgain } = this.#options
    const before = kind === 'text' ? this.#before : undefined
    if (before !== undefined) this.#before = undefined
    const track = {
      name,
      kind,
      text: new HeldText<HeldPiece>({ window, reach, before, isSaidAgain }),
      isEnding: false,
      edits: undefined,
    }
    this.#tracks.set(name, track)
    return track
  }

  #add(track: Track, piece: HeldPiece, text: string): void {
    if (this.#over.length > 0 && this.#options.window !== Infinity) this.#passOver()
    track.text.add(piece, text)
    if (track.text.isDue && !this.#due.includes(track)) this.#due.push(track)
  }

  /** A text that never came in pieces, or was another in pieces, is one of its own. */
  #takeWhole(event: HeldEvent, index: number, { track: name, kind, text }: TextPiece): void {
    const track = this.#trackOf(name, kind)
    if (track.text.says(text)) {
      this.#wholes.push({ event, index, track, said: text })
      this.#end(track)
      return
    }
    const own = track.text.length === 0 ? track : this.#trackOf(`${name}, once more at ${this.#tracks.size}`, kind)
    this.#add(own, { event, index }, text)
    this.#end(own)
  }

  #endNamed(name: string): void {
    const track = this.#tracks.get(name)
    if (track !== undefined) this.#end(track)
  }

  #end(track: Track): void {
    if (this.#options.lookAtAll === undefined) this.#endNow(track)
    else if (track.text.isHeld && !this.#over.includes(track)) this.#over.push(track)
  }

  #endNow(track: Track): void {
    if (!track.text.isHeld) return
    track.isEnding = true
    if (!this.#due.includes(track)) this.#due.push(track)
  }

  /** More is said: those that were over are not the last. */
  #passOver(): void {
    const over = this.#over
    this.#over = []
    for (const track of over) this.#endNow(track)
  }

  #looked(track: Track, edits: TextEdits): void {
    this.#due.shift()
    if (this.#isCompleting && this.#options.lookAtAll !== undefined) track.edits = edits
    else track.text.release(edits, track.isEnding, (piece, text) => this.#letOut(track, piece, text))
    track.isEnding = false
  }

  #letOut({ name, kind }: Track, { event, index }: HeldPiece, text: string | undefined): void {
    event.waits--
    if (text !== undefined) change(event, index, text)
    this.#options.collected?.add(name, kind, text ?? event.said?.pieces[index]?.text ?? '')
  }

  #lookAtAll(): Promise<void> | undefined {
    this.#isCompleting = false
    const { lookAtAll, collected } = this.#options
    if (lookAtAll === undefined || collected === undefined) return undefined
    const tracks = [...this.#tracks.values()]
    const held = tracks.map(({ text, edits }) => (edits === undefined ? '' : text.changed(edits)))
    const said = tracks.map(({ name }, index) => collected.of(name) + held[index])
    const all = tracks.map(({ kind }, index) => ({ kind, text: said[index] as string }))
    const made = lookAtAll(collected.isTooLong ? undefined : all)
    const finish = (changes: readonly TextEdits[]): void => {
      for (const [index, track] of tracks.entries()) {
        // What went out stays.
        const outLength = (said[index] as string).length - (held[index] as string).length
        const more = editsOfRest(changes[index] ?? NO_EDITS, outLength)
        track.text.replace(track.edits ?? NO_EDITS, more, (piece, text) => this.#letOut(track, piece, text))
        track.edits = undefined
      }
      this.#sayAgain()
    }
    if (made instanceof Promise) return made.then(finish)
    finish(made)
    return undefined
  }

  /** What says a text again says what went out. */
  #sayAgain(): void {
    this.#wholes = this.#wholes.filter(({ event, index, track, said }) => {
      if (track.text.isHeld) return true
      event.waits--
      const text = track.text.asReleased(said)
      if (text !== said) change(event, index, text)
      return false
    })
  }
}
