import { isRecord } from '#kit'
import type { Fields } from './partner.ts'

/** What is scored, by the parameters that switch it on, and where its score stands: group and name. */
export const SCORED = {
  prompt_injection: ['exploits', 'prompt_injection'],
  jail_break: ['exploits', 'jailbreak'],
  malicious_url: ['exploits', 'malicious_url'],
  toxic: ['malcontents', 'toxic'],
  biased: ['malcontents', 'biased'],
  harmful: ['malcontents', 'harmful'],
} as const

export const LANGUAGES = ['english', 'chinese', 'spanish', 'french', 'german', 'japanese', 'gibberish'] as const

/** Detectors of the group `PIIs`. */
export const PII_CATEGORIES = [
  'aba_routing_number',
  'address',
  'bank_account',
  'bitcoin_wallet',
  'credit_card',
  'driver_license',
  'email_address',
  'itin_number',
  'location',
  'medical_license',
  'money_amount',
  'passport_number',
  'person',
  'phone_number',
  'ssn',
] as const

/** Detectors of the group `Secrets` that the interface names. */
export const SECRET_CATEGORIES = [
  'credentials',
  'aws_secret_key',
  'github',
  'openai',
  'stripe',
  'jwt',
  'private_key',
] as const

/** What is refused in a text, and what of it is masked. */
export interface AcuvityRules {
  /** Groups, names, and the scores from which on they are refused. */
  readonly scored: readonly (readonly [group: string, name: string, threshold: number])[]
  /** Another one is refused, where the language is known. */
  readonly language: string | undefined
  /** Groups, names, and whether they are masked instead. */
  readonly found: readonly (readonly [group: string, name: string, isMasked: boolean])[]
}

/** From here on a language is the text's own. */
const LANGUAGE_SCORE = 0.5

const group = (extraction: Fields, name: string): Fields => {
  const scores = extraction[name]
  return isRecord(scores) ? scores : {}
}

const scoreOf = (extraction: Fields, of: string, name: string): number => {
  const score = group(extraction, of)[name]
  return typeof score === 'number' ? score : 0
}

/** Whether a text is refused by the scores of its extraction, and whether it has parts that are masked. */
export const judge = (
  extraction: Fields,
  { scored, language, found }: AcuvityRules,
): { readonly isRefused: boolean; readonly isMasked: boolean } => {
  const hits = found.filter(([of, name]) => scoreOf(extraction, of, name) > 0)
  const isForeign =
    language !== undefined &&
    Object.keys(group(extraction, 'languages')).length > 0 &&
    scoreOf(extraction, 'languages', language) < LANGUAGE_SCORE
  return {
    isRefused:
      isForeign ||
      hits.some(([, , isMasked]) => !isMasked) ||
      scored.some(([of, name, threshold]) => {
        const score = scoreOf(extraction, of, name)
        // What is not found has no score: a threshold of 0 refuses all that is found, not all.
        return score > 0 && score >= threshold
      }),
    isMasked: hits.some(([, , isMasked]) => isMasked),
  }
}
