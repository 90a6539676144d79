import { isRecord } from '#kit'
import { type Adapter, applyParams, isImpossible, type TokenCount, tokenCount } from '#kit/provider'
import { throwError } from './failure.ts'
import { unreadable } from './json.ts'
import { bareModel, modelPath } from './model.ts'
import { chatParams } from './request.ts'

/** What a count leaves unsaid loses nothing. */
const countedParams = Object.fromEntries(Object.keys(chatParams).map((name) => [name, () => ({})]))

/**
 * The tokens of a chat, by the counter of the model. The whole request is counted, tools and instructions included ("Counting
 * tokens", `generateContentRequest`, read 2026-11-22).
 */
export const countTokens: Adapter<'chat-count-tokens'> = {
  method: 'POST',
  path: ({ model }) => `${modelPath(model)}:countTokens`,
  wire: 'own',
  params: countedParams,
  always: (request, context) => ({
    generateContentRequest: {
      model: `models/${bareModel(context.model)}`,
      ...applyParams(chatParams, request, context, 'drop').body,
    },
  }),
  reply: (body) => ({ reply: readCount(body) }),
}

const readCount = (body: unknown): TokenCount => {
  throwError(body)
  if (!isRecord(body) || isImpossible(body.totalTokens)) throw unreadable('it is no count of tokens')
  const count = tokenCount(body.totalTokens)
  if (count === undefined) throw unreadable('it has no `totalTokens`')
  return { input_tokens: count }
}
