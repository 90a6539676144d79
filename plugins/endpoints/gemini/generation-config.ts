import { isRecord } from '#kit'
import { camelOf, type Fields, fieldOf, recordAt, refuse, textAt } from './fields.ts'
import { toJsonSchema } from './schema.ts'

type Lose = (name: string) => void

const PLACE = 'generationConfig.'

/** Numbers that a chat has under another name; `GenerationConfig` of the Gemini API's v1beta definitions, read 2026-11-22. */
const NUMBERS: ReadonlyMap<string, readonly [name: string, isWhole: boolean]> = new Map([
  ['temperature', ['temperature', false]],
  ['topP', ['top_p', false]],
  ['topK', ['top_k', false]],
  ['candidateCount', ['n', true]],
  ['maxOutputTokens', ['max_completion_tokens', true]],
  ['presencePenalty', ['presence_penalty', false]],
  ['frequencyPenalty', ['frequency_penalty', false]],
  ['seed', ['seed', true]],
  ['logprobs', ['top_logprobs', true]],
])

/** The client's names of what chats have under another one, for refusals. */
export const CHAT_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...NUMBERS].map(([field, [name]]) => [name, `${PLACE}${field}`])),
  logprobs: `${PLACE}responseLogprobs`,
  reasoning_effort: `${PLACE}thinkingConfig`,
  response_format: `${PLACE}responseMimeType`,
  service_tier: 'serviceTier',
  stop: `${PLACE}stopSequences`,
  tool_choice: 'toolConfig',
}

/** Fields that are read in other ways, or say nothing that is not so anyway. */
const READ: ReadonlySet<string> = new Set([
  'stopSequences',
  'responseLogprobs',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'thinkingConfig',
])

/** Parameters of a chat. What has no place in one is lost. @throws InvalidRequest naming the field */
export const toParams = (request: Fields, lose: Lose): Fields => {
  const config = recordAt(request, 'generationConfig')
  if (config === undefined) return {}
  const params: Record<string, unknown> = {}
  for (const [written, value] of Object.entries(config)) {
    const name = camelOf(written)
    const number = NUMBERS.get(name)
    if (value === null || value === undefined || READ.has(name)) continue
    if (number !== undefined) params[number[0]] = numberOf(value, name, number[1])
    else if (name === 'responseModalities') loseModalities(value, lose)
    else lose(`${PLACE}${name}`)
  }
  return { ...params, ...stopOf(config), ...logprobsOf(config), ...formatOf(config, lose), ...effortOf(config, lose) }
}

const numberOf = (value: unknown, name: string, isWhole: boolean): number => {
  if (typeof value === 'number' && (isWhole ? Number.isInteger(value) : Number.isFinite(value))) return value
  throw refuse(`${PLACE}${name}`, isWhole ? 'must be a whole number' : 'must be a number')
}

/** Text is what a chat answers with. */
const loseModalities = (value: unknown, lose: Lose): void => {
  if (!Array.isArray(value) || value.some((each) => each !== 'TEXT')) lose(`${PLACE}responseModalities`)
}

const stopOf = (config: Fields): Fields => {
  const stop = fieldOf(config, 'stopSequences')
  if (stop === undefined) return {}
  if (!Array.isArray(stop) || stop.some((each) => typeof each !== 'string')) {
    throw refuse(`${PLACE}stopSequences`, 'must be an array of strings')
  }
  return stop.length === 0 ? {} : { stop }
}

const logprobsOf = (config: Fields): Fields => {
  const wanted = fieldOf(config, 'responseLogprobs')
  if (wanted === undefined || wanted === false) return {}
  if (wanted !== true) throw refuse(`${PLACE}responseLogprobs`, 'must be a boolean')
  return { logprobs: true }
}

/** The answer as JSON, with its schema if it has one. */
const formatOf = (config: Fields, lose: Lose): Fields => {
  const type = textAt(config, 'responseMimeType', PLACE) ?? 'text/plain'
  const given = fieldOf(config, 'responseJsonSchema')
  const own = fieldOf(config, 'responseSchema')
  if (given !== undefined && !isRecord(given)) throw refuse(`${PLACE}responseJsonSchema`, 'must be an object')
  const schema = given ?? (own === undefined ? undefined : toJsonSchema(own, `${PLACE}responseSchema`))
  if (type === 'application/json') {
    if (schema === undefined) return { response_format: { type: 'json_object' } }
    return {
      response_format: { type: 'json_schema', json_schema: { name: 'response', schema, ...strictness(schema) } },
    }
  }
  if (type !== 'text/plain') lose(`${PLACE}responseMimeType`)
  if (given !== undefined) lose(`${PLACE}responseJsonSchema`)
  if (own !== undefined) lose(`${PLACE}responseSchema`)
  return {}
}

/** Google holds its models to the schema, which others do where they are asked to, and only for an object. */
const strictness = (schema: Fields): Fields => (schema.type === 'object' ? { strict: true } : {})

const LEVELS: Readonly<Record<string, string>> = { MINIMAL: 'minimal', LOW: 'low', MEDIUM: 'medium', HIGH: 'high' }

/** Most tokens of each effort: the table of page "OpenAI compatibility", part "Thinking", read 2026-11-21. */
const BUDGETS: readonly (readonly [tokens: number, effort: string])[] = [
  [0, 'none'],
  [1024, 'low'],
  [8192, 'medium'],
  [Number.POSITIVE_INFINITY, 'high'],
]

/** How much to think. A budget of -1 leaves it to the model, as saying nothing does. */
const effortOf = (config: Fields, lose: Lose): Fields => {
  const thinking = recordAt(config, 'thinkingConfig', PLACE)
  if (thinking === undefined) return {}
  const place = `${PLACE}thinkingConfig.`
  for (const name of Object.keys(thinking).map(camelOf)) {
    if (!['includeThoughts', 'thinkingBudget', 'thinkingLevel'].includes(name)) lose(`${place}${name}`)
  }
  const level = textAt(thinking, 'thinkingLevel', place)?.toUpperCase()
  if (level !== undefined && level !== 'THINKING_LEVEL_UNSPECIFIED') {
    const effort = Object.hasOwn(LEVELS, level) ? LEVELS[level] : undefined
    if (effort === undefined) throw refuse(`${place}thinkingLevel`, 'must be MINIMAL, LOW, MEDIUM or HIGH')
    return { reasoning_effort: effort }
  }
  const budget = fieldOf(thinking, 'thinkingBudget')
  if (budget === undefined || budget === -1) return {}
  if (!Number.isInteger(budget) || Number(budget) < 0) throw refuse(`${place}thinkingBudget`, 'must be a whole number')
  return { reasoning_effort: BUDGETS.find(([tokens]) => Number(budget) <= tokens)?.[1] }
}
