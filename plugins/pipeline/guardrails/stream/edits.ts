/** A stretch of a text that something else takes the place of. */
export interface Edit {
  readonly start: number
  /** Past its last character; that of `start` where something is put in. */
  readonly end: number
  readonly text: string
}

export const NO_EDITS: readonly Edit[] = []

/**
 * Characters that two texts must have in common for a change to be over. Fewer may be chance, as the `1` of a number and of the
 * `[CARD_1]` that takes its place.
 */
const ANCHOR = 16

/**
 * Characters within which the other end of a change is looked for: most are short. Behind the last of these the rest of the text
 * is a part of it.
 */
const CHANGE_LENGTHS = [256, 2048, 16_384] as const

/** What makes one text of another: stretches in order, none of which touches the next. */
export const editsBetween = (before: string, after: string): readonly Edit[] => {
  const edits: Edit[] = []
  let from = 0
  let to = 0
  for (;;) {
    const same = sameFrom(before, from, after, to)
    from += same
    to += same
    if (from === before.length && to === after.length) return edits
    const next = nextAnchor(before, from, after, to)
    if (next === undefined) {
      edits.push({ start: from, end: before.length, text: after.slice(to) })
      return edits
    }
    edits.push({ start: from, end: next.from, text: after.slice(to, next.to) })
    from = next.from
    to = next.to
  }
}

/** How many characters are the same from there on. */
const sameFrom = (before: string, from: number, after: string, to: number): number => {
  const most = Math.min(before.length - from, after.length - to)
  let same = 0
  while (same < most && before.charCodeAt(from + same) === after.charCodeAt(to + same)) same++
  return same
}

/**
 * Where both go on alike after a change: at characters that stand nowhere else. Of a text that repeats itself nobody can tell
 * which of its repetitions was changed.
 */
const nextAnchor = (before: string, from: number, after: string, to: number): Anchor | undefined => {
  for (const length of CHANGE_LENGTHS) {
    const anchor = anchorIn(before.slice(from, from + length), after.slice(to, to + length))
    if (anchor !== undefined) return { from: from + anchor.from, to: to + anchor.to }
    if (length >= before.length - from && length >= after.length - to) return undefined
  }
  return undefined
}

interface Anchor {
  readonly from: number
  readonly to: number
}

const anchorIn = (left: string, right: string): Anchor | undefined => {
  for (let start = 0; start <= left.length - ANCHOR; start++) {
    const anchor = left.slice(start, start + ANCHOR)
    const found = right.indexOf(anchor)
    if (found >= 0 && standsAlone(anchor, left, start) && standsAlone(anchor, right, found))
      return { from: start, to: found }
  }
  return undefined
}

/** Whether a part of a text stands there alone. */
const standsAlone = (part: string, text: string, at: number): boolean =>
  text.indexOf(part) === at && text.indexOf(part, at + 1) === -1

/**
 * A part of a text as edits of the text leave it. What an edit puts in stands in the part where it begins.
 * @param start of the part in the text
 * @param isLast nothing follows in the text: what is put in behind the part is its own
 */
export const editedPart = (part: string, start: number, edits: readonly Edit[], isLast: boolean): string => {
  const end = start + part.length
  let made = ''
  let at = start
  for (const edit of edits) {
    if (edit.start > end || (edit.start === end && !isLast)) break
    if (edit.start >= start) made += part.slice(at - start, edit.start - start) + edit.text
    at = Math.max(at, Math.min(edit.end, end))
  }
  return made + part.slice(at - start)
}

/**
 * Edits of what follows `start` in a text, counted from there. What stands before cannot be changed: an edit that begins there puts
 * in what it does at the beginning of the rest.
 */
export const editsOfRest = (edits: readonly Edit[], start: number): readonly Edit[] => {
  if (start === 0) return edits
  const moved: Edit[] = []
  for (const edit of edits) {
    if (edit.end <= start && edit.start !== start) continue
    moved.push({ start: Math.max(0, edit.start - start), end: edit.end - start, text: edit.text })
  }
  return moved
}
