import { type EventNote, isRecord, parseJson, type StreamWatch } from '#kit'
import { ANTHROPIC_ERROR_STATUS, usageFromAnthropic } from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

/** An event that says nothing yet. */
const SILENT: EventNote = { isSilent: true }

/** Follows a stream of a provider that speaks this form itself, and passes byte by byte. */
export const watchMessages = (): StreamWatch => {
  /** Counts are totals so far, not additions; one that an event leaves out stays. */
  let counts: Fields = {}
  const usageIn = (usage: unknown): EventNote['usage'] => {
    if (!isRecord(usage)) return undefined
    counts = { ...counts, ...Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== null)) }
    return usageFromAnthropic(counts)
  }
  return ({ event, data }) => {
    if (data === '' || event === 'ping') return SILENT
    const said = parseJson(data)
    if (!isRecord(said)) return undefined
    switch (said.type) {
      case 'content_block_delta':
        return { textBytes: textBytesOf(said.delta) }
      case 'message_start':
        return isRecord(said.message)
          ? { isSilent: true, usage: usageIn(said.message.usage), answer: said.message }
          : SILENT
      case 'content_block_start':
        return opensEmpty(said.content_block) ? SILENT : undefined
      case 'message_delta':
        return { usage: usageIn(said.usage) }
      case 'message_stop':
        return { isEnd: true }
      case 'error':
        return { error: withStatus(said) }
      case 'ping':
        return SILENT
      default:
        // Of a host that copies the interface, too: an error under no name.
        return said.error === undefined || said.error === null ? undefined : { error: withStatus(said) }
    }
  }
}

const textBytesOf = (delta: unknown): number => {
  if (!isRecord(delta)) return 0
  const text = delta.text ?? delta.thinking ?? delta.partial_json
  return typeof text === 'string' ? Buffer.byteLength(text) : 0
}

const opensEmpty = (block: unknown): boolean =>
  isRecord(block) && (block.type === 'text' || block.type === 'thinking') && !block.text && !block.thinking

/** An error that comes behind a 200 has the status that belongs to its type. */
const withStatus = (body: Fields): Fields => {
  const { error } = body
  if (!isRecord(error) || typeof error.type !== 'string' || !Object.hasOwn(ANTHROPIC_ERROR_STATUS, error.type)) {
    return body
  }
  return { ...body, error: { status: ANTHROPIC_ERROR_STATUS[error.type], ...error } }
}
