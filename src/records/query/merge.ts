import { RECORD_COLUMNS } from '../columns.ts'
import type { AnswerRow, Group, Question, QuestionAnswer, Scalar } from '../question.ts'
import { addPacked, addTo } from '../rollups/histogram.ts'
import type { PartStatement } from './asked.ts'
import type { Found, MeasureParts } from './parts.ts'

/** Puts together what statements found. */
export interface Merger {
  /** Rows of a statement: their values in the order of its columns. */
  add(statement: PartStatement, rows: readonly (readonly unknown[])[]): void
  answer(): QuestionAnswer
}

interface FoundGroup {
  readonly keys: readonly Scalar[]
  readonly found: Found[]
}

/** Groups that an answer may have at most while it is put together. */
const MAX_GROUPS = 1_000_000

/** More groups than are answered for. */
export class TooManyGroups extends Error {
  override readonly name = 'TooManyGroups'
  constructor() {
    super(`The answer has more than ${MAX_GROUPS} groups: ask about less time, or with more filters`)
  }
}

export const createMerger = (question: Question, measures: MeasureParts): Merger => {
  const { parts } = measures
  const groups = new Map<string, FoundGroup>()
  const readers = question.groups.map(keyReader)
  const width = readers.length

  const groupOf = (row: readonly unknown[]): FoundGroup => {
    const keys = readers.map((read, index) => read(row[index]))
    const name = JSON.stringify(keys)
    const known = groups.get(name)
    if (known !== undefined) return known
    if (groups.size >= MAX_GROUPS) throw new TooManyGroups()
    const group: FoundGroup = { keys, found: parts.map(() => null) }
    groups.set(name, group)
    return group
  }
  if (width === 0) groupOf([])

  const addNumbers = ({ found }: FoundGroup, places: readonly number[], row: readonly unknown[]): void => {
    places.forEach((place, index) => {
      const value = row[width + index]
      if (value === null || value === undefined) return
      const number = Number(value)
      const before = found[place]
      if (typeof before !== 'number') found[place] = number
      else if (parts[place]?.of === 'min') found[place] = Math.min(before, number)
      else if (parts[place]?.of === 'max') found[place] = Math.max(before, number)
      else found[place] = before + number
    })
  }

  const addCollected = (
    { found }: FoundGroup,
    place: number,
    rows: PartStatement['rows'],
    row: readonly unknown[],
  ): void => {
    const value = row[width]
    if (value === null || value === undefined) return
    const before = found[place]
    if (rows === 'values') {
      const different = before instanceof Set ? before : new Set<Scalar>()
      found[place] = different.add(toScalar(value))
      return
    }
    const histogram = before instanceof Map ? before : new Map<number, number>()
    found[place] = histogram
    if (rows === 'buckets') addTo(histogram, Number(value), Number(row[width + 1]))
    else if (value instanceof Uint8Array) addPacked(histogram, value)
  }

  return {
    add({ rows: form, parts: places }, rows) {
      const [place] = places
      for (const row of rows) {
        const group = groupOf(row)
        if (form === 'numbers') addNumbers(group, places, row)
        else if (place !== undefined) addCollected(group, place, form, row)
      }
    },
    answer() {
      const rows = [...groups.values()].map(
        ({ keys, found }): AnswerRow => ({
          ...Object.fromEntries(question.groups.map(({ as }, index) => [as, keys[index] ?? null])),
          ...Object.fromEntries(question.measures.map(({ as }, index) => [as, measures.value(index, found)])),
        }),
      )
      return ordered(question, rows)
    },
  }
}

const toScalar = (value: unknown): Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : String(value)

/** Makes the value of a group of what a driver gives: integers may be texts, flags 0 and 1. */
const keyReader = (group: Group): ((value: unknown) => Scalar) => {
  const kind =
    'metadata' in group
      ? 'text'
      : 'bucket' in group
        ? 'integer'
        : group.column === 'value' || group.column === 'weight' || group.column === 'weighted'
          ? 'integer'
          : RECORD_COLUMNS[group.column]
  return (value) => {
    if (value === null || value === undefined) return null
    if (kind === 'integer') return Number(value)
    return kind === 'flag' ? value === true || Number(value) === 1 : String(value)
  }
}

const compare = (one: Scalar, other: Scalar): number => {
  if (one === other) return 0
  if (one === null) return -1
  if (other === null) return 1
  return one < other ? -1 : 1
}

const ordered = (question: Question, rows: AnswerRow[]): QuestionAnswer => {
  const order = [...(question.order ?? []), ...question.groups.map(({ as }) => ({ by: as, desc: false }))]
  rows.sort((one, other) => {
    for (const { by, desc } of order) {
      const difference = compare(one[by] ?? null, other[by] ?? null)
      if (difference !== 0) return desc ? -difference : difference
    }
    return 0
  })
  const { offset = 0, limit } = question
  return {
    rows: rows.slice(offset, limit === undefined ? undefined : offset + limit),
    ...(question.total && { total: rows.length }),
  }
}
