import type { Redaction } from '../../core/log-settings.ts'
import { beginningOf, withCuts } from './cuts.ts'
import { mediaCuts } from './media.ts'
import { withoutSecrets } from './secrets.ts'
import { vectorCuts } from './vectors.ts'

/** Bytes that are kept of a body. */
export const MAX_BODY_BYTES = 1024 * 1024

/** A secret at the end of what is kept is found as a whole. Bytes. */
const MARGIN = 16 * 1024

/** Bytes of a body, as it comes, that are worth to be held for what is kept of it. */
export const MAX_RAW_BYTES: number = MAX_BODY_BYTES + MARGIN

/** Longest text that a pattern is meant to fit: half of one at the end is not kept. Characters. */
const REDACTION_MARGIN = 512

export interface CleaningOptions {
  /** Texts that must not be kept, wherever they stand. */
  readonly secrets: readonly string[]
  /** It is an answer, which may hold vectors of embeddings. */
  readonly isAnswer: boolean
  readonly redaction?: Redaction | undefined
}

export interface CleanBody {
  readonly body: Uint8Array
  /** There was more of it. */
  readonly isTruncated: boolean
}

/**
 * What may be kept of a text: without images and sound, vectors, secrets, and what the workspace redacts; one mebibyte at most,
 * less with many patterns. The bytes as they are where there is nothing to take out.
 */
export const cleanBody = (bytes: Uint8Array, { secrets, isAnswer, redaction }: CleaningOptions): CleanBody => {
  const most = MAX_BODY_BYTES + MARGIN
  let kept = withCuts(bytes, mediaCuts(bytes, most))
  if (isAnswer) kept = withCuts(kept, vectorCuts(kept, most))
  const beginning = withoutSecrets(beginningOf(kept, most), secrets)
  const isLong = kept.length > most || beginning.length > MAX_BODY_BYTES
  const body = isLong ? beginningOf(beginning, MAX_BODY_BYTES) : beginning
  return redaction === undefined ? { body, isTruncated: isLong } : redacted(body, isLong, redaction)
}

const decoder = new TextDecoder()

const redacted = (bytes: Uint8Array, isTruncated: boolean, { maxCharacters, redact }: Redaction): CleanBody => {
  const text = plainly(decoder.decode(bytes))
  if (text.length <= maxCharacters && !isTruncated) return { body: Buffer.from(redact(text)), isTruncated: false }
  // What stands at the end may be the beginning of what a pattern fits.
  return { body: Buffer.from(redact(text.slice(0, maxCharacters)).slice(0, -REDACTION_MARGIN)), isTruncated: true }
}

/** Patterns are written for texts, not for the escapes of JSON: those of letters and slashes are undone, which changes nothing. */
const plainly = (text: string): string =>
  text.includes('\\')
    ? text.replaceAll(
        /\\(?:u([0-9a-fA-F]{4})|(\/)|[^u])/g,
        (written, code: string | undefined, slash: string | undefined) => {
          if (slash !== undefined) return slash
          if (code === undefined) return written
          const letter = String.fromCharCode(Number.parseInt(code, 16))
          return letter < ' ' || letter === '"' || letter === '\\' ? written : letter
        },
      )
    : text
