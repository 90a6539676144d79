import type { EndpointTexts, ReadEvent, TextPlace } from '../../src/core/guardrails.ts'

/** What reading all events of a stream gives. */
export interface ReadStream {
  /** Texts by their tracks: pieces joined, or what was last said as a whole. */
  readonly tracks: Readonly<Record<string, string>>
  /** Tracks in the order in which they ended. */
  readonly ends: readonly string[]
  readonly isEnded: boolean
  readonly events: readonly (ReadEvent | undefined)[]
  withhold(after: number): string
}

/** Reads a stream of events to its end. @throws Error for a piece that does not stand where it says */
export const readStream = (texts: EndpointTexts, events: readonly object[], params: object = {}): ReadStream => {
  const stream = texts.stream?.(params as Readonly<Record<string, unknown>>)
  if (stream === undefined) throw new Error('the endpoint has no streams')
  const tracks: Record<string, string> = {}
  const ends = new Set<string>()
  let isEnded = false
  const read = events.map((data) => {
    const event = stream.read({ event: 'message', data: JSON.stringify(data) })
    for (const piece of event?.pieces ?? []) {
      const { track, text, isWhole } = piece
      if (textAt(event?.fields, piece) !== text) throw new Error(`there is no such text at ${piece.path.join('.')}`)
      tracks[track] = isWhole === true ? text : (tracks[track] ?? '') + text
    }
    if (event?.ends === 'all') isEnded = true
    else for (const track of event?.ends ?? []) ends.add(track)
    return event
  })
  return { tracks, ends: [...ends], isEnded, events: read, withhold: (after) => stream.withhold(read[after]) }
}

/** What stands in a body at a place: a text, or JSON as a text. */
export const textAt = (body: unknown, { path, isJson }: Pick<TextPlace, 'path' | 'isJson'>): unknown => {
  const value = path.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)?.[key], body)
  return isJson === true ? JSON.stringify(value) : value
}

/** Places, short enough to be compared by eye. */
export const shown = (places: readonly TextPlace[] = []): unknown[] =>
  places.map(({ role, kind, path, text, isJson }) => [role, kind, path.join('.'), text, ...(isJson ? ['JSON'] : [])])

/** The data of events as they are written. */
export const dataOf = (events: string): unknown[] =>
  events
    .split('\n\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text.slice(text.indexOf('data: ') + 'data: '.length)))
