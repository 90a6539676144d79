import { type Check, type CheckInput, defineCheck, InvalidParameters, type PreparedCheck, t } from '#kit'
import { asOne, excerpt } from '../shared/excerpt.ts'
import { NOT, turned } from '../shared/parameters.ts'

interface Counting {
  /** Of the thing that is counted, as parameters and data name it: `Words`. */
  readonly plural: 'Sentences' | 'Words' | 'Characters'
  readonly id: 'sentenceCount' | 'wordCount' | 'characterCount'
  /** The most where parameters do not say. */
  readonly most: number
  readonly isRefusedEmpty: boolean
  count(text: string): number
}

const ofCount = ({ plural, id, most, isRefusedEmpty, count }: Counting): Check => {
  const [least, greatest] = [`min${plural}`, `max${plural}`] as const
  const things = plural.toLowerCase()
  return defineCheck({
    id: `default.${id}`,
    summary: `Passes when the texts together have as many ${things} as they should.`,
    parameters: t.Object({
      [least]: t.Integer({ minimum: 0, default: 0 }),
      [greatest]: t.Integer({ minimum: 0, default: most }),
      not: NOT,
    }),
    stages: ['input', 'output'],
    prepare(parameters): PreparedCheck {
      const [min, max, not] = [Number(parameters[least]), Number(parameters[greatest]), parameters.not === true]
      if (min > max) throw new InvalidParameters([{ path: least, message: `must be at most ${greatest}: ${max}` }])
      return {
        run(input: CheckInput) {
          const text = asOne(input)
          if (isRefusedEmpty && text.trim() === '') throw new Error('there is no text to look at')
          const counted = count(text)
          const isWithin = counted >= min && counted <= max
          const verdict = turned(isWithin, not)
          return {
            verdict,
            data: {
              verdict,
              not,
              [id]: counted,
              [least]: min,
              [greatest]: max,
              explanation: `There are ${counted} ${things}, ${isWithin ? 'within' : 'outside'} ${min} to ${max}.`,
              textExcerpt: excerpt(text),
            },
          }
        },
      }
    },
  })
}

/** Stretches of other characters between those that `isMark` knows. */
const countStretches = (text: string, isBlank: (code: number) => boolean): number => {
  let stretches = 0
  let wasBlank = true
  for (let at = 0; at < text.length; at++) {
    const blank = isBlank(text.charCodeAt(at))
    if (wasBlank && !blank) stretches++
    wasBlank = blank
  }
  return stretches
}

/** As `\s`. */
const isBlank = (code: number): boolean =>
  code <= 32 ? code === 32 || (code >= 9 && code <= 13) : code >= 160 && /\s/.test(String.fromCharCode(code))

const countEnds = (text: string): number => {
  let ends = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // . ! ?
    if (code === 46 || code === 33 || code === 63) ends++
  }
  return ends
}

export const sentenceCount = ofCount({
  id: 'sentenceCount',
  plural: 'Sentences',
  most: 99_999,
  isRefusedEmpty: false,
  count: countEnds,
})

export const wordCount = ofCount({
  id: 'wordCount',
  plural: 'Words',
  most: 99_999,
  isRefusedEmpty: true,
  count: (text) => countStretches(text, isBlank),
})

/** Counts UTF-16 units, as `length` does. */
export const characterCount = ofCount({
  id: 'characterCount',
  plural: 'Characters',
  most: 9_999_999,
  isRefusedEmpty: false,
  count: ({ length }) => length,
})
