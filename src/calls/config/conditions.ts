import { nearest } from '../../core/json/check.ts'
import { isRecord } from '../../core/json/record.ts'
import type { ConditionQuery, ConditionSubject } from '../../kit/plan.ts'
import { OPERATORS } from './operators.ts'

/** Steps of all searches for patterns of one call: some 50 milliseconds. */
export const SEARCH_STEPS = 2_000_000

/** Gets what is wrong, with its path inside the query: `$or[0].metadata.plan.$regx`. */
export type QueryProblem = (path: string, message: string) => void

type Predicate = (subject: ConditionSubject) => boolean

const never: Predicate = () => false

/** Queries in queries, at most; more than anybody writes, and few enough for the stack. */
const MAX_DEPTH = 20

/**
 * Compiles a query: paths (`metadata.<key>`, `params.<key>`, `url.pathname`) with a value or operators, and `$and` and
 * `$or` with lists of queries. All entries of a query must hold. A subject that is missing fails whatever is asked of it
 * (behaviour reference, section 2.5). A part with a problem never holds.
 */
export const compileQuery = (
  source: Readonly<Record<string, unknown>>,
  problem: QueryProblem = () => undefined,
): ConditionQuery => ({ source, holds: toPredicate(source, '', 1, problem) })

const toPredicate = (query: unknown, path: string, depth: number, problem: QueryProblem): Predicate => {
  if (!isRecord(query)) {
    problem(path, 'must be an object')
    return never
  }
  if (depth > MAX_DEPTH) {
    problem(path, `is nested more than ${MAX_DEPTH} levels deep`)
    return never
  }
  const parts = Object.entries(query).map(([key, value]): Predicate => {
    const at = joined(path, key)
    if (key === '$and' || key === '$or') return toJoin(key, value, at, depth, problem)
    return toComparison(key, value, at, problem)
  })
  return (subject) => parts.every((holds) => holds(subject))
}

const toJoin = (key: '$and' | '$or', list: unknown, path: string, depth: number, problem: QueryProblem): Predicate => {
  if (!Array.isArray(list)) {
    problem(path, 'must be an array of queries')
    return never
  }
  const parts = list.map((query: unknown, index) => toPredicate(query, `${path}[${index}]`, depth + 1, problem))
  return key === '$and'
    ? (subject) => parts.every((holds) => holds(subject))
    : (subject) => parts.some((holds) => holds(subject))
}

const toComparison = (key: string, value: unknown, path: string, problem: QueryProblem): Predicate => {
  const read = readerOf(key)
  if (read === undefined) {
    problem(path, unknownSubject(key))
    return never
  }
  const operators: [string, unknown][] = isRecord(value) ? Object.entries(value) : [['$eq', value]]
  if (operators.length === 0) problem(path, 'must hold a value or an operator')
  const tests = operators.map(([name, operand]) => {
    const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined
    const at = isRecord(value) ? joined(path, name) : path
    if (operator !== undefined) return operator(operand, (message) => problem(at, message))
    problem(at, unknownOperator(name))
    return () => false
  })
  return (subject) => {
    const actual = read(subject)
    return actual !== undefined && tests.length > 0 && tests.every((holds) => holds(actual, subject.searchBudget))
  }
}

const readerOf = (path: string): ((subject: ConditionSubject) => unknown) | undefined => {
  if (path === 'url.pathname') return ({ pathname }) => pathname
  const [, source, key = ''] = /^(metadata|params)\.([^.]+)$/.exec(path) ?? []
  if (source === 'metadata') return ({ metadata }) => own(metadata, key)
  if (source === 'params') return ({ params }) => own(params, key)
  return undefined
}

const own = (fields: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(fields, key) ? fields[key] : undefined

const joined = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

const unknownSubject = (key: string): string =>
  key.startsWith('$')
    ? `unknown operator; ${hint(key, ['$and', '$or'])}`
    : 'unknown subject; known are: metadata.<key>, params.<key> (one level each), url.pathname'

const unknownOperator = (name: string): string => `unknown operator; ${hint(name, Object.keys(OPERATORS))}`

const hint = (name: string, names: readonly string[]): string => {
  const near = nearest(name, names)
  return near === undefined ? `known are: ${names.join(', ')}` : `did you mean '${near}'?`
}
