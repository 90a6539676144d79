import type { Cut } from './cuts.ts'
import { byteClass, nextRun } from './runs.ts'

const NUMBERS = byteClass('0123456789+-.eE, \t\r\n')

/** Shorter lists are no vectors. Characters. */
const LEAST_CHARACTERS = 512

const [OPEN, CLOSE, COMMA] = [0x5b, 0x5d, 0x2c]

/** Finds the vectors of embeddings, lists of nothing but numbers; how many those were stands for each. */
export const vectorCuts = (body: Uint8Array, maxBytes: number): readonly Cut[] => {
  const cuts: Cut[] = []
  let removed = 0
  let run = nextRun(body, NUMBERS, LEAST_CHARACTERS, 0)
  while (run !== undefined && run.start - removed <= maxBytes) {
    const { start, end } = run
    // One that has no end was cut off.
    if (body[start - 1] === OPEN && (body[end] === CLOSE || end === body.length)) {
      const text = `"${countNumbers(body.subarray(start, end))} numbers"`
      removed += end - start - text.length
      cuts.push({ start, end, text })
    }
    run = nextRun(body, NUMBERS, LEAST_CHARACTERS, end)
  }
  return cuts
}

const countNumbers = (list: Uint8Array): number => {
  let commas = 0
  for (const byte of list) if (byte === COMMA) commas++
  return commas + 1
}
