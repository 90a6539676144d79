import { decodeFrame, SseFramer } from '../core/bodies/sse.ts'
import { isRecord } from '../core/json/record.ts'

export interface LogEvent {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Events of the live tail, as they come. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<LogEvent> {
  const framer = new SseFramer()
  for await (const chunk of body) {
    for (const frame of framer.push(chunk)) {
      const found = decodeFrame(frame)
      if (found === undefined) continue
      const data: unknown = JSON.parse(found.data)
      if (isRecord(data)) yield { event: found.event, data }
    }
  }
}
