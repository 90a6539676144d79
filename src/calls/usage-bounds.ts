import { isRecord } from '../core/json/record.ts'
import type { Usage } from '../core/usage.ts'
import { maxOutputTokens } from './estimate-tokens.ts'

/** What a provider may add to a request by itself, and what a model may think without showing it, in tokens. */
const UNSEEN_TOKENS = 262_144

/** More than the context of any model: for requests that name what they do not hold. */
const LARGEST_CONTEXT = 10_000_000

export interface UsageEvidence {
  readonly params: Readonly<Record<string, unknown>>
  /** Size of the request as it was sent. */
  readonly sentBytes: number
  /** Size of the answer. */
  readonly answerBytes: number
}

/**
 * Usage as far as the call can have used it: a token is a byte at least. Input: the bytes of the request and 262,144 more,
 * or 10 million where the request names files, pages, searches or an earlier conversation that it does not hold. Output: the
 * bytes of the answer, or what the request allows, and 262,144 more.
 */
export const boundedUsage = (usage: Usage, evidence: UsageEvidence): Usage => {
  const { inputTokens, outputTokens, totalTokens } = usage
  const mostInput = inputTokens <= UNSEEN_TOKENS ? UNSEEN_TOKENS : inputBound(evidence)
  const mostOutput = outputTokens <= UNSEEN_TOKENS ? UNSEEN_TOKENS : outputBound(evidence)
  if (inputTokens <= mostInput && outputTokens <= mostOutput && totalTokens <= mostInput + mostOutput) return usage
  return {
    ...usage,
    inputTokens: Math.min(inputTokens, mostInput),
    outputTokens: Math.min(outputTokens, mostOutput),
    totalTokens: Math.min(totalTokens, mostInput + mostOutput),
    estimated: true,
  }
}

const inputBound = ({ params, sentBytes }: UsageEvidence): number =>
  sentBytes + (holdsAll(params) ? UNSEEN_TOKENS : LARGEST_CONTEXT)

const outputBound = ({ params, answerBytes }: UsageEvidence): number =>
  Math.max(answerBytes, maxOutputTokens(params) ?? 0) + UNSEEN_TOKENS

/** Fields whose value stands for something that is not in the request. */
const REFERENCES: ReadonlySet<string> = new Set([
  'cached_content',
  'cachedContent',
  'container',
  'conversation',
  'file_data',
  'file_id',
  'file_uri',
  'file_url',
  'fileData',
  'fileUri',
  'image_url',
  'mcp_servers',
  'plugins',
  'previous_response_id',
  'prompt_id',
  'search_parameters',
  'url',
  'web_search_options',
])

const holdsAll = (params: Readonly<Record<string, unknown>>): boolean => {
  const { tools } = params
  return !(Array.isArray(tools) && tools.some(isProvidersTool)) && !refersElsewhere(params)
}

/** The body has been parsed, so its depth is bounded. */
const refersElsewhere = (value: unknown): boolean => {
  if (Array.isArray(value)) return typeof value[0] === 'object' && value.some(refersElsewhere)
  if (!isRecord(value)) return false
  return Object.entries(value).some(([name, field]) => REFERENCES.has(name) || refersElsewhere(field))
}

/** A tool that the provider runs itself, such as a search: what it finds becomes input. */
const isProvidersTool = (tool: unknown): boolean =>
  isRecord(tool) &&
  tool.type !== 'function' &&
  tool.type !== 'custom' &&
  tool.input_schema === undefined &&
  tool.functionDeclarations === undefined
