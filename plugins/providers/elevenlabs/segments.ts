import { isRecord } from '#kit'
import type { Heard } from '#kit/provider'

/** What a viewer reads at once: two lines of 42 characters. */
const LONGEST_CHARACTERS = 84
/** Seconds that a subtitle stays, and that nobody speaks within one. */
const LONGEST_SECONDS = 7
const LONGEST_PAUSE = 1

const SENTENCE_END = /[.!?…。！？]["'”’)\]]?$/

interface Piece {
  readonly text: string
  readonly type: unknown
  readonly start: number | undefined
  readonly end: number | undefined
  readonly speaker?: string
}

type Segment = { start: number; end: number; text: string; speaker?: string }

/** Words, blanks between them and sounds (`type`: `word`, `spacing`, `audio_event`), as it gives them. */
const piecesOf = (words: unknown): readonly Piece[] =>
  (Array.isArray(words) ? words : []).filter(isRecord).flatMap(({ text, type, start, end, speaker_id: speaker }) => {
    if (typeof text !== 'string') return []
    const times = { start: numberOf(start), end: numberOf(end) }
    return [{ text, type, ...times, ...(typeof speaker === 'string' ? { speaker } : {}) }]
  })

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** Words with their times, and the segments that they make: it has none of its own. */
export const timesOf = (words: unknown): Pick<Heard, 'words' | 'segments'> => {
  const pieces = piecesOf(words)
  return {
    words: pieces.flatMap(({ text: word, type, start, end, ...rest }) =>
      type === 'word' && start !== undefined && end !== undefined ? [{ word, start, end, ...rest }] : [],
    ),
    segments: segmentsOf(pieces),
  }
}

const segmentsOf = (pieces: readonly Piece[]): Heard['segments'] => {
  const segments: Segment[] = []
  let current: Segment | undefined
  for (const piece of pieces) {
    const { text, type, start, end } = piece
    if (type === 'spacing' || start === undefined || end === undefined) {
      if (current !== undefined) current.text += text
      continue
    }
    if (current === undefined || isOver(current, piece, start, end)) {
      current = { start, end, text, ...('speaker' in piece ? { speaker: piece.speaker } : {}) }
      segments.push(current)
    } else {
      current.text += text
      current.end = Math.max(current.end, end)
    }
  }
  return segments.map((segment) => ({ ...segment, text: segment.text.trim() }))
}

const isOver = (current: Segment, piece: Piece, start: number, end: number): boolean =>
  piece.speaker !== current.speaker ||
  start - current.end > LONGEST_PAUSE ||
  end - current.start > LONGEST_SECONDS ||
  current.text.length + piece.text.length > LONGEST_CHARACTERS ||
  SENTENCE_END.test(current.text.trimEnd())
