import type { StepBudget } from '../../core/step-budget.ts'
import { readPattern } from '../pattern/pattern.ts'
import { PatternRefused } from '../pattern/translate.ts'

/** @param budget what searches for patterns may take, over all conditions of a call */
type Test = (actual: unknown, budget: StepBudget) => boolean

/**
 * Makes the test of an operator for its operand.
 * @param problem gets what is wrong with the operand; the test then never holds
 */
type Operator = (operand: unknown, problem: (message: string) => void) => Test

const never: Test = () => false

const isScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

/**
 * Whether two values are the same. Metadata are always texts, so a number or a boolean is also the same as its text.
 */
const isSame = (actual: unknown, operand: unknown): boolean => {
  if (actual === operand) return true
  if (typeof actual === 'string') return isPrintable(operand) && actual === String(operand)
  return typeof operand === 'string' && isPrintable(actual) && operand === String(actual)
}

const isPrintable = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean'

/** Characters of a text that may be a number, at most: a long text is not read again for each condition. */
const MAX_NUMBER_TEXT = 400

/** Not a number for anything but numbers and texts that are one. */
const toNumber = (value: unknown): number => {
  if (typeof value === 'number') return value
  const isText = typeof value === 'string' && value.length <= MAX_NUMBER_TEXT && value.trim() !== ''
  return isText ? Number(value) : Number.NaN
}

const equal: Operator = (operand, problem) => {
  if (isScalar(operand)) return (actual) => isSame(actual, operand)
  problem('must be a string, a number, a boolean or null')
  return never
}

const inList: Operator = (operand, problem) => {
  if (Array.isArray(operand) && operand.every(isScalar)) {
    return (actual) => operand.some((each) => isSame(actual, each))
  }
  problem('must be an array of strings, numbers, booleans or nulls')
  return never
}

const ordered =
  (holds: (actual: number, bound: number) => boolean): Operator =>
  (operand, problem) => {
    const bound = toNumber(operand)
    if (!Number.isNaN(bound)) return (actual) => holds(toNumber(actual), bound)
    problem('must be a number')
    return never
  }

const pattern: Operator = (operand, problem) => {
  if (typeof operand !== 'string') {
    problem('must be a string')
    return never
  }
  try {
    const searched = readPattern(operand)
    return (actual, budget) => {
      if (typeof actual !== 'string' && !isPrintable(actual)) return false
      const text = String(actual)
      return budget.take(searched.stepsFor(text)) && searched.test(text)
    }
  } catch (thrown) {
    if (!(thrown instanceof PatternRefused)) throw thrown
    problem(thrown.message)
    return never
  }
}

/** The opposite for a value that is there: one that is missing fails every operator. */
const not =
  (operator: Operator): Operator =>
  (operand, problem) => {
    let isWrong = false
    const test = operator(operand, (message) => {
      isWrong = true
      problem(message)
    })
    return isWrong ? never : (actual, budget) => !test(actual, budget)
  }

export const OPERATORS: Readonly<Record<string, Operator>> = {
  $eq: equal,
  $ne: not(equal),
  $in: inList,
  $nin: not(inList),
  $regex: pattern,
  $gt: ordered((actual, bound) => actual > bound),
  $gte: ordered((actual, bound) => actual >= bound),
  $lt: ordered((actual, bound) => actual < bound),
  $lte: ordered((actual, bound) => actual <= bound),
}
