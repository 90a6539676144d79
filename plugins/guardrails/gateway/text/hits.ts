import type { CheckInput, CheckVerdict } from '#kit'

/** A part of a text that a detector found. */
export interface Hit<Category extends string = string> {
  readonly start: number
  /** Behind its last character. */
  readonly end: number
  readonly category: Category
}

/**
 * Puts hits in the order of the text, none over another: those that overlap become one, of the category that stands first in the
 * list of all.
 */
export const inOrder = <Category extends string>(
  hits: readonly Hit<Category>[],
  categories: readonly Category[],
): Hit<Category>[] => {
  const ordered: Hit<Category>[] = []
  for (const hit of [...hits].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = ordered.at(-1)
    if (last === undefined || hit.start >= last.end) {
      ordered.push(hit)
      continue
    }
    const first = categories.indexOf(hit.category) < categories.indexOf(last.category) ? hit : last
    ordered[ordered.length - 1] = { ...last, end: Math.max(last.end, hit.end), category: first.category }
  }
  return ordered
}

/** Characters behind a hit that may make another thing of it: `4111 1111 1111 1111` goes on behind ` - `. */
const NEARBY = 4

/**
 * The hits of a part of a text that are hits in the whole, too. What stands at the cut in front was looked at before, with all
 * that surrounds it; what ends at the cut behind may go on, and is looked at once more before it goes out.
 * @param reach characters that a part begins with again, and of which the last ones are held back
 */
export const settled = <Category extends string>(
  hits: readonly Hit<Category>[],
  text: string,
  part: CheckInput['part'],
  reach: number,
): readonly Hit<Category>[] =>
  part === undefined
    ? hits
    : hits.filter(({ start, end }) => {
        if (part.hasBefore && start < reach / 2) return false
        return !part.hasAfter || end < text.length - NEARBY || text.length - start >= reach
      })

/** Writes placeholders for what was found: `{{EMAIL_ADDRESS_1}}`, the same one for the same value. One for all texts of a message. */
export class Redaction {
  readonly #numbers = new Map<string, Map<string, number>>()

  /** @param hits in the order of the text, none over another */
  edits(text: string, hits: readonly Hit[]): NonNullable<CheckVerdict['edits']>[number] {
    return hits.map(({ start, end, category }) => ({
      start,
      end,
      text: `{{${category}_${this.#number(category, text.slice(start, end))}}}`,
    }))
  }

  #number(category: string, value: string): number {
    const numbers = this.#numbers.get(category) ?? new Map<string, number>()
    this.#numbers.set(category, numbers)
    // However it is written: in groups, in capitals, with what nobody sees in its midst.
    const key = value
      .normalize('NFKC')
      .replace(/[^\p{L}\p{N}@.:+]/gu, '')
      .toLowerCase()
    const number = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, number)
    return number
  }
}

/** How many hits there are of each category, for the data of a verdict: never what was found. */
export const countHits = (hits: readonly Hit[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { category } of hits) counts[category] = (counts[category] ?? 0) + 1
  return counts
}
