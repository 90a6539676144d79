/** A stretch of a text that something else takes the place of. */
export interface TextEdit {
  readonly start: number
  /** Past its last character; that of `start` where something is put in. */
  readonly end: number
  readonly text: string
}

/** Changes of a text: stretches in its order, none over another. */
export type TextEdits = readonly TextEdit[]

export const NO_EDITS: TextEdits = []

/** Whether these can be edits of a text: in its order, within it, none over another. */
export const areEditsOf = (edits: TextEdits, { length }: string): boolean => {
  let from = 0
  for (const { start, end } of edits) {
    if (!(start >= from && end >= start && end <= length)) return false
    from = end
  }
  return true
}

/** The text as the edits leave it. */
export const applyEdits = (text: string, edits: TextEdits): string => {
  let made = ''
  let at = 0
  for (const edit of edits) {
    made += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return made + text.slice(at)
}

/** The one stretch that makes a text of another: all but what both begin and end with. */
export const editBetween = (before: string, after: string): TextEdits => {
  if (before === after) return NO_EDITS
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++
  let same = 0
  while (
    same < most - start &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same++
  return [{ start, end: before.length - same, text: after.slice(start, after.length - same) }]
}

/** An edit with the place of what it puts in, in the text that all edits before have made. */
interface Placed extends TextEdit {
  readonly from: number
  readonly to: number
}

/**
 * Edits that do at once what two lists of edits do one after the other.
 * @param first of the text
 * @param second of the text that the first ones have made
 */
export const composeEdits = (first: TextEdits, second: TextEdits): TextEdits => {
  if (first.length === 0) return second
  if (second.length === 0) return first
  const placed = place(first)
  const made: TextEdit[] = []
  let [left, right] = [0, 0]
  // Characters that the text in between is longer than the first, up to here.
  let shift = 0
  while (left < placed.length || right < second.length) {
    // All that touch each other become one.
    const from = Math.min(placed[left]?.from ?? Infinity, second[right]?.start ?? Infinity)
    const start = from - shift
    let to = from
    const [firstLeft, firstRight] = [left, right]
    for (;;) {
      const [mine, theirs] = [placed[left], second[right]]
      if (mine !== undefined && mine.from <= to) {
        to = Math.max(to, mine.to)
        shift += mine.to - mine.from - (mine.end - mine.start)
        left++
      } else if (theirs !== undefined && theirs.start <= to) {
        to = Math.max(to, theirs.end)
        right++
      } else break
    }
    const between = textBetween(placed.slice(firstLeft, left), from, to)
    const moved = second
      .slice(firstRight, right)
      .map(({ start: at, end, text }) => ({ start: at - from, end: end - from, text }))
    made.push({ start, end: to - shift, text: applyEdits(between, moved) })
  }
  return made
}

const place = (edits: TextEdits): readonly Placed[] => {
  let shift = 0
  return edits.map((edit) => {
    const from = edit.start + shift
    shift += edit.text.length - (edit.end - edit.start)
    return { ...edit, from, to: from + edit.text.length }
  })
}

/** What the edits put in, at their places; what none of them put in is replaced anyway, and blank here. */
const textBetween = (edits: readonly Placed[], from: number, to: number): string => {
  let text = ''
  for (const edit of edits) text = text.padEnd(edit.from - from) + edit.text
  return text.padEnd(to - from)
}
