import type { RawReply } from '#core/endpoint'
import { isRecord, UpstreamInvalid } from '#kit'
import type { TranscriptSegment } from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

/** Words of one subtitle, where only words have times. */
const WORDS_A_SEGMENT = 10

/**
 * The text formats of a transcript, made of a whole one; `json` and `verbose_json` are none of them. SRT has no standard of its
 * own, and is written as the reference's players read it; WebVTT: W3C, https://www.w3.org/TR/webvtt1/.
 */
const WRITERS: ReadonlyMap<unknown, (reply: Fields) => RawReply> = new Map([
  ['text', (reply: Fields) => ({ type: 'text/plain; charset=utf-8', body: `${textOf(reply)}\n` })],
  ['srt', (reply: Fields) => ({ type: 'text/plain; charset=utf-8', body: srt(segmentsOf(reply)) })],
  ['vtt', (reply: Fields) => ({ type: 'text/plain; charset=utf-8', body: vtt(segmentsOf(reply)) })],
])

/** How a transcript is written for a call that asks for a text format. */
export const transcriptWriter = ({ response_format: format }: Fields): ((reply: Fields) => RawReply) | undefined =>
  WRITERS.get(format)

const textOf = ({ text }: Fields): string => {
  if (typeof text !== 'string') throw new UpstreamInvalid('The provider answered with no transcript.')
  return text
}

/** Timed pieces of the transcript: those that it has, else of its words, else all of it in one. */
const segmentsOf = (reply: Fields): readonly Pick<TranscriptSegment, 'start' | 'end' | 'text'>[] => {
  const text = textOf(reply)
  const segments = timed(reply.segments).flatMap(({ start, end, text: said }) =>
    typeof said === 'string' ? [{ start, end, text: said }] : [],
  )
  if (segments.length > 0) return segments
  const words = timed(reply.words)
  if (words.length === 0) {
    return [{ start: 0, end: typeof reply.duration === 'number' ? reply.duration : 0, text }]
  }
  return Array.from({ length: Math.ceil(words.length / WORDS_A_SEGMENT) }, (_, index) => {
    const of = words.slice(index * WORDS_A_SEGMENT, (index + 1) * WORDS_A_SEGMENT)
    const said = of.map(({ word }) => (typeof word === 'string' ? word.trim() : '')).join(' ')
    return { start: of[0]?.start ?? 0, end: of.at(-1)?.end ?? 0, text: said }
  })
}

type Timed = Fields & { readonly start: number; readonly end: number }

const timed = (list: unknown): readonly Timed[] =>
  Array.isArray(list)
    ? list.filter(
        (each): each is Timed => isRecord(each) && typeof each.start === 'number' && typeof each.end === 'number',
      )
    : []

const srt = (segments: ReturnType<typeof segmentsOf>): string =>
  segments
    .map(
      ({ start, end, text }, index) =>
        `${index + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${oneBlock(text)}\n\n`,
    )
    .join('')

const vtt = (segments: ReturnType<typeof segmentsOf>): string =>
  `WEBVTT\n\n${segments.map(({ start, end, text }) => `${clock(start, '.')} --> ${clock(end, '.')}\n${oneBlock(text)}\n\n`).join('')}`

/** An empty line would end the subtitle, and an arrow begin another. */
const oneBlock = (text: string): string =>
  text
    .trim()
    .replace(/\s*\n\s*/g, '\n')
    .replaceAll('-->', '->')

/** `00:01:02,345`. */
const clock = (seconds: number, point: string): string => {
  const ms = Math.max(0, Math.round(seconds * 1000))
  const part = (size: number, modulo: number): string => String(Math.floor(ms / size) % modulo).padStart(2, '0')
  const hours = String(Math.floor(ms / 3_600_000)).padStart(2, '0')
  return `${hours}:${part(60_000, 60)}:${part(1000, 60)}${point}${String(ms % 1000).padStart(3, '0')}`
}
