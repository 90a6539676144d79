import { collect } from '../bodies/answer.ts'
import { nextPiece, type ReadyStream } from '../bodies/ready-stream.ts'
import { decodeFrame, SseFramer } from '../bodies/sse.ts'
import type { UpstreamResponse } from '../ports.ts'
import { type Message, readMessage, readMessages } from './json-rpc.ts'

/** Bytes of the largest message, either way. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024

export const isEvents = ({ headers }: Pick<UpstreamResponse, 'headers'>): boolean =>
  headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() === 'text/event-stream'

/** The messages of an answer, one by one, whether it is JSON or events. @throws NotMessages, a catalogue error, SyntaxError */
export async function* messagesOf(response: UpstreamResponse): AsyncGenerator<Message> {
  if (!isEvents(response)) {
    const bytes = await collect(response.body, MAX_MESSAGE_BYTES)
    if (bytes.length > 0) yield* readMessages(bytes)
    return
  }
  for await (const event of eventsOf(response.body)) {
    if (event.data !== '') yield readMessage(event.data)
  }
}

/** The events of a stream. @throws a catalogue error; SseEventTooLarge */
export async function* eventsOf(body: ReadyStream) {
  for await (const frame of framesOf(body)) {
    const event = decodeFrame(frame)
    if (event !== undefined) yield event
  }
}

/** The frames of a stream of events, with what is left at its end. @throws a catalogue error; SseEventTooLarge */
export async function* framesOf(body: ReadyStream): AsyncGenerator<Uint8Array> {
  const framer = new SseFramer(MAX_MESSAGE_BYTES)
  try {
    for (;;) {
      const piece = await nextPiece(body)
      if (piece === undefined) break
      for (const frame of framer.push(piece)) yield frame
    }
    const rest = framer.rest()
    if (rest.length > 0) yield rest
  } finally {
    body.cancel()
  }
}
