import type { Adapter } from '#kit/provider'
import { traitsOf } from './models.ts'
import { isAbsent } from './values.ts'

/**
 * A last message of the assistant, which the model goes on from ("Prefill Claude's response"). Models since 4.6 refuse it;
 * with thinking or a structured output it does not exist. It must not end in white space.
 */
export const prefill: NonNullable<Adapter<'chat'>['assistantPrefix']> = (request, text, { model }) => {
  const content = text.trimEnd()
  const isPlain = [request.thinking, request.reasoning_effort, request.response_format].every(isAbsent)
  if (content === '' || !isPlain || !canPrefill(model)) return undefined
  if (request.messages.at(-1)?.role === 'assistant') return undefined
  return {
    request: { ...request, messages: [...request.messages, { role: 'assistant', content }] },
    echo: text.slice(content.length),
  }
}

const canPrefill = (model: string): boolean => /claude/i.test(model) && traitsOf(model).thinking !== 'adaptive'
