import { encodeEvent } from '../../../src/core/bodies/sse.ts'

const WORDS = 'The answer is long, and it comes word by word. Nobody minds, as long as each of them is here in time. '

/** Events of Anthropic's form that say a token each, one in each piece of the network. */
export const providerPieces = (events: number): readonly Uint8Array[] => {
  const tokens =
    WORDS.repeat(Math.ceil(events / 20))
      .match(/ ?\S+/g)
      ?.slice(0, events) ?? []
  const event = (data: { readonly type: string; readonly [name: string]: unknown }): Uint8Array =>
    encodeEvent(JSON.stringify(data), data.type)
  return [
    event({
      type: 'message_start',
      message: {
        id: 'msg_01',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [],
        usage: { input_tokens: 9, output_tokens: 1 },
      },
    }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...tokens.map((text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    event({ type: 'content_block_stop', index: 0 }),
    event({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: events },
    }),
    event({ type: 'message_stop' }),
  ]
}
