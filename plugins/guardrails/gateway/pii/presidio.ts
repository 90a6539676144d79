import { type CheckPowers, isRecord } from '#kit'
import type { Hit } from '../text/hits.ts'
import type { ModelCategory } from './categories.ts'

/** A Presidio analyzer, and what it is asked with. */
export interface PresidioSettings {
  readonly url: string
  /** Of the texts: two letters. */
  readonly language: string
  /** From 0 to 1: what it is less sure of does not count. */
  readonly scoreThreshold: number
}

/** Its names for what is looked for: "Supported entities" of its documentation. */
const ENTITIES: Readonly<Record<ModelCategory, string>> = { NAME: 'PERSON', LOCATION_ADDRESS: 'LOCATION' }

/** Bytes of its answer that are read, at most. */
const MAX_BYTES = 8 * 1024 * 1024

/**
 * Asks a Presidio analyzer for names and places: `POST /analyze` of its API description (docs/api-docs/api-docs.yml, 2026).
 * @throws Error for an answer that is none
 */
export const askPresidio = async (
  { url, language, scoreThreshold }: PresidioSettings,
  text: string,
  categories: readonly ModelCategory[],
  powers: CheckPowers,
): Promise<Hit<ModelCategory>[]> => {
  const response = await powers.fetch(`${url}/analyze`, {
    body: {
      text,
      language,
      score_threshold: scoreThreshold,
      entities: categories.map((category) => ENTITIES[category]),
    },
    maxBytes: MAX_BYTES,
  })
  // What it says may repeat the text.
  if (response.status !== 200) throw new Error(`the Presidio analyzer answered with status ${response.status}`)
  const found = response.json()
  if (!Array.isArray(found)) throw new Error('the Presidio analyzer answered with something else than a list')
  const indexOf = codePointIndexes(text)
  return found.flatMap((result) => {
    const hit = isRecord(result) ? result : {}
    const category = categories.find((each) => ENTITIES[each] === hit.entity_type)
    if (category === undefined) return []
    const [start, end] = [indexOf(hit.start), indexOf(hit.end)]
    if (start === undefined || end === undefined || end <= start) {
      throw new Error('the Presidio analyzer answered with a place that is not in the text')
    }
    return [{ start, end, category }]
  })
}

/** Python counts characters, JavaScript their halves: an emoji is one there and two here. */
const codePointIndexes = (text: string): ((count: unknown) => number | undefined) => {
  const isInText = (count: unknown, length: number): count is number =>
    typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= length
  if (!/[\ud800-\udbff]/.test(text)) return (count) => (isInText(count, text.length) ? count : undefined)
  const indexes: number[] = []
  let index = 0
  for (const character of text) {
    indexes.push(index)
    index += character.length
  }
  indexes.push(index)
  return (count) => (isInText(count, indexes.length - 1) ? indexes[count] : undefined)
}
