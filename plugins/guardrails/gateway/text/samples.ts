/** Characters of one sample: what tells a language looks at no more than 350 bytes. */
const SAMPLE = 360

/** The longest text that is looked at as one. */
const LONG = 3 * SAMPLE

/** The places of a text that say what it is: all of it, or its beginning, middle and end. Code between fences is left out. */
export const samplesOf = (text: string): readonly string[] => {
  const prose = withoutCode(text)
  if (prose.length <= LONG) return [prose]
  return [0, (prose.length - SAMPLE) >> 1, prose.length - SAMPLE].map((start) => sampleAt(prose, start))
}

/** From the next word on. */
const sampleAt = (text: string, start: number): string => {
  if (start === 0) return text.slice(0, SAMPLE)
  const blank = text.slice(start, start + 40).search(/\s/)
  return text.slice(blank === -1 ? start : start + blank, start + SAMPLE)
}

const withoutCode = (text: string): string => {
  let prose = ''
  let from = 0
  for (let open = text.indexOf('```'); open !== -1; open = text.indexOf('```', from)) {
    prose += text.slice(from, open)
    const close = text.indexOf('```', open + 3)
    if (close === -1) return prose
    from = close + 3
  }
  return prose + text.slice(from)
}
