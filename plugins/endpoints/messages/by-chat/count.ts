import type { Bridge } from '#kit/provider'
import { MESSAGES_WORDS, toChat } from './request.ts'

/** Counts of providers that count the tokens of a chat. */
export const countByChat: Bridge = {
  from: 'messages-count-tokens',
  to: 'chat-count-tokens',
  request: toChat,
  words: MESSAGES_WORDS,
  reply: ({ input_tokens }) => ({ input_tokens }),
  // It does not stream.
  stream: () => ({ push: () => '', end: () => '' }),
}
