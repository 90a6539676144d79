/** A line of a text that was changed. */
export interface Line {
  readonly kind: 'same' | 'gone' | 'new'
  readonly text: string
}

/** A field that is another one now. */
export interface Change {
  /** In words: `credit limit`. */
  readonly field: string
  /** Texts of one line, before and now; absent where there was or is none. */
  readonly before?: string
  readonly now?: string
  /** Of longer texts the lines that differ, with those around them. */
  readonly lines?: readonly Line[]
}

/** Fields that change along with others, or that nobody could read. */
const NOISE = /(^|_)(id|at)$|^(updated_by|object|success)$/

const MAX_LINE = 60

/** What is different in an object. */
export const changesBetween = (before: unknown, now: unknown): readonly Change[] => {
  const [left, right] = [fieldsOf(before), fieldsOf(now)]
  return [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .filter((name) => !NOISE.test(name))
    .flatMap((name) => {
      const [was, is] = [textOf(left[name]), textOf(right[name])]
      if (was === is) return []
      const field = name.replaceAll('_', ' ')
      const isShort = [was, is].every((text) => text === undefined || (text.length <= MAX_LINE && !text.includes('\n')))
      return isShort
        ? [{ field, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { now: is }) }]
        : [{ field, lines: around(linesBetween(was ?? '', is ?? '')) }]
    })
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

const textOf = (value: unknown): string | undefined => {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string') return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
  return spread(value)
}

/** JSON in a text stands in lines, so that those can be compared. */
const spread = (text: string): string => {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Beyond so many pairs of lines the old ones are shown as gone and the new ones as new. */
const MAX_PAIRS = 1_000_000

/** The lines of both texts in one list. */
export const linesBetween = (before: string, now: string): readonly Line[] => {
  const [left, right] = [before, now].map((text) => (text === '' ? [] : text.split('\n'))) as [string[], string[]]
  const lines: Line[] = []
  const add = (kind: Line['kind'], text = ''): number => lines.push({ kind, text })
  const lengths = left.length * right.length > MAX_PAIRS ? undefined : commonLengths(left, right)
  let [at, to] = [0, 0]
  while (at < left.length && to < right.length && lengths !== undefined) {
    if (left[at] === right[to]) {
      add('same', left[at++])
      to++
    } else if ((lengths[at + 1]?.[to] ?? 0) >= (lengths[at]?.[to + 1] ?? 0)) add('gone', left[at++])
    else add('new', right[to++])
  }
  for (const text of left.slice(at)) add('gone', text)
  for (const text of right.slice(to)) add('new', text)
  return lines
}

/** For each pair of places how many lines at most both texts have in common from there on. */
const commonLengths = (left: readonly string[], right: readonly string[]): readonly Uint32Array[] => {
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1))
  for (let at = left.length - 1; at >= 0; at--) {
    const [row, below] = [lengths[at], lengths[at + 1]]
    if (row === undefined || below === undefined) continue
    for (let to = right.length - 1; to >= 0; to--) {
      row[to] = left[at] === right[to] ? (below[to + 1] ?? 0) + 1 : Math.max(below[to] ?? 0, row[to + 1] ?? 0)
    }
  }
  return lengths
}

const CONTEXT = 2

/** What differs, with a few lines around it. */
const around = (lines: readonly Line[]): readonly Line[] =>
  lines.filter((_, at) => lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ kind }) => kind !== 'same'))
