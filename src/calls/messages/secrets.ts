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
  const view = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  let kept = view
  for (const secret of secrets) {
    // Nearly always there is none.
    if (kept.includes(secret)) kept = withCuts(kept, cutsOf(kept, secret))
  }
  const clean = withCuts(kept, keyCuts(kept))
  return clean === view ? body : clean
}

const cutsOf = (bytes: Buffer, secret: string): readonly Cut[] => {
  const cuts: Cut[] = []
  for (let start = bytes.indexOf(secret); start !== -1; start = bytes.indexOf(secret, start + secret.length)) {
    cuts.push({ start, end: start + Buffer.byteLength(secret), text: masked(secret) })
  }
  return cuts
}

const keyCuts = (body: Uint8Array): readonly Cut[] => {
  const cuts: Cut[] = []
  let run = nextRun(body, WORD, LEAST_CHARACTERS, 0)
  while (run !== undefined) {
    const { start, end } = run
    const word = Buffer.from(body.buffer, body.byteOffset + start, end - start).toString('latin1')
    const hidden = KEY_FORMS.reduce((text, form) => text.replace(form, masked), word)
    if (hidden !== word) cuts.push({ start, end, text: hidden })
    run = nextRun(body, WORD, LEAST_CHARACTERS, end)
  }
  return cuts
}
