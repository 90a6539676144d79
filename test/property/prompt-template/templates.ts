import { renderMessages } from '../../../src/calls/template/messages.ts'
import { parsePrompt } from '../../../src/calls/template/prompt.ts'
import type { RenderOptions } from '../../../src/calls/template/run.ts'
import { type MessageParts, written } from './arbitraries.ts'

const messageText = ({ role, texts }: MessageParts): string =>
  JSON.stringify({ role, content: texts.map((parts) => ({ type: 'text', text: written(parts) })) })

/** A list of messages without sections around them. */
export const fixedTemplate = (messages: readonly MessageParts[]): string => `[${messages.map(messageText).join(',')}]`

/** The same with them; a first message that is always there spares the commas. */
export const FIRST = { role: 'system', content: 'first' }

export const rawTemplate = (messages: readonly MessageParts[]): string => {
  const rest = messages.map((message) => {
    const text = `,${messageText(message)}`
    return message.under === undefined ? text : `{{#${message.under}}}${text}{{/${message.under}}}`
  })
  return `[${JSON.stringify(FIRST)}${rest.join('')}]`
}

export const optionsOf = (variables: RenderOptions['variables']): RenderOptions => ({
  variables,
  partial: () => undefined,
})

export const messagesOf = (text: string, isRaw: boolean, variables: RenderOptions['variables']): readonly unknown[] => {
  const prompt = parsePrompt(text, { isRaw })
  if (prompt.kind !== 'chat') throw new Error('This is a text prompt')
  return renderMessages(prompt, optionsOf(variables))
}
