import { expect } from 'bun:test'
import fc from 'fast-check'
import type { Check } from '../check.ts'
import { isHit, prepareWith, verdictOf } from './check-input.ts'
import type { CheckSample } from './conform-check.ts'

const FILLERS = [' ', 'a', 'word ', '. ', '1', '-', '\n', 'ü', '😀', 'Lorem ipsum dolor sit amet. ', '0000']
const RUNS = 40

/** A text out of what the check is for and what it is not for. */
const anyText = ({ passes = [], fails = [] }: CheckSample): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...FILLERS, ...passes, ...fails), { maxLength: 8 }).map((pieces) => pieces.join(''))

/**
 * A check with a reach may be shown a text in parts. What it finds in one, it finds in the whole; and what it finds in the whole
 * stands within its reach, so that a part of that length with a character around it has it.
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
  await fc.assert(
    fc.asyncProperty(anyText(sample), fc.nat(), fc.nat(), async (text, one, other) => {
      const whole = isHit(await verdictOf(check, prepared, [text]), [text])
      const [start = 0, end = 0] = [one % (text.length + 1), other % (text.length + 1)].sort((a, b) => a - b)
      if (!whole) expect(await hits(text, start, end), `found in [${start}, ${end}) of a text that passes`).toBe(false)
      if (!whole || text.length <= reach + 2) return
      for (let at = 0; at + reach <= text.length; at++) {
        if (await hits(text, Math.max(0, at - 1), at + reach + 1)) return
      }
      throw new Error(`found in the whole, and in no part of ${reach} characters`)
    }),
    { numRuns: RUNS },
  )
}
