import type { Hit } from '../text/hits.ts'
import { MAX_SECRET } from './shapes.ts'

/** Characters before the words `PRIVATE KEY`, at most: `-----BEGIN ENCRYPTED `. */
const MAX_LABEL = 40

/** Finds private keys (RFC 7468, OpenPGP): from the line of the beginning to that of the end, or as far as it may be away. */
export const findPrivateKeys = (text: string): Hit[] => {
  const hits: Hit[] = []
  for (let at = text.indexOf('PRIVATE KEY'); at !== -1; ) {
    const label = /-----BEGIN [A-Z ]{0,25}$/.exec(text.slice(Math.max(0, at - MAX_LABEL), at))
    let next = at + 1
    if (label !== null && /^PRIVATE KEY(?: BLOCK)?-----/.test(text.slice(at, at + 24))) {
      const start = at - label[0].length
      const ending = /-----END [A-Z ]{0,25}PRIVATE KEY(?: BLOCK)?-----/.exec(text.slice(at, start + MAX_SECRET))
      next = ending === null ? Math.min(text.length, start + MAX_SECRET) : at + ending.index + ending[0].length
      hits.push({ start, end: next, category: 'PRIVATE_KEY' })
    }
    at = text.indexOf('PRIVATE KEY', next)
  }
  return hits
}

const URL_PASSWORD = /:\/\/[^\s:@/"'`<>]{0,64}:([^\s@/"'`<>]{3,100})@[\w.-]/y

/** What stands for a password: `$PASSWORD`, `{password}`, `***`. */
const STAND_IN = /^[$%{[*(]|^(?:password|pass|pwd|secret|x+)$/i

/** Finds passwords in addresses: `postgres://user:password@host`. */
export const findUrlPasswords = (text: string): Hit[] => {
  const hits: Hit[] = []
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    URL_PASSWORD.lastIndex = at
    const password = URL_PASSWORD.exec(text)?.[1]
    if (password === undefined || STAND_IN.test(password)) continue
    const start = text.indexOf(':', at + 3) + 1
    hits.push({ start, end: start + password.length, category: 'URL_PASSWORD' })
  }
  return hits
}
