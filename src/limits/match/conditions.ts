import { defined } from '../../core/defined.ts'
import type { ConditionVerdict } from '../../core/limits.ts'
import { type Facts, readerOf, toStoredForm, WIDER_ENDPOINT_TYPE } from './condition-keys.ts'
import type { Condition, Matchable } from './policy.ts'

/** What a condition finds in a call. It holds for `present` and `listed`. */
type Finding = 'absent' | 'excluded' | 'present' | 'listed' | 'unlisted'

/**
 * What a call must have for a condition to hold, so that policies need not be tried one by one: for one of the keys, one of
 * the values or a value with one of the beginnings.
 */
export interface Lead {
  readonly keys: readonly string[]
  readonly values: readonly string[]
  /** The empty one stands for any value that is there. */
  readonly prefixes: readonly string[]
}

export interface CompiledCondition {
  readonly lead: Lead
  holds(facts: Facts): boolean
  /** For people. */
  judge(facts: Facts): ConditionVerdict
}

const REASONS: Readonly<Record<Finding, string>> = {
  absent: 'the call has no value for this key',
  excluded: 'the value is one of those excluded',
  present: 'any value will do',
  listed: 'the value is one of those listed',
  unlisted: 'the value is none of those listed',
}

const ANY = '*'
/** What a target decides: it may also ask for another model than the request does. */
const TARGET_KEYS: ReadonlySet<string> = new Set(['provider', 'virtual_key', 'model'])

type Matcher = (actual: string, facts: Facts) => boolean

export const compileCondition = (condition: Condition): CompiledCondition => {
  const { key, value, excludes } = condition
  const read = readerOf(key)
  const isAny = value === ANY
  const isListed = matcherOf(key, textsOf(value))
  const isExcluded = excludes === undefined ? undefined : matcherOf(key, textsOf(excludes))

  const find = (facts: Facts): Finding => {
    const actual = read(facts)
    if (actual === undefined) return 'absent'
    if (isExcluded?.(actual, facts)) return 'excluded'
    if (isAny) return 'present'
    return isListed(actual, facts) ? 'listed' : 'unlisted'
  }

  const holds = (facts: Facts): boolean => {
    const finding = find(facts)
    return finding === 'listed' || finding === 'present'
  }

  return {
    lead: isAny ? { keys: [key], values: [], prefixes: [''] } : leadOf(key, textsOf(value)),
    holds,
    judge: (facts) => ({
      key,
      value,
      ...defined({ excludes }),
      actual: shown(key, read(facts), facts),
      holds: holds(facts),
      reason: REASONS[find(facts)],
    }),
  }
}

/** Whether a policy can only be judged once the target of the call is chosen. */
export const needsTarget = ({ conditions, groupBy }: Pick<Matchable, 'conditions' | 'groupBy'>): boolean =>
  groupBy.some((key) => TARGET_KEYS.has(key)) || conditions.some(({ key }) => TARGET_KEYS.has(key))

const textsOf = (value: string | readonly string[]): readonly string[] => (typeof value === 'string' ? [value] : value)

const ENDPOINT_TYPE = 'endpoint_type'

/**
 * Values of calls that the texts of a condition stand for. A limit on one kind of call is one on those that stream too: it is
 * not got around by asking in another way. Not for models, whose texts are patterns.
 */
const valuesMeant = (key: string, texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => (key === ENDPOINT_TYPE ? [text, `stream-${text}`] : toStoredForm(key, text)))

const matcherOf = (key: string, texts: readonly string[]): Matcher => {
  if (key === 'model') return createModelMatcher(texts.map(toModelPattern))
  const stored = valuesMeant(key, texts)
  const [only] = stored
  if (stored.length === 1) return (actual) => actual === only
  const set = new Set(stored)
  if (key !== ENDPOINT_TYPE) return (actual) => set.has(actual)
  return (actual, { widerEndpointType: wider }) => set.has(actual) || (wider !== undefined && set.has(wider))
}

const leadOf = (key: string, texts: readonly string[]): Lead => {
  if (key !== 'model') {
    const keys = key === ENDPOINT_TYPE ? [key, WIDER_ENDPOINT_TYPE] : [key]
    return { keys, values: valuesMeant(key, texts), prefixes: [] }
  }
  const patterns = texts.map(toModelPattern)
  const providers = patterns.flatMap(({ provider }) => provider ?? [])
  const prefixes = patterns.flatMap(({ model, isPrefix }) => (isPrefix ? model : []))
  // Beginnings are shared by many models, and empty in `@openai/*`; the provider says more.
  if (prefixes.length > 0 && providers.length === patterns.length) {
    return { keys: ['provider', 'virtual_key'], values: providers, prefixes: [] }
  }
  return { keys: [key], values: patterns.flatMap(({ model, isPrefix }) => (isPrefix ? [] : model)), prefixes }
}

/** A model is shown as policies write it. */
const shown = (key: string, actual: string | undefined, { target }: Facts): string | null => {
  if (actual === undefined) return null
  return key === 'model' && target !== undefined ? `@${target.provider}/${actual}` : actual
}

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
