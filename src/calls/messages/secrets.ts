import { placeIn, textIn } from '../../core/bodies/bytes.ts'
import { KEY_FORMS } from '../../errors/log-words.ts'
import type { Cut } from './cuts.ts'
import { withCuts } from './cuts.ts'
import { byteClass, LETTERS_AND_DIGITS, nextRun } from './runs.ts'

/** Shorter texts are no keys of the known forms. Characters. */
const LEAST_CHARACTERS = 16

/** All that keys of these forms are made of. */
const WORD = byteClass(`${LETTERS_AND_DIGITS}_.-`)

/** What is shown of a credential: its first two and last three characters, nothing of one under 16. */
export const masked = (secret: string): string =>
  secret.length < LEAST_CHARACTERS ? '*****' : `${secret.slice(0, 2)}*****${secret.slice(-3)}`

/** A text of a body without these secrets, wherever they stand, and without what has the form of a key. */
export const withoutSecrets = (body: Uint8Array, secrets: readonly string[]): Uint8Array => {
  let kept = body
  for (const secret of secrets) {
    const first = placeIn(kept, secret)
    // Nearly always there is none.
    if (first !== -1) kept = withCuts(kept, cutsOf(kept, secret, first))
  }
  return withCuts(kept, keyCuts(kept))
}

const cutsOf = (body: Uint8Array, secret: string, first: number): readonly Cut[] => {
  const cuts: Cut[] = []
  for (let start = first; start !== -1; start = placeIn(body, secret, start + secret.length)) {
    cuts.push({ start, end: start + Buffer.byteLength(secret), text: masked(secret) })
  }
  return cuts
}

const keyCuts = (body: Uint8Array): readonly Cut[] => {
  const cuts: Cut[] = []
  let run = nextRun(body, WORD, LEAST_CHARACTERS, 0)
  while (run !== undefined) {
    const { start, end } = run
    const word = textIn(body, 'latin1', start, end)
    const hidden = KEY_FORMS.reduce((text, form) => text.replace(form, masked), word)
    if (hidden !== word) cuts.push({ start, end, text: hidden })
    run = nextRun(body, WORD, LEAST_CHARACTERS, end)
  }
  return cuts
}
