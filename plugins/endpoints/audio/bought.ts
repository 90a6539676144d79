import { isRecord, type Usage } from '#kit'

type Fields = Readonly<Record<string, unknown>>
type Bought = Pick<Usage, 'units'>

/** Text that was said: providers count its characters as code points. */
export const charactersSaid = ({ input }: Fields): Bought | undefined => {
  if (typeof input !== 'string') return undefined
  let characters = 0
  for (const _ of input) characters++
  return { units: { character: characters } }
}

/**
 * Sound that was heard, as far as the answer says: `usage.seconds` of the type `duration`, or `duration` of a verbose one (types of
 * openai-node 7.55.0, read 2026-11-22).
 */
export const secondsHeard = (_asked: Fields, answer: Fields | undefined): Bought | undefined => {
  const said = isRecord(answer?.usage) ? answer.usage.seconds : undefined
  const seconds = secondsOf(said ?? answer?.duration)
  return seconds === undefined ? undefined : { units: { second: seconds } }
}

/** A day of sound is more than any provider takes. */
const MOST_SECONDS = 86_400

/** `duration` was a text once. */
const secondsOf = (value: unknown): number | undefined => {
  const seconds = typeof value === 'string' ? Number.parseFloat(value) : value
  return typeof seconds === 'number' && seconds > 0 && seconds <= MOST_SECONDS ? seconds : undefined
}
