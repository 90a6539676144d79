import { defined, isRecord, UpstreamError, type Usage } from '#kit'
import { type AdapterContext, type ImagesReply, type MadeImage, type MediaUsage, usageFromMedia } from '#kit/provider'
import { throwError } from './failure.ts'
import { type Fields, numberOf, textOf, unreadable } from './json.ts'

/** Words of an answer that a filter withheld (FinishReason of @google/genai 2.32.0, read 2026-11-22). */
const FILTERED: ReadonlySet<unknown> = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MODEL_ARMOR',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
])

/** The candidates of an answer of `generateContent`. @throws UpstreamError for the word that it failed */
const candidatesOf = (body: unknown): readonly Fields[] => {
  throwError(body)
  if (!isRecord(body)) throw unreadable('it is no object')
  const { candidates } = body
  return Array.isArray(candidates) ? candidates.filter(isRecord) : []
}

/** A part of an answer that is no text. */
export interface Blob {
  readonly type: string
  /** In Base64. */
  readonly data: string
}

/**
 * What a model made of one kind, without drafts that it only thought of.
 * @param kind what its content types begin with: `image/`
 * @throws UpstreamError, naming the reason, where a filter withheld it; UpstreamInvalid where there is none
 */
export const blobsOf = (body: unknown, kind: string): readonly Blob[] => {
  const candidates = candidatesOf(body)
  const blobs = candidates.flatMap(({ content }) => {
    const parts: readonly unknown[] = isRecord(content) && Array.isArray(content.parts) ? content.parts : []
    return parts.flatMap((part): readonly Blob[] => {
      const inline = isRecord(part) && part.thought !== true && isRecord(part.inlineData) ? part.inlineData : {}
      const { mimeType: type, data } = inline
      return typeof type === 'string' && type.startsWith(kind) && typeof data === 'string' && data !== ''
        ? [{ type, data }]
        : []
    })
  })
  if (blobs.length > 0) return blobs
  const feedback = isRecord(body) && isRecord(body.promptFeedback) ? body.promptFeedback : {}
  const blocked = textOf(feedback.blockReason)
  const [stopped] = candidates.filter(({ finishReason }) => FILTERED.has(finishReason))
  const reason = blocked ?? textOf(stopped?.finishReason)
  if (reason === undefined) throw unreadable(`it holds nothing of the type ${kind}*`)
  const said = textOf(feedback.blockReasonMessage) ?? textOf(stopped?.finishMessage)
  throw new UpstreamError(said ?? `The answer was withheld by a filter of Google: ${reason}.`, {
    provider: 'google',
    status: 400,
    type: 'invalid_request_error',
    wireCode: 'moderation_blocked',
  })
}

/** Tokens of one modality in a list of them: `[{modality: 'IMAGE', tokenCount: 1290}]`. */
const tokensIn = (details: readonly unknown[], modality: string): number =>
  details
    .filter(isRecord)
    .filter((each) => each.modality === modality)
    .reduce((sum, { tokenCount }) => sum + (numberOf(tokenCount) ?? 0), 0)

/** Nothing where Google does not say it. */
const details = (of: unknown): Readonly<Record<string, number>> | undefined =>
  Array.isArray(of) ? { text_tokens: tokensIn(of, 'TEXT'), image_tokens: tokensIn(of, 'IMAGE') } : undefined

const countedIn = (body: unknown): Fields | undefined =>
  isRecord(body) && isRecord(body.usageMetadata) ? body.usageMetadata : undefined

/** `usageMetadata` as images and sound count it; thoughts are part of what came out. */
export const mediaUsageOf = (body: unknown): MediaUsage | undefined => {
  const counted = countedIn(body)
  if (counted === undefined) return undefined
  const input = numberOf(counted.promptTokenCount) ?? 0
  const output = (numberOf(counted.candidatesTokenCount) ?? 0) + (numberOf(counted.thoughtsTokenCount) ?? 0)
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: numberOf(counted.totalTokenCount) ?? input + output,
  }
}

const imageUsageOf = (body: unknown): MediaUsage | undefined => {
  const usage = mediaUsageOf(body)
  const { promptTokensDetails: input, candidatesTokensDetails: output } = countedIn(body) ?? {}
  return usage === undefined
    ? undefined
    : { ...usage, ...defined({ input_tokens_details: details(input), output_tokens_details: details(output) }) }
}

/** The same for the record of the call. */
export const reported = (usage: MediaUsage | undefined): { readonly usage?: Usage } => {
  const read = usageFromMedia(usage)
  return read === undefined ? {} : { usage: read }
}

export const toImages = (
  body: unknown,
  { created }: AdapterContext,
): { readonly reply: ImagesReply; readonly usage?: Usage } => {
  const data = blobsOf(body, 'image/').map(({ data: image }): MadeImage => ({ b64_json: image }))
  const usage = imageUsageOf(body)
  return { reply: { created, data, ...(usage === undefined ? {} : { usage }) }, ...reported(usage) }
}
