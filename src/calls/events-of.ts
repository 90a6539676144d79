import { DONE_EVENT, encodeEvent } from '../core/bodies/sse.ts'
import type { AnswerForm } from '../core/endpoint.ts'

const encoder = new TextEncoder()

/** The events of a stream of these chunks, to its proper end. @param form absent: that of a chat */
export function* eventsOf(chunks: Iterable<object>, form?: Pick<AnswerForm, 'write' | 'last'>): Iterable<Uint8Array> {
  for (const chunk of chunks) {
    const text = form?.write?.(chunk)
    yield text === undefined ? encodeEvent(JSON.stringify(chunk)) : encoder.encode(text)
  }
  const last = form?.last
  if (last === undefined) yield DONE_EVENT
  else if (last !== '') yield encoder.encode(last)
}
