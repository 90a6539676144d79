import type { Facts } from './condition-keys.ts'

/** How a policy names models: `gpt-4o`, `gpt-4*`, `@openai/gpt-4o`, `@openai/*`. */
export interface ModelPattern {
  /** Id of a provider or slug of a stored one. Absent: any provider will do. */
  readonly provider?: string
  /** Name of the model, which may hold slashes, or its beginning. */
  readonly model: string
  readonly isPrefix: boolean
}

/**
 * The provider ends at the first slash. A lone `*` is plain text here: what it stands for as the only value of a condition
 * is the condition's affair. A text with `@` and no slash names a model of that name.
 */
export const toModelPattern = (text: string): ModelPattern => {
  const slash = text.startsWith('@') ? text.indexOf('/') : -1
  const name = slash > 1 ? text.slice(slash + 1) : text
  const isPrefix = name.endsWith('*') && text !== '*'
  return {
    ...(slash > 1 ? { provider: text.slice(1, slash) } : {}),
    model: isPrefix ? name.slice(0, -1) : name,
    isPrefix,
  }
}

interface Names {
  readonly exact: Set<string>
  readonly prefixes: string[]
}

const createNames = (): Names => ({ exact: new Set(), prefixes: [] })

const includes = ({ exact, prefixes }: Names, model: string): boolean => {
  if (exact.has(model)) return true
  for (const prefix of prefixes) if (model.startsWith(prefix)) return true
  return false
}

/** Tells whether one of the patterns fits a model at the target of the call. */
export const createModelMatcher = (patterns: readonly ModelPattern[]): ((model: string, facts: Facts) => boolean) => {
  const anywhere = createNames()
  const byProvider = new Map<string, Names>()
  for (const { provider, model, isPrefix } of patterns) {
    const names = provider === undefined ? anywhere : (byProvider.get(provider) ?? createNames())
    if (provider !== undefined) byProvider.set(provider, names)
    if (isPrefix) names.prefixes.push(model)
    else names.exact.add(model)
  }
  const isAt = (provider: string | undefined, model: string): boolean => {
    const names = provider === undefined ? undefined : byProvider.get(provider)
    return names !== undefined && includes(names, model)
  }
  return (model, { target }) =>
    includes(anywhere, model) || isAt(target?.provider, model) || isAt(target?.virtualKey, model)
}
