import type { FormBody } from '../bodies/body.ts'
import type { Segment } from './segments.ts'
import { partSegments, valueSegment } from './write-body.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The form that came, with other values for some parameters. One text takes the place of another; all else that changes is left
 * out, and what stands for it comes before all other parts. Those go on byte by byte.
 * @param before what the form said
 * @param after what it shall say; a parameter with the very same value is left alone
 */
export const editedForm = (form: FormBody, before: Fields, after: Fields): readonly Segment[] => {
  const changed = new Set(Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]))
  const parts = form.parts.map((part) => ({ part, name: part.name.replace(/\[.*$/s, '') }))
  const stays = new Set([...changed].filter((name) => isOneText(before[name]) && isOneText(after[name])))
  const added = Object.entries(after).filter(([name]) => changed.has(name) && !stays.has(name))
  const segments: Segment[] = [...partSegments(Object.fromEntries(added), form.boundary, 'brackets')]
  let from = 0
  for (const [index, { part, name }] of parts.entries()) {
    if (!changed.has(name)) continue
    const isReplaced = stays.has(name)
    const to = isReplaced ? part.start : part.mark
    if (to > from) segments.push({ from, to })
    if (isReplaced) segments.push(valueSegment(name, after[name], form.boundary))
    from = isReplaced ? (part.end ?? part.start) : (form.parts[index + 1]?.mark ?? closingMark(form))
  }
  return [...segments, { from, to: form.length }]
}

/** Whether a parameter is one part whose text can be replaced where it stands. */
const isOneText = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Where the last boundary begins: behind the last part and its end of line. */
const closingMark = ({ parts, length }: FormBody): number => (parts.at(-1)?.end ?? length - 2) + 2
