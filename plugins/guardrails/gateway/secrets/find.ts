import { fold } from '../text/fold.ts'
import { type Hit, inOrder } from '../text/hits.ts'
import { isNamedSecret, MAX_NAMED, NAME_AHEAD } from './named.ts'
import { findPrivateKeys, findUrlPasswords } from './passwords.ts'
import { eachRun } from './runs.ts'
import { AZURE, AZURE_MARKS, SHAPES, type Shape } from './shapes.ts'

/** All that secrets are called by. What has the form of a service counts before what only has a name. */
export const SECRET_CATEGORIES: readonly string[] = [
  ...new Set([...SHAPES, AZURE].map(({ category }) => category)),
  'PRIVATE_KEY',
  'URL_PASSWORD',
  'SECRET',
]

/**
 * Characters that are enough to know a secret by, with the name ahead of it. What follows makes it longer and not another thing:
 * in a stream, a hit that has begun grows until it is over.
 */
export const SECRET_REACH = NAME_AHEAD + MAX_NAMED

/** Shapes by the three characters that they begin with, in their order. */
const byBeginning = new Map<string, Shape[]>()
for (const shape of SHAPES) {
  for (const beginning of new Set(shape.prefixes.map((prefix) => prefix.slice(0, 3)))) {
    byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), shape])
  }
}

/** Finds keys, tokens, private keys and passwords of addresses. In the order of the text, none over another. */
export const findSecrets = (text: string): Hit[] => {
  const folded = fold(text)
  const hits = [...findRuns(folded.text), ...findPrivateKeys(folded.text), ...findUrlPasswords(folded.text)]
  if (hits.length === 0) return hits
  return inOrder(
    hits.map((hit) => ({ ...hit, start: folded.at(hit.start), end: folded.at(hit.end) })),
    SECRET_CATEGORIES,
  )
}

const findRuns = (text: string): Hit[] => {
  const hits: Hit[] = []
  eachRun(text, (start, end) => {
    const before = hits.length
    for (let index = start; index < end; ) {
      const hit = isBoundary(text, index) ? knownAt(text, index) : undefined
      if (hit !== undefined) hits.push(hit)
      index = hit?.end ?? index + 1
    }
    if (hits.length > before || !isNamedSecret(text, start, end)) return
    // Base64 may end with these, which stand in no run.
    const padding = /^={1,2}/.exec(text.slice(end, end + 2))?.[0].length ?? 0
    hits.push({ start, end: end + padding, category: 'SECRET' })
  })
  return hits
}

/** A key does not begin in the midst of a word, but behind an escaped line end of JSON: `\nsk-…`. */
const isBoundary = (text: string, index: number): boolean =>
  !isAlphanumeric(text.charCodeAt(index - 1)) || (text[index - 2] === '\\' && /[nrt]/.test(text[index - 1] ?? ''))

const isAlphanumeric = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)

const knownAt = (text: string, index: number): Hit | undefined => {
  for (const shape of byBeginning.get(text.slice(index, index + 3)) ?? []) {
    const hit = fits(shape, text, index)
    if (hit !== undefined) return hit
  }
  const isMarked = AZURE_MARKS.some(({ mark, behind }) => text.startsWith(mark, index + behind))
  return isMarked ? fits(AZURE, text, index) : undefined
}

const fits = ({ category, pattern }: Shape, text: string, index: number): Hit | undefined => {
  pattern.lastIndex = index
  return pattern.test(text) ? { start: index, end: pattern.lastIndex, category } : undefined
}
