import { isRecord, parseJson } from '#kit'

type Fields = Readonly<Record<string, unknown>>

/**
 * What a call of a tool carries for its provider (`extra_content`) travels as the thought signature of its part: clients of Gemini send
 * it back as it came (page "Thought signatures", read 2026-11-22), and so the thinking of other providers stays alive over
 * several turns. It is bytes, in Base64.
 */
export const toSignature = (extra: unknown): string | undefined => {
  if (!isRecord(extra) || Object.keys(extra).length === 0) return undefined
  const { google } = extra
  const own = isRecord(google) ? google.thought_signature : undefined
  // Google's own, which came by way of another host.
  if (typeof own === 'string' && Object.keys(extra).length === 1) return own
  return Buffer.from(JSON.stringify({ [MARK]: extra })).toString('base64')
}

/** What was carried. A signature of Google's own goes back in the place that Google has for it in a chat: some host made it. */
export const fromSignature = (signature: unknown): Fields | undefined => {
  if (typeof signature !== 'string' || signature === '') return undefined
  const text = Buffer.from(signature, 'base64').toString()
  if (!text.startsWith(`{"${MARK}":`)) return { google: { thought_signature: signature } }
  try {
    const carried: unknown = parseJson(text)
    const extra = isRecord(carried) ? carried[MARK] : undefined
    return isRecord(extra) ? extra : undefined
  } catch {
    return undefined
  }
}

const MARK = 'extra_content'
