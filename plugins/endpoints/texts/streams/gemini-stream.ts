import type { ReadEvent, StreamTexts, TextPiece, TextPlace } from '#core/guardrails'
import { eventText, isRecord, type SseEvent } from '#kit'
import { addGrounding, addParts } from '../gemini-parts.ts'
import { EventPieces, fieldsOf } from './event-pieces.ts'
import { OpenTracks } from './open-tracks.ts'

type Fields = Readonly<Record<string, unknown>>

class GeminiEvent implements ReadEvent {
  readonly name: string
  readonly fields: Fields
  readonly pieces: readonly TextPiece[]
  readonly ends: readonly string[] | undefined
  /** Candidates that have begun, and not finished, once this event is out. */
  readonly open: readonly number[]

  constructor(name: string, fields: Fields, found: EventPieces, open: readonly number[]) {
    this.name = name
    this.fields = fields
    this.pieces = found.pieces
    this.ends = found.ends
    this.open = open
  }
}

/**
 * The texts of a stream of `streamGenerateContent`: what a candidate says is one text and what it thinks another, whatever the
 * parts; all else comes whole.
 */
export class GeminiStream implements StreamTexts {
  readonly #tracks = new Map<number, OpenTracks>()
  #open: readonly number[] = []
  #events = 0

  read({ event, data }: SseEvent): ReadEvent | undefined {
    const fields = fieldsOf(data)
    if (fields === undefined) return undefined
    const found = new EventPieces(this.#events++)
    const { candidates } = fields
    if (Array.isArray(candidates)) {
      for (let at = 0; at < candidates.length; at++) {
        const candidate: unknown = candidates[at]
        if (isRecord(candidate)) this.#candidate(found, candidate, at)
      }
    }
    return new GeminiEvent(event, fields, found, this.#open)
  }

  /**
   * The open candidates finish with `SAFETY`: "the response candidate content was flagged for safety reasons" (Gemini API
   * reference, "FinishReason", read 2026-11-21).
   */
  withhold(last: ReadEvent | undefined): string {
    if (!(last instanceof GeminiEvent) || last.open.length === 0) return ''
    const { modelVersion, responseId } = last.fields
    const candidates = last.open.map((index) => ({ finishReason: 'SAFETY', index }))
    return eventText(JSON.stringify({ candidates, modelVersion, responseId }))
  }

  #candidate(found: EventPieces, candidate: Fields, at: number): void {
    const index = typeof candidate.index === 'number' ? candidate.index : at
    const { content, finishReason, logprobsResult } = candidate
    const tracks = this.#tracksOf(index)
    const path = ['candidates', at]
    const places: TextPlace[] = []
    const tokens = isRecord(logprobsResult) ? [...path, 'logprobsResult'] : undefined
    if (isRecord(content)) addParts(places, content.parts, [...path, 'content', 'parts'], 'assistant', tokens)
    for (const place of places) {
      if (place.path.at(-1) !== 'text') {
        found.addWhole([place])
        continue
      }
      const track = `${index}.${place.kind}`
      found.add({ ...place, track })
      tracks.take(found, track, place.kind)
    }
    const beside: TextPlace[] = []
    addGrounding(beside, candidate, path)
    found.addWhole(beside)
    if (typeof finishReason !== 'string' || finishReason === '') return
    tracks.end(found)
    this.#open = this.#open.filter((each) => each !== index)
  }

  #tracksOf(index: number): OpenTracks {
    const known = this.#tracks.get(index)
    if (known !== undefined) return known
    const tracks = new OpenTracks()
    this.#tracks.set(index, tracks)
    this.#open = [...this.#open, index]
    return tracks
  }
}
