/**
 * What differs between the generations of models. Each of these differences is a 400 when ignored.
 * Source: "Models overview", "Effort", "Thinking", "Structured outputs" and the migration guides (Opus 4.7, Opus 5.5,
 * Sonnet 5.5, Haiku 5.5), read 2026-11-21.
 */
export interface ModelTraits {
  /** Output tokens asked for when nobody said how many. */
  readonly defaultMaxTokens: number
  /** `budget`: `thinking.budget_tokens` (3.7 to 4.5). `adaptive`: `output_config.effort` (4.6 and newer). */
  readonly thinking: 'none' | 'budget' | 'adaptive'
  /** Whether `thinking.budget_tokens` is taken. Since Opus 4.7 it is a 400 ("Adaptive thinking", read 2026-11-22). */
  readonly budgets: boolean
  /** How thinking is turned off: by not asking for it, by a `thinking.type`, or not at all. */
  readonly thinkingOff: 'omit' | 'disabled' | 'between_tools' | 'never'
  /** Accepted values of `output_config.effort`, rising. */
  readonly efforts: readonly string[]
  /** Whether `temperature`, `top_p` and `top_k` may differ from their defaults. */
  readonly sampling: boolean
  /** Whether `tool_choice` may demand a call. */
  readonly forcedToolChoice: boolean
  /** Whether `output_config.format` and strict tools exist. */
  readonly structuredOutputs: boolean
}

type Family = 'opus' | 'sonnet' | 'haiku' | 'fable' | 'mythos'

const FAMILIES: readonly Family[] = ['opus', 'sonnet', 'haiku', 'fable', 'mythos']

/** Anthropic's format spoken by the model of another maker, behind a base URL of the operator: the classic feature set. */
const OTHER_MAKER: ModelTraits = {
  defaultMaxTokens: 8192,
  thinking: 'budget',
  budgets: true,
  thinkingOff: 'omit',
  efforts: [],
  sampling: true,
  forcedToolChoice: true,
  structuredOutputs: true,
}

/** A name without a version is an alias of something current. */
const NEWEST = 5.5

export const traitsOf = (model: string): ModelTraits => {
  const name = model.toLowerCase()
  const family = FAMILIES.find((candidate) => name.includes(candidate))
  if (!name.includes('claude') && family === undefined) return OTHER_MAKER
  const version = versionOf(name)
  if (version < 3.7) {
    return { ...OTHER_MAKER, defaultMaxTokens: version < 3.5 ? 4096 : 8192, thinking: 'none', structuredOutputs: false }
  }
  // Opus 4 and 4.1 give at most 32000, and before 4.5 a limit that does not fit beside the prompt is an error.
  if (version < 4.5) return { ...OTHER_MAKER, defaultMaxTokens: 32_000, structuredOutputs: false }
  if (version < 4.6) return { ...OTHER_MAKER, defaultMaxTokens: 64_000 }
  return {
    defaultMaxTokens: 64_000,
    thinking: 'adaptive',
    budgets: version < 4.7,
    thinkingOff: thinkingOff(family, version),
    efforts: version < 4.7 ? ['low', 'medium', 'high', 'max'] : ['low', 'medium', 'high', 'xhigh', 'max'],
    sampling: version < 4.7,
    forcedToolChoice: allowsForcedToolChoice(family, version),
    structuredOutputs: true,
  }
}

/** `claude-opus-4-5-20251101` is 4.5, `claude-sonnet-4-20250514` 4.0, `claude-3-7-sonnet-latest` 3.7: a date is no minor. */
const versionOf = (name: string): number => {
  const match = /(?:^|[-.])(\d{1,2})(?:[-.](\d))?(?!\d)/.exec(name)
  if (match === null) return NEWEST
  return Number(match[1]) + Number(match[2] ?? 0) / 10
}

const thinkingOff = (family: Family | undefined, version: number): ModelTraits['thinkingOff'] => {
  if (family === 'fable' || family === 'mythos') return 'never'
  if (version < 5) return 'omit'
  if (version < 5.5 || family === 'haiku') return 'disabled'
  return family === 'sonnet' ? 'between_tools' : 'never'
}

const allowsForcedToolChoice = (family: Family | undefined, version: number): boolean => {
  if (family === 'haiku') return true
  return version < (family === 'fable' || family === 'mythos' ? 5.1 : 5.5)
}
