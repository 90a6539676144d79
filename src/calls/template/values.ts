import { isDeeperThan, MAX_JSON_DEPTH } from '../../core/json/json-depth.ts'
import { TemplateTooLarge } from './errors.ts'

/** What names are looked up in: an item of a section, then what is around it. */
export interface Context {
  readonly value: unknown
  readonly around: Context | undefined
  /** Contexts around this one. */
  readonly depth: number
}

/**
 * The value of a name. Its first key is sought from the innermost context outwards, the others in what was found there. Own
 * properties only: neither `constructor` nor `length` of a text is there unless the variables have a key of that name.
 * Undefined: missing.
 */
export const lookUp = (path: readonly string[], innermost: Context): unknown => {
  const [first] = path
  if (first === undefined) return innermost.value
  for (let context: Context | undefined = innermost; context !== undefined; context = context.around) {
    if (!hasOwn(context.value, first)) continue
    let found: unknown = context.value
    for (const key of path) {
      if (!hasOwn(found, key)) return undefined
      found = found[key]
    }
    return found
  }
  return undefined
}

const hasOwn = (value: unknown, key: string): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)

/**
 * What a value writes: a text itself, a number or boolean as in JSON, an object or list as JSON text, nothing for null and
 * for what is missing.
 * @throws TemplateTooLarge for what has no JSON text because it is nested too deep
 */
export const textOf = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'object':
      return value === null ? '' : jsonOf(value)
    default:
      return ''
  }
}

const jsonOf = (value: object): string => {
  if (isDeeperThan(value, MAX_JSON_DEPTH)) throw new TemplateTooLarge('a value is nested too deep')
  return JSON.stringify(value)
}
