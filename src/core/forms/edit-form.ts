import type { FormBody } from '../bodies/body.ts'
import type { Segment } from './segments.ts'
import { partSegments } from './write-body.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The form that came, with other values for some parameters: their parts are left out, and what takes their place stands
 * before all others. Each other part goes on byte by byte.
 * @param before what the form said
 * @param after what it shall say; a parameter with the very same value is left alone
 */
export const editedForm = (form: FormBody, before: Fields, after: Fields): readonly Segment[] => {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = new Set([...names].filter((name) => before[name] !== after[name]))
  const added = Object.fromEntries(Object.entries(after).filter(([name]) => changed.has(name)))
  const segments: Segment[] = [...partSegments(added, form.boundary, 'brackets')]
  let from = 0
  for (const [index, part] of form.parts.entries()) {
    if (!changed.has(part.name.replace(/\[.*$/s, ''))) continue
    if (part.mark > from) segments.push({ from, to: part.mark })
    from = form.parts[index + 1]?.mark ?? closingMark(form)
  }
  return [...segments, { from, to: form.length }]
}

/** Where the last boundary begins: behind the last part and its end of line. */
const closingMark = ({ parts, length }: FormBody): number => (parts.at(-1)?.end ?? length - 2) + 2
