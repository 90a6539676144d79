/** Longer ones are no page of ours. */
const MAX_LENGTH = 2_048

/** Nothing that an address is made of: blanks, control characters, and the slash that browsers take for the other one. */
const NO_PART_OF_A_PATH = /[\p{C}\s\\]/u

/** A slash or backslash, as it stands or written in a way that something on the way may undo. */
const HIDDEN_SLASHES = /^(?:\/|%2f|%5c|%25)/i

const NOWHERE = 'http://gateway.invalid'

/**
 * The page to go on to after a sign-in: a path of this gateway, with its query and fragment. Addresses of others, in whatever
 * dress, would make its sign-in lead people to them.
 * @returns undefined for anything else
 */
export const ownPath = (text: string, basePath: string): string | undefined => {
  if (text.length > MAX_LENGTH || !text.startsWith('/') || NO_PART_OF_A_PATH.test(text)) return undefined
  if (!URL.canParse(text, NOWHERE)) return undefined
  const { origin, pathname, search, hash } = new URL(text, NOWHERE)
  // After dots are resolved: `/.//evil.example` is `//evil.example`.
  const isOurs = pathname === basePath || pathname.startsWith(`${basePath}/`)
  if (origin !== NOWHERE || !isOurs || HIDDEN_SLASHES.test(pathname.slice(1))) return undefined
  return `${pathname}${search}${hash}`
}
