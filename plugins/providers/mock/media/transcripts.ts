import { MockRefusal } from '../refusal.ts'
import { splitWords } from '../text.ts'
import type { MediaCall } from './index.ts'

/** Seconds of a word. */
const WORD_SECONDS = 0.5

export interface MadeTranscript {
  /** JSON, or text for the text formats. */
  readonly reply: () => object | string
  readonly events: () => Iterable<string>
}

interface Segment {
  readonly id: number
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Says of a sound how it is called and how long it is, in each format.
 * @throws MockRefusal for a request that the mock cannot read.
 */
export const makeTranscript = ({ fields, files, path }: MediaCall): MadeTranscript => {
  const [file, ...others] = files.get('file') ?? []
  if (file === undefined || others.length > 0) throw new MockRefusal(400, '`file` must be one file.', 'file')
  const isTranslated = path.endsWith('/translations')
  const sentences = [`I heard ${file.filename || 'a sound'}.`, `It has ${file.bytes.length} bytes.`]
  const text = sentences.join(' ')
  const words = splitWords(text)
  const segments = segmentsOf(sentences)
  const duration = words.length * WORD_SECONDS
  const usage = {
    type: 'tokens',
    input_tokens: words.length * 2,
    input_token_details: { audio_tokens: words.length * 2, text_tokens: 0 },
    output_tokens: words.length,
    total_tokens: words.length * 3,
  }
  const format = fields.response_format ?? 'json'
  const granularities = [fields.timestamp_granularities ?? []].flat()
  const replies: Readonly<Record<string, () => object | string>> = {
    json: () => (isTranslated ? { text } : { text, usage }),
    text: () => `${text}\n`,
    srt: () => segments.map((each, index) => `${index + 1}\n${span(each, ',')}\n${each.text}\n\n`).join(''),
    vtt: () => `WEBVTT\n\n${segments.map((each) => `${span(each, '.')}\n${each.text}\n\n`).join('')}`,
    verbose_json: () => ({
      task: isTranslated ? 'translate' : 'transcribe',
      language: 'english',
      duration,
      text,
      ...(granularities.includes('word') ? { words: timedWords(words) } : {}),
      ...(granularities.includes('word') && !granularities.includes('segment') ? {} : { segments }),
      usage: { type: 'duration', seconds: Math.ceil(duration) },
    }),
    diarized_json: () => ({
      task: 'transcribe',
      duration,
      text,
      segments: segments.map(({ id, ...rest }) => ({
        id: `seg_${id}`,
        type: 'transcript.text.segment',
        speaker: 'A',
        ...rest,
      })),
      usage,
    }),
  }
  const reply = typeof format === 'string' && Object.hasOwn(replies, format) ? replies[format] : undefined
  if (reply === undefined) {
    throw new MockRefusal(
      400,
      `\`response_format\` must be one of ${Object.keys(replies).join(', ')}.`,
      'response_format',
    )
  }
  return {
    reply,
    *events() {
      for (const delta of words) yield JSON.stringify({ type: 'transcript.text.delta', delta })
      yield JSON.stringify({ type: 'transcript.text.done', text, usage })
    },
  }
}

const segmentsOf = (sentences: readonly string[]): readonly Segment[] => {
  let start = 0
  return sentences.map((text, id) => {
    const end = start + splitWords(text).length * WORD_SECONDS
    const segment = { id, start, end, text }
    start = end
    return segment
  })
}

const timedWords = (words: readonly string[]) =>
  words.map((word, index) => ({ word: word.trim(), start: index * WORD_SECONDS, end: (index + 1) * WORD_SECONDS }))

const span = ({ start, end }: Segment, point: string): string => `${clock(start, point)} --> ${clock(end, point)}`

const clock = (seconds: number, point: string): string => {
  const whole = String(Math.floor(seconds)).padStart(2, '0')
  return `00:00:${whole}${point}${String(Math.round((seconds % 1) * 1000)).padStart(3, '0')}`
}
