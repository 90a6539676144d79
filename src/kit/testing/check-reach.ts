import { expect } from 'bun:test'
import fc from 'fast-check'
import type { Check } from '../check.ts'
import { isHit, prepareWith, verdictOf } from './check-input.ts'
import type { CheckSample } from './conform-check.ts'

const FILLERS = [' ', 'a', 'word ', '. ', '1', '-', '\n', 'ü', '😀', 'Lorem ipsum dolor sit amet. ', '0000']

/** Characters on each side that tell whether a word goes on. */
const AROUND = 8

/** A text out of what the check is for and what it is not for, in pieces. */
const anyPieces = ({ passes = [], fails = [] }: CheckSample): fc.Arbitrary<string[]> =>
  fc.array(fc.constantFrom(...FILLERS, ...passes, ...fails, ...fails), { maxLength: 8 })

/** A part of it from one place to another: of its pieces, or of its characters. */
const anyCut = fc.record({ byPieces: fc.boolean(), one: fc.nat(), other: fc.nat() })

const cutOf = (
  pieces: readonly string[],
  { byPieces, one, other }: { byPieces: boolean; one: number; other: number },
) => {
  const length = byPieces ? pieces.length : pieces.join('').length
  const ends = [one % (length + 1), other % (length + 1)].sort((a, b) => a - b)
  const [start = 0, end = 0] = byPieces ? ends.map((count) => pieces.slice(0, count).join('').length) : ends
  return { start, end }
}

/**
 * A check with a reach may be shown a text in parts. What it finds in one, it finds in the whole; and what it finds in the whole
 * stands within its reach, so that a part of that length with a little around it has it.
 */
export const checkReach = async (check: Check, sample: CheckSample): Promise<void> => {
  const prepared = prepareWith(check, sample.parameters ?? {})
  const { reach } = prepared
  if (reach === undefined) return
  expect(Number.isSafeInteger(reach) && reach > 0, 'reach is a number of characters').toBe(true)
  const hits = async (text: string, start: number, end: number): Promise<boolean> => {
    const seen = text.slice(start, end)
    const part = { hasBefore: start > 0, hasAfter: end < text.length }
    return isHit(await verdictOf(check, prepared, [seen], part), [seen])
  }
  const hitsWhole = async (text: string): Promise<boolean> => isHit(await verdictOf(check, prepared, [text]), [text])
  await fc.assert(
    fc.asyncProperty(anyPieces(sample), anyCut, async (pieces, cut) => {
      const text = pieces.join('')
      const { start, end } = cutOf(pieces, cut)
      if (await hitsWhole(text)) return
      expect(await hits(text, start, end), `found in [${start}, ${end}) of a text that passes`).toBe(false)
    }),
    { numRuns: 1_000 },
  )
  await fc.assert(
    fc.asyncProperty(anyPieces(sample), async (pieces) => {
      const text = pieces.join('')
      if (text.length <= reach + 2 * AROUND || !(await hitsWhole(text))) return
      for (let at = 0; at + reach <= text.length; at++) {
        if (await hits(text, Math.max(0, at - AROUND), Math.min(at + reach + AROUND, text.length))) return
      }
      throw new Error(`found in the whole, and in no part of ${reach} characters`)
    }),
    // Each looks at every part.
    { numRuns: 60 },
  )
}
