/** One server-sent event. */
export interface ServerEvent {
  readonly event: string
  readonly data: string
}

/** Events of a stream, as they come (HTML standard, section 9.2). */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let waiting = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      waiting += value ?? ''
      const parts = waiting.split(/\r?\n\r?\n/)
      waiting = done ? '' : (parts.pop() ?? '')
      for (const part of parts) {
        const event = toEvent(part)
        if (event !== undefined) yield event
      }
      if (done) return
    }
  } finally {
    // Whoever stops reading has no use for the rest.
    await reader.cancel().catch(() => undefined)
  }
}

const toEvent = (text: string): ServerEvent | undefined => {
  const fields = text.split(/\r?\n/).map((line) => /^([^:]*):? ?(.*)$/s.exec(line))
  const valuesOf = (name: string): string[] => fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ''] : []))
  const data = valuesOf('data')
  return data.length === 0 ? undefined : { event: valuesOf('event').at(-1) ?? 'message', data: data.join('\n') }
}
