/** Says in which language a text is: ISO 639-1, or undefined for one that is too short or mixed to tell. */
export type LanguageDetector = (text: string) => string | undefined

/** Characters of one sample: the detector reads no more than 350 bytes. */
const SAMPLE = 360

/** A longer text is looked at in three places. */
const LONG = 3 * SAMPLE

let loading: Promise<LanguageDetector> | undefined
let loaded: LanguageDetector | undefined

/** The detector, or a promise for it. Its data take some 40 MB of memory, so that it is loaded when a first check needs it. */
export const languageDetector = (): LanguageDetector | Promise<LanguageDetector> => {
  loading ??= load()
  return loaded ?? loading
}

const load = async (): Promise<LanguageDetector> => {
  const { eld } = await import('eld/extrasmall')
  // Addresses, links and numbers are of no language.
  eld.enableTextCleanup(true)
  const detectSample = (sample: string): string | undefined => {
    const result = eld.detect(sample)
    return result.isReliable() ? result.language : undefined
  }
  loaded = (text) => {
    const prose = withoutCode(text)
    if (prose.length <= LONG) return detectSample(prose)
    const middle = (prose.length - SAMPLE) >> 1
    const [first, second, third] = [0, middle, prose.length - SAMPLE].map((start) =>
      detectSample(sampleAt(prose, start)),
    )
    // What two of them say; else what the beginning does, if anything.
    return second !== undefined && second === third ? second : (first ?? second ?? third)
  }
  return loaded
}

/** From the next word on. */
const sampleAt = (text: string, start: number): string => {
  if (start === 0) return text.slice(0, SAMPLE)
  const blank = text.slice(start, start + 40).search(/\s/)
  return text.slice(blank === -1 ? start : start + blank, start + SAMPLE)
}

/** Without what stands between fences: code is of no language. */
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
