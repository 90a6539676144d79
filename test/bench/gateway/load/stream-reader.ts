const EVENT_END = Buffer.from('\n\n')
const HEAD_END = Buffer.from('\r\n\r\n')
const BODY_END = Buffer.from('\r\n0\r\n\r\n')
const NEWLINE = 10

/** What a piece of an answer brought. */
export interface Progress {
  readonly events: number
  /** The body has begun, with this piece or before. */
  readonly hasBody: boolean
  readonly hasEnded: boolean
  /** Known as soon as the head is. */
  readonly status: number | undefined
}

/**
 * Reads one answer: counts its events and finds its end, and looks at nothing else. Most come in chunks; one that was there at
 * once may have a length instead.
 */
export const createStreamReader = () => {
  let head = Buffer.alloc(0)
  let status: number | undefined
  let hasBody = false
  let endsWithNewline = false
  let tail = Buffer.alloc(0)
  /** Bytes of the body that are still to come, where they are known. */
  let left: number | undefined

  return (piece: Buffer): Progress => {
    let body = piece
    if (status === undefined) {
      head = Buffer.concat([head, piece])
      const end = head.indexOf(HEAD_END)
      if (end === -1) return { events: 0, hasBody, hasEnded: false, status }
      status = Number(head.toString('latin1', 9, 12))
      // With the line end before it, so that an empty body has the same end as any other.
      tail = Buffer.from('\r\n')
      body = head.subarray(end + HEAD_END.length)
      const length = /\r\ncontent-length: *(\d+)/i.exec(head.toString('latin1', 0, end))?.[1]
      if (length !== undefined) left = Number(length)
    }
    if (body.length === 0) return { events: 0, hasBody, hasEnded: false, status }
    hasBody = true
    const events = countEvents(body, endsWithNewline)
    endsWithNewline = body[body.length - 1] === NEWLINE
    tail = Buffer.concat([tail, body.subarray(-BODY_END.length)]).subarray(-BODY_END.length)
    if (left !== undefined) left -= body.length
    return { events, hasBody, hasEnded: left === undefined ? tail.equals(BODY_END) : left <= 0, status }
  }
}

/** An event ends with an empty line, whose two bytes may come in two pieces. */
const countEvents = (body: Buffer, endsWithNewline: boolean): number => {
  let events = endsWithNewline && body[0] === NEWLINE ? 1 : 0
  for (let at = body.indexOf(EVENT_END); at !== -1; at = body.indexOf(EVENT_END, at + EVENT_END.length)) events += 1
  return events
}
