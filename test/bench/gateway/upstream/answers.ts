/** The answers of the upstream, byte for byte the same each time. */

export const WIRES = ['openai', 'responses', 'anthropic'] as const
export type Wire = (typeof WIRES)[number]

/** Pieces of a stream's text. The size of a chunk is about that of a provider's. */
export const EVENTS = 200
const WORDS = 'the quick brown fox jumps over the lazy dog and runs away '

const OPENAI_ABOUT = { id: 'chatcmpl-0123456789abcdef', created: 1_760_000_000, model: 'gpt-5-mini-2026-01-01' }
const USAGE = { prompt_tokens: 812, completion_tokens: 200, total_tokens: 1_012 }

const OPENAI_ANSWER = JSON.stringify({
  ...OPENAI_ABOUT,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: WORDS.repeat(14), refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: USAGE,
})

const ANTHROPIC_ANSWER = JSON.stringify({
  id: 'msg_0123456789abcdef',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: WORDS.repeat(14) }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 812, output_tokens: 200 },
})

const RESPONSE_ID = 'resp_0123456789abcdef'
const TEXT_ITEM = { id: 'msg_0123456789abcdef', type: 'message', role: 'assistant' }
const RESPONSE_USAGE = {
  input_tokens: 812,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 200,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 1_012,
}

const response = (status: string, text: string, usage: object | null): Record<string, unknown> => ({
  id: RESPONSE_ID,
  object: 'response',
  created_at: 1_760_000_000,
  status,
  error: null,
  incomplete_details: null,
  model: 'gpt-5-mini-2026-01-01',
  output:
    usage === null
      ? []
      : [{ ...TEXT_ITEM, status, content: [{ type: 'output_text', text, annotations: [], logprobs: [] }] }],
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  usage,
})

const ANSWERS: Readonly<Record<Wire, string>> = {
  openai: OPENAI_ANSWER,
  responses: JSON.stringify(response('completed', WORDS.repeat(14), RESPONSE_USAGE)),
  anthropic: ANTHROPIC_ANSWER,
}

export const plainAnswer = (wire: Wire): Buffer => {
  const body = ANSWERS[wire]
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
}

export const STREAM_HEAD = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ncache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n',
)
export const STREAM_END = Buffer.from('0\r\n\r\n')

/** An event as a chunk of HTTP, as a provider that flushes each event sends it. */
const chunkOf = (event: string): Buffer => Buffer.from(`${Buffer.byteLength(event).toString(16)}\r\n${event}\r\n`)

export interface StreamEvents {
  readonly first: readonly Buffer[]
  /** One piece of text; a stream has as many of them as it likes. */
  readonly piece: Buffer
  readonly last: readonly Buffer[]
}

const openaiChunk = (delta: unknown, finish_reason: string | null, more: Record<string, unknown> = {}): Buffer =>
  chunkOf(
    `data: ${JSON.stringify({
      ...OPENAI_ABOUT,
      object: 'chat.completion.chunk',
      service_tier: 'default',
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...more,
    })}\n\n`,
  )

const namedEvent = (type: string, more: Record<string, unknown>): Buffer =>
  chunkOf(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`)

const OPENAI_EVENTS: StreamEvents = {
  first: [openaiChunk({ role: 'assistant', content: '', refusal: null }, null)],
  piece: openaiChunk({ content: ' wonderful' }, null),
  last: [openaiChunk({}, 'stop'), openaiChunk({}, null, { choices: [], usage: USAGE }), chunkOf('data: [DONE]\n\n')],
}

const ANTHROPIC_EVENTS: StreamEvents = {
  first: [
    namedEvent('message_start', {
      message: {
        id: 'msg_0123456789abcdef',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 812, output_tokens: 1 },
      },
    }),
    namedEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  ],
  piece: namedEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text: ' wonderful' } }),
  last: [
    namedEvent('content_block_stop', { index: 0 }),
    namedEvent('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 200 },
    }),
    namedEvent('message_stop', {}),
  ],
}

const PLACE = { item_id: TEXT_ITEM.id, output_index: 0, content_index: 0 }
const NO_TEXT = { type: 'output_text', text: '', annotations: [], logprobs: [] }

const RESPONSE_EVENTS: StreamEvents = {
  first: [
    namedEvent('response.created', { sequence_number: 0, response: response('in_progress', '', null) }),
    namedEvent('response.output_item.added', {
      sequence_number: 1,
      output_index: 0,
      item: { ...TEXT_ITEM, status: 'in_progress', content: [] },
    }),
    namedEvent('response.content_part.added', { sequence_number: 2, ...PLACE, part: NO_TEXT }),
  ],
  piece: namedEvent('response.output_text.delta', {
    sequence_number: 3,
    ...PLACE,
    delta: ' wonderful',
    logprobs: [],
    obfuscation: 'aBcDeF',
  }),
  last: [
    namedEvent('response.completed', { sequence_number: 4, response: response('completed', 'text', RESPONSE_USAGE) }),
  ],
}

const STREAMS: Readonly<Record<Wire, StreamEvents>> = {
  openai: OPENAI_EVENTS,
  responses: RESPONSE_EVENTS,
  anthropic: ANTHROPIC_EVENTS,
}

export const streamEvents = (wire: Wire): StreamEvents => STREAMS[wire]

/** A whole stream of `EVENTS` pieces, with its end. */
export const wholeStream = (wire: Wire): readonly Buffer[] => {
  const { first, piece, last } = streamEvents(wire)
  return [...first, ...Array.from({ length: EVENTS }, () => piece), ...last, STREAM_END]
}
