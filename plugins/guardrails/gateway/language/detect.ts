import { samplesOf } from '../text/samples.ts'

/** What the statistics of 60 languages say of a short text: its first 350 bytes. */
export interface Guess {
  /** ISO 639-1; empty where no language has any of it. */
  readonly language: string
  /** From 0 to 1, how usual its groups of letters are there. A sentence has some 0.75. */
  readonly score: number
  readonly isReliable: boolean
}

export type Guesser = (text: string) => Guess

let loading: Promise<Guesser> | undefined
let loaded: Guesser | undefined

/** What guesses, or a promise for it. Its data take some 50 MB of memory, so that they are loaded when a first check needs them. */
export const guesser = (): Guesser | Promise<Guesser> => {
  loading ??= load()
  return loaded ?? loading
}

const load = async (): Promise<Guesser> => {
  const { eld } = await import('eld/small')
  // Addresses, links and numbers are of no language.
  eld.enableTextCleanup(true)
  loaded = (text) => {
    const result = eld.detect(text)
    return {
      language: result.language,
      get score() {
        return result.getScores()[result.language] ?? 0
      },
      get isReliable() {
        return result.isReliable()
      },
    }
  }
  return loaded
}

/** In which language a text is: ISO 639-1, or undefined for one that is too short or mixed to tell. */
export const languageOf = (text: string, guess: Guesser): string | undefined => {
  const [first, second, third] = samplesOf(text).map((sample) => {
    const { language, isReliable } = guess(sample)
    return isReliable ? language : undefined
  })
  // What two of three places say; else what the beginning does, if anything.
  return second !== undefined && second === third ? second : (first ?? second ?? third)
}
