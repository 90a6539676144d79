/** A part of a config that calls go to, or are spread from. */
export interface Branch {
  /** As the gateway names it: `config.targets[0]`. */
  readonly path: string
  /** What it is, in words. */
  readonly title: string
  /** When it is taken. */
  readonly when: string
  /** What else it does. */
  readonly notes: readonly string[]
  readonly branches: readonly Branch[]
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/** The way of calls through a config, as far as it can be read: what is no config yet has no branches. */
export const toTree = (config: unknown): Branch => toBranch(isObject(config) ? config : {}, 'config', 'each call')

const toBranch = (part: Json, path: string, when: string): Branch => {
  const strategy = isObject(part.strategy) ? part.strategy : {}
  const targets = listOf(part.targets)
  const mode = targets.length === 0 ? undefined : (textOf(strategy.mode) ?? 'single')
  return {
    ...{ path, when, notes: notesOf(part) },
    title: mode === undefined ? targetTitle(part) : `${mode} of ${targets.length}`,
    branches: targets.map((target, index) =>
      toBranch(target, `${path}.targets[${index}]`, whenOf(mode ?? 'single', strategy, targets, index)),
    ),
  }
}

const targetTitle = (part: Json): string => {
  const provider = textOf(part.virtual_key) ?? textOf(part.provider) ?? textOf(part.prompt_id)
  const model = isObject(part.override_params) ? textOf(part.override_params.model) : undefined
  return [provider ?? 'as the call says', model].filter(Boolean).join(' · ')
}

const whenOf = (mode: string, strategy: Json, targets: readonly Json[], index: number): string => {
  const own = targets[index] ?? {}
  if (mode === 'loadbalance') {
    const weights = targets.map(({ weight }) => (typeof weight === 'number' ? weight : 1))
    const sum = weights.reduce((total, weight) => total + weight, 0)
    return sum === 0 ? 'never' : `${Math.round(((weights[index] ?? 0) / sum) * 100)} % of calls`
  }
  if (mode === 'fallback') return index === 0 ? 'first' : `when ${index} before it failed`
  if (mode === 'conditional') return conditionOf(strategy, textOf(own.name))
  return index === 0 ? 'always' : 'never'
}

const conditionOf = (strategy: Json, name: string | undefined): string => {
  const conditions = listOf(strategy.conditions).filter(({ then }) => then === name && name !== undefined)
  const words = conditions.map(({ query }) => `when ${JSON.stringify(query)}`)
  if (name !== undefined && strategy.default === name) words.push('when nothing else fits')
  return words.join(', or ') || 'never'
}

const notesOf = (part: Json): readonly string[] => {
  const notes: string[] = []
  const { retry, cache } = part
  if (isObject(retry)) notes.push(`tries ${textOf(retry.attempts) ?? 'several'} times more`)
  if (isObject(cache)) notes.push(`${textOf(cache.mode) ?? 'simple'} cache`)
  const checks = ['input_guardrails', 'output_guardrails', 'before_request_hooks', 'after_request_hooks']
  const guardrails = checks.reduce((sum, name) => sum + (Array.isArray(part[name]) ? part[name].length : 0), 0)
  if (guardrails > 0) notes.push(`${guardrails} guardrail${guardrails === 1 ? '' : 's'}`)
  const timeout = textOf(part.request_timeout)
  if (timeout !== undefined) notes.push(`at most ${timeout} ms`)
  return notes
}
