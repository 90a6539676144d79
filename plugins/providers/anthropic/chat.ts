import type { Adapter } from '#kit/provider'
import { chatParams, defaultLimit } from './params.ts'
import { prefill } from './prefill.ts'
import { readReply } from './response.ts'
import { createStream } from './stream.ts'

/**
 * A chat by way of the Messages API, for Claude wherever it is served.
 * @param maxTokens the operator's limit for calls without one
 */
export const claudeChat = (path: Adapter<'chat'>['path'], maxTokens?: number): Adapter<'chat'> => ({
  method: 'POST',
  path,
  wire: 'own',
  params: chatParams(maxTokens),
  always: (request, context) => defaultLimit(request, context.model, maxTokens),
  reply: readReply,
  stream: createStream,
  assistantPrefix: prefill,
})
