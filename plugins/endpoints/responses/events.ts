import { eventText } from '#kit'
import type { ResponsesEvent } from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

/** The events of one stream, numbered in their order. */
export class EventList {
  #events: ResponsesEvent[] = []
  #next = 0

  add(type: string, fields: Fields): void {
    this.#events.push({ type, sequence_number: this.#next++, ...fields })
  }

  /** Those since the last time. */
  take(): readonly ResponsesEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }
}

/** An event as it is sent: named, as OpenAI's are, and with an empty line behind it. */
export const writeEvent = (event: object): string => {
  const text = eventText(JSON.stringify(event))
  return 'type' in event && typeof event.type === 'string' ? `event: ${event.type}\n${text}` : text
}

export const writeEvents = (events: readonly ResponsesEvent[]): string => {
  let text = ''
  for (const event of events) text += writeEvent(event)
  return text
}
