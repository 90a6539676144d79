import type { Hit } from '../text/hits.ts'

/** RFC 5321, section 4.5.3.1. */
const MAX_LOCAL = 64
/** Fewer than that document allows: a longer one is nobody’s, and a stream is held back by as much. */
const MAX_DOMAIN = 120

/** Characters of the longest hit. */
export const EMAIL_REACH = MAX_LOCAL + 1 + MAX_DOMAIN

/** Letters of scripts that put no blanks between words: there an address cannot be told from what stands beside it. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/v
const LETTER = /[\p{L}\p{M}\p{N}]/u

/** `logo@2x.png`: a picture for fine screens. */
const PICTURE = /^\dx\./

/** Finds e-mail addresses, of letters of any script that has blanks between words. */
export const findEmails = (text: string): Hit<'EMAIL_ADDRESS'>[] => {
  const hits: Hit<'EMAIL_ADDRESS'>[] = []
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let start = at
    while (start > 0 && at - start < MAX_LOCAL && isLocal(text, start - 1)) start--
    while (start < at && text[start] === '.') start++
    if (start === at) continue
    const end = endOfDomain(text, at + 1)
    if (end !== undefined) hits.push({ start, end, category: 'EMAIL_ADDRESS' })
  }
  return hits
}

/** Characters of a local part without quotes (RFC 5322), but those that stand around addresses: `'a@b.de'`, `/a@b.de`, `=a@b.de`. */
const isLocal = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index)
  return code < 128 ? isAlphanumeric(code) || LOCAL_MARKS.includes(text[index] ?? '') : isLetter(text[index] ?? '')
}

const LOCAL_MARKS = '.!#$%&*+-^_~'

const isAlphanumeric = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)

const isLetter = (character: string): boolean => LETTER.test(character) && !UNSPACED.test(character)

/** @returns where a domain ends that begins here: labels with points between, the last one of letters */
const endOfDomain = (text: string, start: number): number | undefined => {
  let end = start
  while (end < text.length && end - start < MAX_DOMAIN && isDomain(text, end)) end++
  const labels = text.slice(start, end).split('.')
  // A point or dash behind the address belongs to the sentence.
  while (labels.length > 0 && !/[\p{L}\p{N}]$/u.test(labels.at(-1) ?? '')) {
    const last = (labels.pop() ?? '').replace(/-+$/, '')
    if (last !== '') labels.push(last)
  }
  const top = labels.at(-1) ?? ''
  if (labels.length < 2 || !/^(?:xn--[a-z\d-]+|[\p{L}\p{M}]{2,63})$/iu.test(top)) return undefined
  if (labels.some((label) => label === '' || label.length > 63 || label.startsWith('-'))) return undefined
  const domain = labels.join('.')
  return PICTURE.test(domain) ? undefined : start + domain.length
}

const isDomain = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index)
  return code < 128 ? isAlphanumeric(code) || code === 45 || code === 46 : isLetter(text[index] ?? '')
}
