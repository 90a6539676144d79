import { isRecord } from '../../../src/core/json/record.ts'
import type { SeenRequest } from './request.ts'

/** An answer as the events of a stream, in order. */
export interface WireEvents {
  /** Before the first token. */
  readonly lead: readonly string[]
  readonly tokens: readonly string[]
  /** After the last token. */
  readonly tail: readonly string[]
  /** Of the tail: after so many of them the answer is whole. */
  readonly wholeAfter: number
}

/** The wire format of a provider, as far as a chat answer needs it. */
export interface Wire {
  readonly provider: 'openai' | 'anthropic'
  readonly model: string
  plain(words: readonly string[]): string
  events(words: readonly string[]): WireEvents
  /** Body of an error, and data of an error event. */
  error(type: string, message: string, code?: string): string
  /** One event of a stream with this data. */
  event(data: string): string
  /** The text that the request wants to have gone on from. */
  prefixOf(request: SeenRequest): string
}

const USAGE = { prompt_tokens: 7, completion_tokens: 4, total_tokens: 11 }

const openai: Wire = {
  provider: 'openai',
  model: 'gpt-test',
  plain: (words) =>
    JSON.stringify({
      id: 'chatcmpl-fault',
      object: 'chat.completion',
      created: 1,
      model: 'gpt-test',
      choices: [{ index: 0, message: { role: 'assistant', content: words.join('') }, finish_reason: 'stop' }],
      usage: USAGE,
    }),
  events(words) {
    const chunk = (more: Record<string, unknown>): string =>
      this.event(
        JSON.stringify({
          id: 'chatcmpl-fault',
          object: 'chat.completion.chunk',
          created: 1,
          model: 'gpt-test',
          ...more,
        }),
      )
    const piece = (delta: Record<string, unknown>, finish: string | null = null): string =>
      chunk({ choices: [{ index: 0, delta, finish_reason: finish }] })
    return {
      lead: [piece({ role: 'assistant', content: '' })],
      tokens: words.map((content) => piece({ content })),
      tail: [piece({}, 'stop'), chunk({ choices: [], usage: USAGE }), 'data: [DONE]\n\n'],
      wholeAfter: 1,
    }
  },
  error: (type, message, code) => JSON.stringify({ error: { message, type, param: null, code: code ?? null } }),
  event: (data) => `data: ${data}\n\n`,
  prefixOf: () => '',
}

const anthropic: Wire = {
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  plain: (words) =>
    JSON.stringify({
      id: 'msg_fault',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text: words.join('') }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 7, output_tokens: 4 },
    }),
  events(words) {
    const event = (body: Record<string, unknown>): string => this.event(JSON.stringify(body))
    const message = {
      id: 'msg_fault',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 7, output_tokens: 1 },
    }
    const delta = { stop_reason: 'end_turn', stop_sequence: null }
    return {
      lead: [
        event({ type: 'message_start', message }),
        event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
        event({ type: 'ping' }),
      ],
      tokens: words.map((text) =>
        event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
      ),
      tail: [
        event({ type: 'content_block_stop', index: 0 }),
        event({ type: 'message_delta', delta, usage: { output_tokens: 4 } }),
        event({ type: 'message_stop' }),
      ],
      wholeAfter: 3,
    }
  },
  error: (type, message) => JSON.stringify({ type: 'error', error: { type, message } }),
  event: (data) => `event: ${typeIn(data)}\ndata: ${data}\n\n`,
  prefixOf: ({ body }) => {
    const last: unknown = Array.isArray(body.messages) ? body.messages.at(-1) : undefined
    return isRecord(last) && last.role === 'assistant' ? textOf(last.content) : ''
  },
}

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((block) => (isRecord(block) && typeof block.text === 'string' ? block.text : '')).join('')
}

const typeIn = (data: string): string => /"type":"(\w+)"/.exec(data)?.[1] ?? 'message'

export const WIRES: readonly Wire[] = [openai, anthropic]
