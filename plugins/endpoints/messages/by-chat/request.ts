import type { AdapterContext, Bridge, BridgeWords } from '#kit/provider'
import { toEffort, toThinking } from './reasoning.ts'
import { toFunctions, toToolChoice } from './tools.ts'
import { toMessages } from './turns.ts'
import { cacheMark, type Fields, isGiven, listAt, type Report, recordAt, refuse, stringAt } from './values.ts'

/** How adapters' refusals of a chat are named to the client. */
export const MESSAGES_WORDS: BridgeWords = {
  turns: { list: 'messages', parts: 'content', became: 'messages' },
  names: {
    max_completion_tokens: 'max_tokens',
    reasoning_effort: 'output_config.effort',
    response_format: 'output_config.format',
    stop: 'stop_sequences',
    user: 'metadata.user_id',
  },
}

type Rule = (value: unknown, params: Fields, context: AdapterContext, report: Report) => Fields

const kept =
  (name: string): Rule =>
  (value) => ({ [name]: value })

/** What another rule reads. */
const readElsewhere: Rule = () => ({})

/** Gives a parameter that has no sense at another provider its name. */
const lost =
  (name: string): Rule =>
  (_value, _params, _context, report) => {
    report(name)
    return {}
  }

/** Features of Anthropic's service, those of its betas too (types of @anthropic-ai/sdk 1.12.0, resources/beta/messages). */
const OWN: readonly string[] = [
  'betas',
  'billing_policy',
  'compaction',
  'container',
  'context_management',
  'diagnostics',
  'fallback_credit_token',
  'fallbacks',
  'inference_geo',
  'mcp_servers',
  'speed',
  'thread',
  'user_profile_id',
  'workspace_id',
]

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['model', kept('model')],
  ['stream', kept('stream')],
  ['temperature', kept('temperature')],
  ['top_p', kept('top_p')],
  ['top_k', kept('top_k')],
  // The newer name: hosts that only know the older one get it under that.
  ['max_tokens', kept('max_completion_tokens')],
  ['messages', (_, params, context, report) => ({ messages: toMessages(params, context, report) })],
  ['system', readElsewhere],
  ['stop_sequences', (value) => (listAt(value, 'stop_sequences').length === 0 ? {} : { stop: value })],
  ['tools', (value, _params, _context, report) => toolFields(toFunctions(value, report))],
  ['tool_choice', (value, { tools }, _context, report) => toToolChoice(value, tools, report)],
  ['thinking', (_, params, context, report) => toThinking(params, context, report)],
  [
    'output_config',
    (value, params, context, report) => ({
      ...toEffort(params, context, report),
      ...formatOf(recordAt(value, 'output_config').format, 'output_config.format'),
    }),
  ],
  // Its name while it was a beta ("Structured outputs").
  ['output_format', (value) => formatOf(value, 'output_format')],
  ['metadata', (value, _params, _context, report) => userOf(recordAt(value, 'metadata'), report)],
  ['service_tier', (value) => ({ service_tier: value === 'standard_only' ? 'default' : value })],
  ['cache_control', (_, params) => cacheMark(params)],
  ...OWN.map((name): [string, Rule] => [name, lost(name)]),
])

/**
 * A request for a message as one for a chat. What a chat has no place for is named; what is not Anthropic's is taken for a
 * parameter of chats, which the provider's own rules are for.
 * @throws InvalidRequest naming the field that cannot be asked elsewhere
 */
export const toChat = (params: Fields, context: AdapterContext): ReturnType<Bridge['request']> => {
  const dropped = new Set<string>()
  const report: Report = (part) => dropped.add(part)
  const request: Record<string, unknown> = {}
  for (const name of Object.keys(params)) {
    const value = params[name]
    if (!isGiven(value)) continue
    const rule = RULES.get(name)
    if (rule === undefined) request[name] = value
    else Object.assign(request, rule(value, params, context, report))
  }
  return { request, dropped: [...dropped] }
}

const toolFields = (tools: readonly unknown[]): Fields => (tools.length === 0 ? {} : { tools })

/** The schema of the answer. Anthropic keeps to it strictly, so that others are asked to. */
const formatOf = (value: unknown, path: string): Fields => {
  if (!isGiven(value)) return {}
  const { type, schema } = recordAt(value, path)
  if (type !== 'json_schema') refuse(`${path}.type`, 'must be json_schema')
  const named = { name: 'answer', schema: recordAt(schema, `${path}.schema`), strict: true }
  return { response_format: { type: 'json_schema', json_schema: named } }
}

/**
 * The most characters of a user's id that OpenAI takes ("string too long. Expected a string with maximum length 64"; others take
 * 128). Those of Claude Code have about 150 (looplj/axonhub #1669, maximhq/bifrost #1000, read 2026-11-22).
 */
const MAX_USER_CHARACTERS = 64

/** The same user is the same to the provider, also where the id is too long for it: then by its hash. */
const userOf = ({ user_id: id, ...others }: Fields, report: Report): Fields => {
  for (const name of Object.keys(others)) if (isGiven(others[name])) report(`metadata.${name}`)
  if (!isGiven(id)) return {}
  const user = stringAt(id, 'metadata.user_id')
  return { user: user.length > MAX_USER_CHARACTERS ? Bun.CryptoHasher.hash('sha256', user, 'hex') : user }
}
