/** Beginning of the keys that Weir makes. */
export const KEY_PREFIX = 'weir_'

/** Letters and digits of the part of a key that finds it, and is no secret. */
export const PUBLIC_ID_LENGTH = 12

/** Letters and digits of the secret part: the fewest of base62 that hold 256 bits. */
export const SECRET_LENGTH = 43

const WHOLE_KEY = /^weir_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/
const ANY_KEY = /weir_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}/

/** What every access token of ours begins with, and hardly a token of anybody else: `{"alg":"HS256","typ":"at+jwt",`. */
export const ACCESS_TOKEN_BEGINNING = Buffer.from('{"alg":"HS256","typ":"at+jwt",').toString('base64url')
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** The prefix of a key in Base64, as it looks behind any number of other bytes: one text for each remainder of 3. */
const ENCODED_PREFIXES = ['d2Vpcl', 'dlaXJf', '3ZWlyX'] as const

/** Deeper encodings than this are not looked through. */
const MAX_PERCENT_ROUNDS = 3

/** Whether a text is an API key or an access token of Weir's making, by its form alone. */
export const isKey = (text: string): boolean =>
  WHOLE_KEY.test(text) || (text.startsWith(ACCESS_TOKEN_BEGINNING) && TOKEN.test(text))

/** Whether a text is an API key of Weir's making. */
export const isApiKey = (text: string): boolean => WHOLE_KEY.test(text)

/**
 * Whether a text holds a key of Weir's making anywhere, also in Base64, as in `Basic` credentials. Only searches for fixed
 * texts where it does not.
 */
export const holdsKey = (text: string): boolean => {
  if (text.includes(KEY_PREFIX) && ANY_KEY.test(text)) return true
  if (text.includes(ACCESS_TOKEN_BEGINNING)) return true
  for (const prefix of ENCODED_PREFIXES) {
    if (text.includes(prefix)) return holdsEncoded(text, (decoded) => ANY_KEY.test(decoded))
  }
  return false
}

/** Whether a text holds Base64, of either alphabet and long enough for a key of 32 characters, of something that fits. */
export const holdsEncoded = (text: string, fits: (decoded: string) => boolean): boolean => {
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{43,}/g)) {
    // What stands in front of it may be of the same letters, so it can begin anywhere.
    for (let start = 0; start < 4; start++) {
      if (fits(Buffer.from(run.slice(start), 'base64').toString('latin1'))) return true
    }
  }
  return false
}

/** Decodes a path or a query as a server does, and those behind it that decode again. */
export const percentDecoded = (text: string): string => {
  let decoded = text
  for (let round = 0; round < MAX_PERCENT_ROUNDS && decoded.includes('%'); round++) {
    decoded = decoded.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
  }
  return decoded
}
