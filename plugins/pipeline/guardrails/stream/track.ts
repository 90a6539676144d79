import type { TextKind } from '#core/guardrails'
import type { TextEdits } from '#core/text-edits'
import type { TextPart } from '#kit/check'
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
  /** What the last look changes in it, while the others are looked at. */
  edits: TextEdits | undefined
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
