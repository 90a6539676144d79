/**
 * Anthropic's Messages API as clients speak it. Sources: types of @anthropic-ai/sdk 1.12.0, generated from the API reference,
 * and the pages "Messages", "Streaming messages", "Errors", "Thinking" and "Tool use" of Anthropic's documentation, read
 * 2026-11-22.
 */
export { messagesByChat } from './by-chat/bridge.ts'
export { countByChat } from './by-chat/count.ts'
export { messagesCountTokens } from './count-tokens.ts'
export { messages } from './create.ts'
