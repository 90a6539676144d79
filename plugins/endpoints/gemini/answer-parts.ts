import { isRecord, parseJson } from '#kit'
import type { Fields } from './fields.ts'
import { toSignature } from './signatures.ts'

/** What a chat's words for the end of an answer are at Google (`FinishReason` of @google/genai 3.1.0, read 2026-11-22). */
const FINISH_REASONS: Readonly<Record<string, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  function_call: 'STOP',
  content_filter: 'SAFETY',
}

/** A call of a tool, its arguments as the text that a model wrote. */
export interface WrittenCall {
  readonly id: unknown
  readonly name: unknown
  readonly text: string
  readonly extra: unknown
}

export interface Ended {
  readonly calls: readonly Fields[]
  readonly finishReason: string
  readonly finishMessage?: string
}

/**
 * The calls of an answer as parts, and the word for its end. A call that nobody could run is none, and the answer says so: of a text
 * that is no JSON object, Google's own models say the same.
 */
export const endOf = (reason: unknown, calls: readonly WrittenCall[]): Ended => {
  const parts = calls.map(callPart)
  const whole = parts.filter((part) => part !== undefined)
  const word = typeof reason === 'string' ? (FINISH_REASONS[reason] ?? 'OTHER') : 'OTHER'
  if (whole.length === parts.length || word !== 'STOP') return { calls: whole, finishReason: word }
  return {
    calls: whole,
    finishReason: 'MALFORMED_FUNCTION_CALL',
    finishMessage: 'The model called a function with arguments that are no JSON object.',
  }
}

const callPart = ({ id, name, text, extra }: WrittenCall): Fields | undefined => {
  const args = argsOf(text)
  if (args === undefined || typeof name !== 'string' || name === '') return undefined
  const thoughtSignature = toSignature(extra)
  return {
    functionCall: { ...(typeof id === 'string' && id !== '' ? { id } : {}), name, args },
    ...(thoughtSignature === undefined ? {} : { thoughtSignature }),
  }
}

const argsOf = (text: string): Fields | undefined => {
  if (text.trim() === '') return {}
  try {
    const value: unknown = parseJson(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * The content of a candidate. Its clients take an answer without a part for none, and leave its turn out of their history
 * (google-genai 3.4.0, `_validate_response`, read 2026-11-22); what a filter took away is no content at all.
 */
export const contentOf = (parts: readonly Fields[], isSaid: boolean): Fields => {
  if (parts.length === 0 && !isSaid) return {}
  return { content: { parts: parts.length === 0 ? [{ text: '' }] : parts, role: 'model' } }
}

/** What is said in words: some hosts answer with a list of parts, of which the texts are the answer. */
export const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: unknown) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('')
}

/** What the model thought, under either name of it. */
export const thoughtOf = ({ reasoning_content: said, reasoning }: Fields): string => {
  if (typeof said === 'string') return said
  return typeof reasoning === 'string' ? reasoning : ''
}

/**
 * Usage as Google says it: thoughts beside the candidates' tokens, cached tokens within the prompt's (`UsageMetadata`, read
 * 2026-11-21).
 */
export const toUsageMetadata = (usage: unknown): Fields | undefined => {
  if (!isRecord(usage)) return undefined
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage
  const thoughts = countIn(usage.completion_tokens_details, 'reasoning_tokens')
  const cached = countIn(usage.prompt_tokens_details, 'cached_tokens')
  const [given, written] = [countOf(prompt), countOf(completion)]
  return {
    promptTokenCount: given,
    candidatesTokenCount: Math.max(0, written - thoughts),
    totalTokenCount: typeof total === 'number' ? total : given + written,
    ...(cached === 0 ? {} : { cachedContentTokenCount: cached }),
    ...(thoughts === 0 ? {} : { thoughtsTokenCount: thoughts }),
  }
}

const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

const countIn = (details: unknown, name: string): number => (isRecord(details) ? countOf(details[name]) : 0)

/** Log probabilities as Google says them: `LogprobsResult` of @google/genai 3.1.0, read 2026-11-22. */
export const toLogprobs = (logprobs: unknown): Fields | undefined => {
  const content = isRecord(logprobs) && Array.isArray(logprobs.content) ? logprobs.content.filter(isRecord) : []
  if (content.length === 0) return undefined
  return {
    chosenCandidates: content.map(toToken),
    topCandidates: content.map(({ top_logprobs: top }) => ({
      candidates: Array.isArray(top) ? top.filter(isRecord).map(toToken) : [],
    })),
  }
}

const toToken = ({ token, logprob }: Fields): Fields => ({ token, logProbability: logprob })
