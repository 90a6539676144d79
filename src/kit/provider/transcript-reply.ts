import { defined } from '../../core/defined.ts'
import type { MediaUsage, TranscriptionRequest, TranscriptReply, TranscriptSegment, TranscriptWord } from './media.ts'

/** What a provider of another form has understood. Times are seconds. */
export interface Heard {
  readonly text: string
  /** As the provider names it: `en`, `eng`. */
  readonly language?: string | undefined
  /** Of the sound. */
  readonly duration?: number | undefined
  readonly words: readonly (TranscriptWord & { readonly speaker?: string })[]
  readonly segments: readonly (Pick<TranscriptSegment, 'start' | 'end' | 'text'> & { readonly speaker?: string })[]
  /** Other things that it was asked for, by its own names; they stand in `verbose_json`. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** Of the formats in which a client may ask for a transcript, those whose pieces have times. */
const TIMED: ReadonlySet<unknown> = new Set(['srt', 'vtt', 'verbose_json', 'diarized_json'])

/** Whether a client asks for pieces with times. */
export const asksForTimes = ({ response_format: format }: Pick<TranscriptionRequest, 'response_format'>): boolean =>
  TIMED.has(format)

/**
 * A transcript in the format that the client asked for; the gateway writes the text formats of it. Source: types of openai-node
 * 7.55.0 (Transcription, TranscriptionVerbose, TranscriptionDiarized), generated from the API reference, read 2026-11-22.
 */
export const transcriptReply = (
  { text, language, duration, words, segments, more }: Heard,
  { response_format: format, timestamp_granularities: granularities }: Partial<TranscriptionRequest>,
): TranscriptReply => {
  const usage = duration === undefined ? {} : { usage: secondsOf(duration) }
  if (!TIMED.has(format)) return { text, ...usage }
  if (format === 'diarized_json') {
    const said = segments.map((segment, index) => ({
      type: 'transcript.text.segment',
      id: `seg_${index}`,
      speaker: 'unknown',
      ...segment,
    }))
    return { task: 'transcribe', ...defined({ duration }), text, segments: said, ...usage }
  }
  const numbered = segments.map((segment, id) => ({ id, ...segment }))
  if (format !== 'verbose_json') {
    return { text, ...defined({ duration }), ...(numbered.length > 0 ? { segments: numbered } : { words }) }
  }
  const asked = granularities ?? []
  return {
    task: 'transcribe',
    ...defined({ language, duration }),
    text,
    // Without a word about it, OpenAI gives segments.
    ...(asked.length === 0 || asked.includes('segment') ? { segments: numbered } : {}),
    ...(asked.includes('word') ? { words } : {}),
    ...more,
    ...usage,
  }
}

const secondsOf = (duration: number): MediaUsage => ({ type: 'duration', seconds: Math.ceil(duration) })
