import type { ChatRequest } from './openai.ts'
import type { Adapter } from './provider.ts'

/** How a host of OpenAI's format is asked to go on from the last message. */
export interface PrefixForm {
  /** Fields of the message: `{partial: true}`. */
  readonly message?: Readonly<Record<string, unknown>>
  /** Fields of the request: `{continue_final_message: true}`. */
  readonly request?: Readonly<Record<string, unknown>>
  /** Whether it can with such a request. Default: with any. */
  readonly fits?: (request: ChatRequest) => boolean
}

/** The usual form, which is what `true` stands for. */
const USUAL: PrefixForm = { message: { prefix: true } }

/** Some hosts of this kind repeat the prefix in their answer, others do not. */
export const withPrefixMessage = (form: PrefixForm | true): NonNullable<Adapter<'chat'>['assistantPrefix']> => {
  const { message, request: fields, fits } = form === true ? USUAL : form
  return (request, text) => {
    if (request.messages.at(-1)?.role === 'assistant' || fits?.(request) === false) return undefined
    const last = { role: 'assistant' as const, content: text, ...message }
    return { request: { ...request, ...fields, messages: [...request.messages, last] }, echo: text }
  }
}
