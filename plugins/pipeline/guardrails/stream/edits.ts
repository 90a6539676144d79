import type { TextEdit, TextEdits } from '#core/text-edits'

/**
 * A part of a text as edits of the text leave it. What an edit puts in stands in the part where it begins.
 * @param start of the part in the text
 * @param isLast nothing follows in the text: what is put in behind the part is its own
 */
export const editedPart = (part: string, start: number, edits: TextEdits, isLast: boolean): string => {
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
export const editsOfRest = (edits: TextEdits, start: number): TextEdits => {
  if (start === 0) return edits
  const moved: TextEdit[] = []
  for (const edit of edits) {
    if (edit.end <= start && edit.start !== start) continue
    moved.push({ start: Math.max(0, edit.start - start), end: edit.end - start, text: edit.text })
  }
  return moved
}
