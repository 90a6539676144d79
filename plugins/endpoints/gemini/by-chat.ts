import type { Bridge } from '#kit/provider'
import { toMessages } from './contents.ts'
import { camelOf, type Fields, recordAt, textAt } from './fields.ts'
import { CHAT_NAMES, toParams } from './generation-config.ts'
import { toReply } from './reply.ts'
import { createStream } from './stream.ts'
import { toToolChoice, toTools } from './tools.ts'

/** Fields that are read, and the two that stand in the path. */
const READ: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'serviceTier',
])

/** Tiers of Google under the names that chats have for them. */
const TIERS: Readonly<Record<string, string>> = { standard: 'default', flex: 'flex', priority: 'priority' }

/**
 * What a chat is asked for a call of `generateContent`, and what is lost: safety settings, caches, labels, and the tools that Google
 * runs itself.
 * @throws InvalidRequest naming the field that no chat can be told
 */
export const toChat = (params: Fields): ReturnType<Bridge['request']> => {
  const lost = new Set<string>()
  const lose = (name: string): void => {
    lost.add(name)
  }
  for (const [name, value] of Object.entries(params)) {
    if (!READ.has(camelOf(name)) && value !== null && value !== undefined) lose(camelOf(name))
  }
  const messages = toMessages(params)
  const tools = toTools(params, lose)
  const choice = toToolChoice(params, lose)
  const tier = TIERS[(textAt(params, 'serviceTier') ?? '').toLowerCase()]
  return {
    request: {
      model: params.model,
      messages,
      ...toParams(params, lose),
      ...(tools.length === 0 ? {} : { tools, ...(choice === undefined ? {} : { tool_choice: choice }) }),
      ...(tier === undefined ? {} : { service_tier: tier }),
      ...(params.stream === true ? { stream: true, stream_options: { include_usage: true } } : {}),
    },
    dropped: [...lost],
  }
}

/** Whether the client wants to see what the model thinks. */
const showsThoughts = (params: Fields): boolean => {
  const config = recordAt(params, 'generationConfig')
  const thinking = config === undefined ? undefined : recordAt(config, 'thinkingConfig')
  return thinking?.includeThoughts === true || thinking?.include_thoughts === true
}

/** Gemini's `generateContent` at a provider that only has chat. */
export const geminiByChat: Bridge = {
  from: 'gemini',
  to: 'chat',
  asks: { includeUsage: true },
  request: toChat,
  words: { turns: { list: 'contents', parts: 'parts', became: 'messages' }, names: CHAT_NAMES },
  reply: (answer, context, params) => toReply(answer, context, showsThoughts(params)),
  stream: (context, params) => createStream(context, showsThoughts(params)),
}
