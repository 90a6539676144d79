import type { HeaderFields } from '#kit'

const TEXT =
  /^(?:text\/|application\/(?:(?:[\w.+-]+\+)?(?:json|xml)|x-ndjson|jsonl|x-www-form-urlencoded|javascript|yaml|x-yaml)\b)/i

/**
 * Content type of a body that is no text, as a note says it.
 * @param otherwise what a body without a type is
 * @returns undefined for text
 */
export const typeOfBytes = (headers: Pick<HeaderFields, 'get'>, otherwise: 'text' | 'bytes'): string | undefined => {
  const named = headers.get('content-type') ?? ''
  const coding = headers.get('content-encoding') ?? 'identity'
  // What nearly all bodies are.
  if (named === 'application/json' && coding === 'identity') return undefined
  const [type = ''] = named.split(';', 1)
  if (coding !== 'identity') return `${type.trim() || OCTETS}; ${coding}`
  if (type === '') return otherwise === 'text' ? undefined : OCTETS
  return TEXT.test(type.trim()) ? undefined : type.trim().toLowerCase()
}

const OCTETS = 'application/octet-stream'
