/** Characters of a text of somebody else that one line of a log holds. */
const MAX_CHARACTERS = 200

/** What keys look like by themselves: the prefixes of providers, clouds and code hosts, and Weir's own; made of `\w`, `.` and `-`. */
export const KEY_FORMS: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|csk|fw|cfut|xai|hf|r8|nvapi|pplx|tgp|ghp|gho|github_pat|glpat|weir)[-_][\w-]{8,}/gi,
  /\b(?:AIza|ya29\.|AKIA|ASIA|eyJ)[\w.-]{12,}/g,
]

/** What credentials look like, whoever made them. No part of an expression can be read in two ways, so none goes back far. */
const SECRETS: readonly RegExp[] = [
  // A scheme of `Authorization`, and what follows it.
  /\b(?:bearer|basic)\s+[^\s"',;]+/gi,
  ...KEY_FORMS,
  // `api_key=…`, `"password": "…"` and their like.
  /\b(?:api[-_]?key|access[-_]?token|secret|password|token|key)["']?\s?[=:]\s?["']?[^\s"',;&]{8,}/gi,
  // Anything as long as a key, in hex or Base64.
  /\b[A-Za-z0-9+/]{40,}={0,2}/g,
]

/**
 * Words of a provider as a log may hold them: without what looks like a credential, and not longer than 200 characters. They
 * may repeat the request, whose content is none of the log's business.
 */
export const logWords = (text: string): string => {
  // Masking makes it shorter, so that a bit more is looked at; the rest is never seen.
  const masked = SECRETS.reduce(
    (words, secret) => words.replace(secret, '[redacted]'),
    text.slice(0, 4 * MAX_CHARACTERS),
  )
  return masked.length <= MAX_CHARACTERS ? masked : `${masked.slice(0, MAX_CHARACTERS - 1)}…`
}
