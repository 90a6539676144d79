import type { MessagesBlock, MessagesEvent } from '#kit/provider'
import { inPieces } from '../in-pieces.ts'

/** An event as it goes over the wire: its name stands in front, which the SDKs go by. */
export const eventOf = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

type Fields = Readonly<Record<string, unknown>>

/** The stream that a whole message could have been ("Streaming messages", read 2026-11-22). */
export function* toEvents(message: Fields): Generator<MessagesEvent> {
  const { stop_reason, stop_sequence, stop_details = null, usage, content } = message
  yield {
    type: 'message_start',
    message: { ...message, content: [], stop_reason: null, stop_sequence: null, stop_details: null },
  }
  for (const [index, block] of (content as readonly MessagesBlock[]).entries()) {
    const { start, deltas } = piecesOf(block)
    yield { type: 'content_block_start', index, content_block: start }
    for (const delta of deltas) yield { type: 'content_block_delta', index, delta }
    yield { type: 'content_block_stop', index }
  }
  yield { type: 'message_delta', delta: { stop_reason, stop_sequence, stop_details }, usage: usage ?? {} }
  yield { type: 'message_stop' }
}

interface Pieces {
  readonly start: Fields
  readonly deltas: readonly MessagesEvent[]
}

/** How a block begins, and what is added to it. One that has no deltas of its own comes whole. */
const piecesOf = (block: MessagesBlock): Pieces => {
  const { text, thinking, signature, input, citations } = block
  if (block.type === 'text' && typeof text === 'string') {
    const cited = Array.isArray(citations) ? citations : []
    return {
      start: { ...block, text: '', ...(cited.length === 0 ? {} : { citations: [] }) },
      deltas: [
        ...cited.map((citation: unknown) => ({ type: 'citations_delta', citation })),
        ...inPieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
      ],
    }
  }
  if (block.type === 'thinking' && typeof thinking === 'string') {
    return {
      start: { ...block, thinking: '', signature: '' },
      deltas: [
        ...inPieces(thinking).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
        { type: 'signature_delta', signature: signature ?? '' },
      ],
    }
  }
  if (!TOOL_CALLS.has(block.type) || input === undefined) return { start: block, deltas: [] }
  const json = inPieces(JSON.stringify(input)).map((piece) => ({ type: 'input_json_delta', partial_json: piece }))
  return { start: { ...block, input: {} }, deltas: json }
}

/** Blocks whose `input` comes piece by piece. */
export const TOOL_CALLS: ReadonlySet<string> = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use'])
