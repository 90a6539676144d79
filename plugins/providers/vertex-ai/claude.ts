/**
 * Claude at Vertex AI: the Messages API with the model in the path and the version in the body.
 * Source: @anthropic-ai/vertex-sdk 1.1.3, client.ts, read 2026-11-22.
 */
import type { Adapter, AdapterContext, AnyAdapter, MessagesRequest, ParamMap } from '#kit/provider'
import { messagesParams } from '#kit/provider'
import { claudeChat } from '../anthropic/chat.ts'
import { nameOf, segmentOf } from './model.ts'
import { projectPath } from './place.ts'
import { renamed } from './renamed.ts'

const VERSION = 'vertex-2023-10-16'

const models = ({ settings }: AdapterContext): string => `${projectPath('v1', settings)}/publishers/anthropic/models`

const predict = (context: AdapterContext): string =>
  `${models(context)}/${segmentOf(nameOf(context.model))}:${context.stream ? 'streamRawPredict' : 'rawPredict'}`

/** Said by the path. */
const elsewhere = () => ({})

const ownParams: ParamMap<MessagesRequest> = { ...messagesParams, model: elsewhere }

const version = ({ anthropic_version: asked }: MessagesRequest) => ({
  anthropic_version: typeof asked === 'string' ? asked : VERSION,
})

/** By the form that Claude is asked in. @param maxTokens the operator's limit for calls without one */
export const claudeAdapters = (maxTokens: number | undefined): Readonly<Record<string, AnyAdapter>> => {
  const messages = claudeChat(predict, maxTokens)
  const chat: Adapter<'chat'> = {
    ...messages,
    params: { ...messages.params, model: elsewhere },
    always: (request, context) => ({ ...messages.always?.(request, context), anthropic_version: VERSION }),
  }
  const native: Adapter<'messages'> = {
    method: 'POST',
    path: predict,
    wire: 'native',
    params: ownParams,
    always: version,
  }
  const count: Adapter<'messages-count-tokens'> = {
    method: 'POST',
    path: (context) => `${models(context)}/count-tokens:rawPredict`,
    wire: 'native',
    // It is no model of the path, so the body says which one is meant.
    params: { ...messagesParams, model: (model) => ({ model: nameOf(model) }) },
    always: version,
  }
  return {
    chat: renamed(chat),
    messages: native as unknown as AnyAdapter,
    'messages-count-tokens': count as unknown as AnyAdapter,
  }
}
