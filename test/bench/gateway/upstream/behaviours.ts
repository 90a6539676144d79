import { plainAnswer, STREAM_END, STREAM_HEAD, streamEvents, type Wire, wholeStream } from './answers.ts'

/**
 * How an answer comes: at once as JSON; event by event as fast as a model talks; all events in one go; an event a second for
 * as long as the client stays; or without an end, as fast as it is read.
 */
export const ANSWERS = ['json', 'paced', 'burst', 'slow', 'endless'] as const
export type AnswerKind = (typeof ANSWERS)[number]

/** Milliseconds between two events of a paced stream: a quick model. */
const PACE_MS = 10
const SLOW_MS = 1_000
/** Events that an endless stream writes in one go. */
const BLOCK_EVENTS = 64

/** The way to one client. */
export interface Line {
  /** Writes what the socket takes, and keeps the rest for later. */
  send(bytes: Buffer): void
  /** Something is still kept. */
  readonly isFull: boolean
  /** Calls again after this time until it returns false or the client is gone. */
  every(ms: number, step: () => boolean): void
  /** Calls whenever the client has read all. */
  whenEmpty(next: () => void): void
}

export type Behaviour = (line: Line) => void

export const behaviourOf = (wire: Wire, kind: AnswerKind): Behaviour => {
  switch (kind) {
    case 'json': {
      const answer = plainAnswer(wire)
      return (line) => line.send(answer)
    }
    case 'burst': {
      const answer = Buffer.concat([STREAM_HEAD, ...wholeStream(wire)])
      return (line) => line.send(answer)
    }
    case 'paced':
      return paced(wholeStream(wire).slice(0, -1))
    case 'slow':
      return slow(wire)
    case 'endless':
      return endless(wire)
  }
}

const paced =
  (events: readonly Buffer[]): Behaviour =>
  (line) => {
    const [first = STREAM_END, ...others] = events
    let sent = 0
    line.send(Buffer.concat([STREAM_HEAD, first]))
    line.every(PACE_MS, () => {
      if (line.isFull) return true
      const event = others[sent]
      line.send(event ?? STREAM_END)
      sent += 1
      return event !== undefined
    })
  }

const slow = (wire: Wire): Behaviour => {
  const { first, piece } = streamEvents(wire)
  const head = Buffer.concat([STREAM_HEAD, ...first, piece])
  return (line) => {
    line.send(head)
    line.every(SLOW_MS, () => {
      if (!line.isFull) line.send(piece)
      return true
    })
  }
}

const endless = (wire: Wire): Behaviour => {
  const { first, piece } = streamEvents(wire)
  const head = Buffer.concat([STREAM_HEAD, ...first])
  const block = Buffer.concat(Array.from({ length: BLOCK_EVENTS }, () => piece))
  return (line) => {
    line.send(head)
    const fill = (): void => {
      while (!line.isFull) line.send(block)
    }
    line.whenEmpty(fill)
    fill()
  }
}
