import type { TextKind } from '#core/guardrails'
import type { TextPart } from '#kit/check'
import { editedPart, editsBetween, editsOfRest } from './edits.ts'
import type { HeldEvent } from './held-events.ts'
import type { HeldText } from './held-text.ts'

/** A piece of an event that is held. */
export interface HeldPiece {
  readonly event: HeldEvent
  readonly index: number
}

/** One text of the stream. */
export interface Track {
  readonly name: string
  readonly kind: TextKind
  readonly text: HeldText<HeldPiece>
  /** All of it goes out after the next look. */
  isEnding: boolean
  /** What the last look made of it, while the others are looked at. */
  made: string | undefined
}

/** Notes what a piece of an event is to say instead. */
export const change = (event: HeldEvent, index: number, text: string): void => {
  event.texts ??= new Map()
  event.texts.set(index, text)
}

const MIDDLE: TextPart = { hasBefore: true, hasAfter: true }
const BEGINNING: TextPart = { hasBefore: false, hasAfter: true }
const END: TextPart = { hasBefore: true, hasAfter: false }

/** What surrounds a part; undefined: nothing does. */
export const placeOf = (hasBefore: boolean, hasAfter: boolean): TextPart | undefined => {
  if (hasAfter) return hasBefore ? MIDDLE : BEGINNING
  return hasBefore ? END : undefined
}

/** What is held, the end of a text, as a change of the whole text leaves it: what went out stays. */
export const restOf = (said: string, made: string, held: string): string => {
  if (said === made) return held
  const start = said.length - held.length
  return editedPart(held, 0, editsOfRest(editsBetween(said, made), start), true)
}
