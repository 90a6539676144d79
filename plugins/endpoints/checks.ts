import { MAX_MODEL_CHARACTERS } from '#calls/config/model-name'
import { InvalidRequest, isRecord } from '#kit'

type Check = (value: unknown) => boolean

const isString: Check = (value) => typeof value === 'string'
const isBoolean: Check = (value) => typeof value === 'boolean'
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value)
const isInteger: Check = (value) => Number.isInteger(value)
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0
const isArray: Check = (value) => Array.isArray(value)
const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isStringOrStrings: Check = (value) => isString(value) || (Array.isArray(value) && value.every(isString))
const isFewStrings: Check = (value) =>
  isString(value) || (Array.isArray(value) && value.length <= 4 && value.every(isString))
const isTokens: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(isCount)
const isPrompt: Check = (value) =>
  isString(value) ||
  isTokens(value) ||
  (Array.isArray(value) && value.length > 0 && (value.every(isString) || value.every(isTokens)))
const isStringOrObject: Check = (value) => isString(value) || isObject(value)

/**
 * Types of the parameters whose wrong type would otherwise surface as a puzzling error of some provider. Ranges are
 * left to the provider: they differ between providers and models, and it knows its own.
 */
const CHAT_PARAMS: ReadonlyMap<string, readonly [Check, string]> = new Map([
  ['stream', [isBoolean, 'a boolean']],
  ['stream_options', [isObject, 'an object']],
  ['temperature', [isNumber, 'a number']],
  ['top_p', [isNumber, 'a number']],
  ['n', [isCount, 'a whole number']],
  ['max_tokens', [isCount, 'a whole number']],
  ['max_completion_tokens', [isCount, 'a whole number']],
  ['presence_penalty', [isNumber, 'a number']],
  ['frequency_penalty', [isNumber, 'a number']],
  ['seed', [isInteger, 'a whole number']],
  ['stop', [isStringOrStrings, 'a string or an array of strings']],
  ['user', [isString, 'a string']],
  ['tools', [isArray, 'an array']],
  ['tool_choice', [isStringOrObject, 'a string or an object']],
  ['parallel_tool_calls', [isBoolean, 'a boolean']],
  ['response_format', [isObject, 'an object']],
  ['logprobs', [isBoolean, 'a boolean']],
  ['top_logprobs', [isCount, 'a whole number']],
  ['logit_bias', [isObject, 'an object']],
])

/** Those of text completions. */
const COMPLETIONS_PARAMS: ReadonlyMap<string, readonly [Check, string]> = new Map([
  ['prompt', [isPrompt, 'a string, or an array of strings, of tokens, or of arrays of tokens that is not empty']],
  ['stream', [isBoolean, 'a boolean']],
  ['stream_options', [isObject, 'an object']],
  ['suffix', [isString, 'a string']],
  ['max_tokens', [isCount, 'a whole number']],
  ['temperature', [isNumber, 'a number']],
  ['top_p', [isNumber, 'a number']],
  ['n', [isCount, 'a whole number']],
  ['best_of', [isCount, 'a whole number']],
  ['echo', [isBoolean, 'a boolean']],
  ['logprobs', [isCount, 'a whole number']],
  ['stop', [isFewStrings, 'a string or an array of up to 4 strings']],
  ['presence_penalty', [isNumber, 'a number']],
  ['frequency_penalty', [isNumber, 'a number']],
  ['logit_bias', [isObject, 'an object']],
  ['seed', [isInteger, 'a whole number']],
  ['user', [isString, 'a string']],
])

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** @throws InvalidRequest naming the first field that is missing or of the wrong type. */
export const checkChat = (body: Readonly<Record<string, unknown>>): void => {
  requireModel(body)
  const { messages } = body
  if (messages === undefined) throw invalid('messages', 'is required')
  if (!Array.isArray(messages) || messages.length === 0)
    throw invalid('messages', 'must be an array with at least one message')
  messages.forEach(validateMessage)
  requireTypes(CHAT_PARAMS, body)
}

const validateMessage = (message: unknown, index: number): void => {
  const at = `messages[${index}]`
  if (!isRecord(message)) throw invalid(at, 'must be an object')
  if (typeof message.role !== 'string')
    throw invalid(`${at}.role`, message.role === undefined ? 'is required' : 'must be a string')
  if (!ROLES.has(message.role)) throw invalid(`${at}.role`, `must be one of: ${[...ROLES].join(', ')}`)
  const { content } = message
  if (content === undefined || content === null || typeof content === 'string') return
  if (!Array.isArray(content)) throw invalid(`${at}.content`, 'must be a string or an array of parts')
  content.forEach((part: unknown, partIndex) => {
    const partAt = `${at}.content[${partIndex}]`
    if (!isRecord(part)) throw invalid(partAt, 'must be an object')
    if (typeof part.type !== 'string')
      throw invalid(`${partAt}.type`, part.type === undefined ? 'is required' : 'must be a string')
  })
}

/** @throws InvalidRequest naming the field. */
export const checkCompletions = (body: Readonly<Record<string, unknown>>): void => {
  requireModel(body)
  if (body.prompt === undefined || body.prompt === null) throw invalid('prompt', 'is required')
  requireTypes(COMPLETIONS_PARAMS, body)
}

/** @throws InvalidRequest naming the field. */
export const checkEmbeddings = (body: Readonly<Record<string, unknown>>): void => {
  requireModel(body)
  const { input } = body
  if (input === undefined) throw invalid('input', 'is required')
  const ok = typeof input === 'string' || (Array.isArray(input) && input.length > 0)
  if (!ok) throw invalid('input', 'must be a string or an array with at least one element')
  if (body.stream === true) throw invalid('stream', 'must be false or left out: embeddings come in one answer')
}

const requireTypes = (
  params: ReadonlyMap<string, readonly [Check, string]>,
  body: Readonly<Record<string, unknown>>,
): void => {
  for (const [name, value] of Object.entries(body)) {
    const rule = params.get(name)
    if (rule !== undefined && value !== null && !rule[0](value)) throw invalid(name, `must be ${rule[1]}`)
  }
}

const requireModel = ({ model }: Readonly<Record<string, unknown>>): void => {
  if (model === undefined) throw invalid('model', 'is required')
  if (typeof model !== 'string' || model === '') throw invalid('model', 'must be a string that is not empty')
  if (model.length > MAX_MODEL_CHARACTERS)
    throw invalid('model', `must have at most ${MAX_MODEL_CHARACTERS} characters`)
}

const invalid = (param: string, problem: string): InvalidRequest =>
  new InvalidRequest(`\`${param}\` ${problem}.`, { param })
