import { isRecord } from '../../core/json/record.ts'
import { StepBudget } from '../../core/step-budget.ts'
import type { Pattern } from '../pattern/pattern.ts'
import { canonical, isScalar } from './canonical.ts'
import { FORMATS } from './formats.ts'
import { type Check, COST, fault, Run, TooComplex } from './node.ts'
import type { Keyword, Reading } from './reader.ts'

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isRecord,
}

const ARTICLES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
}

const type: Keyword = (value, { problem }) => {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value]
  const known = names.filter((name) => typeof name === 'string').filter((name) => Object.hasOwn(TYPES, name))
  if (known.length === 0 || known.length < names.length) {
    return problem('must be the name of a type of JSON, or an array of such')
  }
  const tests = known.flatMap((name) => TYPES[name] ?? [])
  const message = `must be ${known.map((name) => ARTICLES[name] ?? name).join(' or ')}`
  return (actual, scope) => tests.some((test) => test(actual)) || fault(scope, message)
}

/** Steps to write down the values of `enum` and `const`, of each. */
const WRITE_STEPS = 100_000

const oneOfValues = (values: readonly unknown[], message: string, { problem }: Reading): Check | undefined => {
  const scalars = new Set(values.filter(isScalar))
  const written = new Set<string>()
  try {
    const run = new Run(new StepBudget(WRITE_STEPS))
    for (const each of values) if (!isScalar(each)) written.add(canonical(each, run))
  } catch (thrown) {
    if (!(thrown instanceof TooComplex)) throw thrown
    return problem('is too large')
  }
  return (actual, scope) => {
    const isThere = isScalar(actual)
      ? scalars.has(actual)
      : written.size > 0 && written.has(canonical(actual, scope.run))
    return isThere || fault(scope, message)
  }
}

const enumeration: Keyword = (value, reading) => {
  if (!Array.isArray(value)) return reading.problem('must be an array')
  const shown = value.slice(0, 10).map((each) => clipped(each))
  return oneOfValues(value, `must be one of ${shown.join(', ')}${value.length > shown.length ? ', …' : ''}`, reading)
}

const constant: Keyword = (value, reading) => oneOfValues([value], `must be ${clipped(value)}`, reading)

const clipped = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const bound =
  (holds: (value: number, limit: number) => boolean, words: string): Keyword =>
  (limit, { problem }) => {
    if (typeof limit !== 'number') return problem('must be a number')
    return (value, scope) =>
      typeof value !== 'number' || holds(value, limit) || fault(scope, `must be ${words} ${limit}`)
  }

const multipleOf: Keyword = (divisor, { problem }) => {
  if (typeof divisor !== 'number' || divisor <= 0) return problem('must be a number above 0')
  return (value, scope) => {
    if (typeof value !== 'number') return true
    // Numbers of hundreds of digits.
    scope.run.spend(4 * COST.item)
    return isMultiple(value, divisor) || fault(scope, `must be a multiple of ${divisor}`)
  }
}

/** By their decimal digits: 0.3 is a multiple of 0.1 although the remainder of the binary numbers is not 0. */
const isMultiple = (value: number, divisor: number): boolean => {
  const [digits, exponent] = decimal(value)
  const [divisorDigits, divisorExponent] = decimal(divisor)
  const shared = Math.min(exponent, divisorExponent)
  const scaled = (of: bigint, by: number): bigint => of * 10n ** BigInt(by - shared)
  return scaled(digits, exponent) % scaled(divisorDigits, divisorExponent) === 0n
}

const decimal = (value: number): readonly [digits: bigint, exponent: number] => {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return [BigInt(`${whole}${fraction}`), Number(exponent) - fraction.length]
}

const length =
  (holds: (length: number, limit: number) => boolean, words: string): Keyword =>
  (limit, { problem }) => {
    if (!isCount(limit)) return problem('must be an integer of 0 or more')
    return (value, scope) => {
      if (typeof value !== 'string') return true
      // A text has at most as many code points as units, and at least half as many.
      const isSure = holds(value.length, limit) === holds(Math.ceil(value.length / 2), limit)
      const isFit = holds(isSure ? value.length : codePoints(value, scope.run), limit)
      return isFit || fault(scope, `must have ${words} ${limit} character${limit === 1 ? '' : 's'}`)
    }
  }

const codePoints = (text: string, run: Run): number => {
  run.spend(text.length)
  let count = 0
  for (const _ of text) count++
  return count
}

const pattern: Keyword = (source, reading) => {
  if (typeof source !== 'string') return reading.problem('must be a string')
  const searched = reading.pattern(source)
  if (searched === undefined) return undefined
  const message = `must match the pattern ${clipped(source)}`
  return (value, scope) => typeof value !== 'string' || found(searched, value, scope.run) || fault(scope, message)
}

/** @throws TooComplex for a text that is too long to be searched */
export const found = (searched: Pattern, text: string, run: Run): boolean => {
  run.spend(searched.stepsFor(text))
  return searched.test(text)
}

/** Steps to compile the largest pattern. */
const PATTERN_STEPS = 50_000

const format: Keyword = (name, { problem }) => {
  if (typeof name !== 'string') return problem('must be a string')
  const test = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined
  // One that is not known says nothing, as the drafts have it.
  if (test === undefined) return undefined
  return (value, scope) => {
    if (typeof value !== 'string') return true
    scope.run.spend(name === 'regex' ? PATTERN_STEPS : COST.keyword + value.length)
    return test(value) || fault(scope, `must have the format '${name}'`)
  }
}

export const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0

/** Keywords of values that have no parts. */
export const VALUE_KEYWORDS: Readonly<Record<string, Keyword>> = {
  type,
  enum: enumeration,
  const: constant,
  minimum: bound((value, limit) => value >= limit, 'at least'),
  maximum: bound((value, limit) => value <= limit, 'at most'),
  exclusiveMinimum: bound((value, limit) => value > limit, 'more than'),
  exclusiveMaximum: bound((value, limit) => value < limit, 'less than'),
  multipleOf,
  minLength: length((actual, limit) => actual >= limit, 'at least'),
  maxLength: length((actual, limit) => actual <= limit, 'at most'),
  pattern,
  format,
}
