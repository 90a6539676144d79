import { defineCheck, isRecord, type PreparedCheck, t } from '#kit'
import { oneOf } from '../shared/parameters.ts'

type Fields = Readonly<Record<string, unknown>>

interface Prefixing {
  readonly prefix: string
  readonly role: 'user' | 'system' | 'assistant'
  readonly addToExisting: boolean
  readonly onlyIfEmpty: boolean
}

export const addPrefix = defineCheck({
  id: 'default.addPrefix',
  summary: 'Writes a text in front of the first message of a role. Always passes.',
  parameters: t.Object({
    prefix: t.String({ minLength: 1 }),
    applyToRole: oneOf(['user', 'system', 'assistant'], { default: 'user' }),
    addToExisting: t.Boolean({ default: true, description: 'False: as a message of its own, before the first one.' }),
    onlyIfEmpty: t.Boolean({ default: false, description: 'Only where that message says nothing.' }),
  }),
  stages: ['input'],
  reads: 'request',
  prepare({ prefix, applyToRole, addToExisting, onlyIfEmpty }): PreparedCheck {
    const prefixing = { prefix, role: applyToRole, addToExisting, onlyIfEmpty }
    return {
      run({ json, requestType }) {
        const add = FORMS[requestType.replace(/^stream-/, '')]
        const changed = add?.(json, prefixing)
        return {
          verdict: true,
          json: changed,
          data: { ...prefixing, explanation: changed === undefined ? 'Nothing was added.' : 'The prefix was added.' },
        }
      },
    }
  },
})

/** @returns undefined where nothing is added */
type Add = (json: Fields, prefixing: Prefixing) => Fields | undefined

const inPrompt: Add = ({ prompt, ...rest }, { prefix, onlyIfEmpty }) => {
  if (onlyIfEmpty && !isEmpty(prompt)) return undefined
  if (typeof prompt === 'string') return { ...rest, prompt: prefix + prompt }
  const [first] = Array.isArray(prompt) ? prompt : []
  return typeof first === 'string' && Array.isArray(prompt)
    ? { ...rest, prompt: [prefix + first, ...prompt.slice(1)] }
    : undefined
}

/** A field that holds what the system says, as text or as parts. */
const inField = (json: Fields, field: string, prefixing: Prefixing, type: string): Fields | undefined => {
  const existing = json[field] ?? ''
  if (prefixing.onlyIfEmpty && !isEmpty(existing)) return undefined
  return { ...json, [field]: existing === '' ? prefixing.prefix : prefixed(existing, prefixing.prefix, type) }
}

const inMessages = (json: Fields, field: string, prefixing: Prefixing, type: string): Fields | undefined => {
  const { prefix, role, addToExisting, onlyIfEmpty } = prefixing
  const messages: readonly unknown[] = Array.isArray(json[field]) ? json[field] : []
  const index = messages.findIndex((message) => isRecord(message) && message.role === role)
  const found = messages[index]
  const own = { role, content: prefix }
  if (!isRecord(found)) return { ...json, [field]: role === 'system' ? [own, ...messages] : [...messages, own] }
  if (onlyIfEmpty && !isEmpty(found.content)) return undefined
  const changed = addToExisting ? [{ ...found, content: prefixed(found.content, prefix, type) }] : [own, found]
  return { ...json, [field]: messages.toSpliced(index, 1, ...changed) }
}

const isEmpty = (content: unknown): boolean =>
  content === undefined ||
  content === null ||
  (typeof content === 'string' && content.trim() === '') ||
  (Array.isArray(content) && content.length === 0)

/** @param type of a part that is text */
const prefixed = (content: unknown, prefix: string, type: string): unknown => {
  if (!Array.isArray(content)) return prefix + (typeof content === 'string' ? content : '')
  const [first] = content
  return isRecord(first) && first.type === type && typeof first.text === 'string'
    ? [{ ...first, text: prefix + first.text }, ...content.slice(1)]
    : [{ type, text: prefix }, ...content]
}

/** By the word for the kind of call. In messages and responses, what the system says has a field of its own. */
const FORMS: Readonly<Record<string, Add>> = {
  complete: inPrompt,
  chatComplete: (json, prefixing) => inMessages(json, 'messages', prefixing, 'text'),
  messages: (json, prefixing) =>
    prefixing.role === 'system'
      ? inField(json, 'system', prefixing, 'text')
      : inMessages(json, 'messages', prefixing, 'text'),
  createModelResponse: (json, prefixing) => {
    if (prefixing.role === 'system') return inField(json, 'instructions', prefixing, 'input_text')
    if (typeof json.input !== 'string') {
      return inMessages(json, 'input', prefixing, prefixing.role === 'user' ? 'input_text' : 'output_text')
    }
    // A text is what a user says.
    if (prefixing.role !== 'user') return undefined
    if (prefixing.onlyIfEmpty && !isEmpty(json.input)) return undefined
    return { ...json, input: prefixing.prefix + json.input }
  },
}
