import type { Bridge } from '#kit/provider'
import { toMessage } from './reply.ts'
import { MESSAGES_WORDS, toChat } from './request.ts'
import { MessageStream } from './stream.ts'

/** Messages of a provider that has chats, and does not speak Anthropic's form. */
export const messagesByChat: Bridge = {
  from: 'messages',
  to: 'chat',
  // Thinking, its signatures and the counts of the cache have a place in this form.
  asks: { strict: false, includeUsage: true },
  request: toChat,
  words: MESSAGES_WORDS,
  reply: toMessage,
  stream: (context, params) => new MessageStream(context, params),
}
