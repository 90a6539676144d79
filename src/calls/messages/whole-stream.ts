import { decodeFrame, SseFramer } from '../../core/bodies/sse.ts'
import type { AnswerForm } from '../../core/endpoint.ts'
import { parseJson } from '../../core/json/json-depth.ts'
import { isRecord } from '../../core/json/record.ts'

/** The answer that the events of a stream make together, in their form. @returns undefined where they make none, or not all of one */
export const wholeOfEvents = (form: AnswerForm, events: Uint8Array): unknown => {
  const collector = form.collector()
  try {
    for (const frame of new SseFramer().push(events)) {
      const data = decodeFrame(frame)?.data
      if (data === undefined || data.trim() === '[DONE]') continue
      const chunk = parseJson(data)
      if (!isRecord(chunk) || chunk.error !== undefined) return undefined
      collector.add(chunk)
    }
    return collector.whole()
  } catch {
    // The events are those of somebody else: whatever is wrong with them, they are no answer.
    return undefined
  }
}
