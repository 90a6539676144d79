import { isRecord } from '../../core/json/record.ts'
import { StepBudget } from '../../core/step-budget.ts'
import type { Violation } from '../../errors/gateway-error.ts'
import { type Pattern, readPattern } from '../pattern/pattern.ts'
import { PatternRefused } from '../pattern/translate.ts'
import { ARRAY_KEYWORDS, REST_OF_ARRAY } from './arrays.ts'
import { COMBINATIONS } from './combinations.ts'
import { type Fault, fault, fits, type Place, Run, type SchemaNode } from './node.ts'
import { OBJECT_KEYWORDS, REST_OF_OBJECT } from './objects.ts'
import type { Keyword, SchemaObject } from './reader.ts'
import { References } from './references.ts'
import { VALUE_KEYWORDS } from './values.ts'

export { TooComplex } from './node.ts'

/** What one schema may have. Each is far above what people write, and keeps what one check does in memory small. */
const LIMITS = {
  /** Levels of objects and arrays. */
  depth: 64,
  /** Objects, arrays, texts and all other values. */
  values: 10_000,
  patterns: 100,
  /** States of all patterns together. */
  patternStates: 10_000,
  /** Schemas of one value, with those that they refer to, each as often as it is referred to. */
  unfolded: 2_000,
}

/** Steps of one check: some 100 milliseconds. */
const CHECK_STEPS = 5_000_000

/** No more than this many violations of a schema are listed. */
const MAX_PROBLEMS = 20

/** A schema that cannot be used. Paths are inside it, as `properties.name.pattern`. */
export class SchemaRefused extends Error {
  readonly violations: readonly Violation[]

  constructor(violations: readonly Violation[]) {
    super(violations.map(({ path, message }) => `${path === '' ? 'the schema' : path} ${message}`)[0])
    this.violations = violations
  }
}

/** Says what is wrong with a value, by paths inside it such as `users.0.name`. @throws TooComplex */
export type SchemaCheck = (value: unknown) => readonly Violation[]

/**
 * Reads a JSON Schema (draft 2020-12; `definitions`, `dependencies` and the array form of `items` as in older ones). Formats
 * that are known are checked. How long a check takes is bounded, whatever schema and value are.
 * @throws SchemaRefused naming what cannot be used: keywords with a wrong value, references to nothing or in circles,
 * patterns that cannot be searched for, too much of anything
 */
export const readSchema = (schema: unknown): SchemaCheck => {
  const excess = findExcess(schema)
  if (excess !== undefined) throw new SchemaRefused([{ path: '', message: excess }])
  const reader = new SchemaReader(schema)
  const root = reader.readAll(schema)
  findCircles(reader)
  if (reader.problems.length > 0) throw new SchemaRefused(reader.problems)
  return (value) => {
    const faults: Fault[] = []
    const run = new Run(new StepBudget(CHECK_STEPS))
    fits(root, value, { run, place: undefined, faults, seen: undefined })
    return faults.map(({ place, message }) => ({ path: pathOf(place), message }))
  }
}

const pathOf = (place: Place | undefined): string => {
  const keys: (string | number)[] = []
  for (let at = place; at !== undefined; at = at.outer) keys.push(at.key)
  return keys.reverse().join('.')
}

/** Looked at before anything walks through the schema. */
const findExcess = (schema: unknown): string | undefined => {
  let level = [schema]
  let values = 1
  for (let depth = 0; depth < LIMITS.depth; depth++) {
    level = level.flatMap((each): unknown[] => (typeof each === 'object' && each !== null ? Object.values(each) : []))
    values += level.length
    if (values > LIMITS.values) return `has more than ${LIMITS.values} values`
    if (level.length === 0) return undefined
  }
  return `is nested more than ${LIMITS.depth} levels deep`
}

/** In the order in which they run: what is asked of the rest comes last. */
const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({
    ...VALUE_KEYWORDS,
    ...OBJECT_KEYWORDS,
    ...ARRAY_KEYWORDS,
    ...COMBINATIONS,
    ...REST_OF_ARRAY,
    ...REST_OF_OBJECT,
  }),
)

const REST_KEYWORDS = [...Object.keys(REST_OF_ARRAY), ...Object.keys(REST_OF_OBJECT)]

class SchemaReader {
  readonly problems: Violation[] = []
  /** Where each schema stands that was read. */
  readonly paths = new Map<SchemaNode, string>()
  readonly #nodes = new Map<SchemaObject, SchemaNode>()
  readonly #patterns = new Map<string, Pattern>()
  readonly #references: References
  /** Schemas that were named and not read yet: a chain of references may be longer than the stack. */
  readonly #unread: [schema: SchemaObject, node: SchemaNode, path: string][] = []

  constructor(root: unknown) {
    this.#references = new References(root)
  }

  readAll(root: unknown): SchemaNode {
    const node = this.#node(root, '')
    for (let next = this.#unread.pop(); next !== undefined; next = this.#unread.pop()) this.#read(...next)
    return node
  }

  #node(schema: unknown, path: string): SchemaNode {
    const known = isRecord(schema) ? this.#nodes.get(schema) : undefined
    if (known !== undefined) return known
    const node: SchemaNode = { checks: [], inPlace: [], asksForRest: false }
    this.paths.set(node, path)
    if (isRecord(schema)) {
      this.#nodes.set(schema, node)
      this.#unread.push([schema, node, path])
    } else if (schema === false) node.checks.push((_, scope) => fault(scope, 'is not allowed'))
    else if (schema !== true) this.#problem(path, 'must be a schema: an object, true or false')
    return node
  }

  #read(schema: SchemaObject, node: SchemaNode, path: string): void {
    node.asksForRest = REST_KEYWORDS.some((name) => Object.hasOwn(schema, name))
    for (const [name, keyword] of KEYWORDS) {
      if (!Object.hasOwn(schema, name)) continue
      const at = joined(path, name)
      const check = keyword(schema[name], {
        schema,
        part: (inner, ...keys) => this.#node(inner, joined(at, ...keys)),
        inPlace: (inner, ...keys) =>
          this.#inPlace(node, inner, keys[0] === '..' ? joined(path, ...keys.slice(1)) : joined(at, ...keys)),
        target: (reference) => {
          const found = this.#references.find(reference, schema)
          return found === undefined ? undefined : this.#inPlace(node, found, this.#references.pathOf(found) ?? at)
        },
        isAmbiguous: (reference) => this.#references.isAmbiguous(reference),
        pattern: (source, ...keys) => this.#pattern(source, joined(at, ...keys)),
        problem: (message, ...keys) => this.#problem(joined(at, ...keys), message),
      })
      if (check !== undefined) node.checks.push(check)
    }
  }

  #inPlace(node: SchemaNode, schema: unknown, path: string): SchemaNode {
    const inner = this.#node(schema, path)
    node.inPlace.push(inner)
    return inner
  }

  #pattern(source: string, path: string): Pattern | undefined {
    const known = this.#patterns.get(source)
    if (known !== undefined) return known
    try {
      const pattern = readPattern(source)
      const states = [...this.#patterns.values(), pattern].reduce((total, { size }) => total + size, 0)
      if (this.#patterns.size >= LIMITS.patterns) return this.#problem(path, `is one of more than ${LIMITS.patterns}`)
      if (states > LIMITS.patternStates) return this.#problem(path, 'is too large, with all patterns before it')
      const wrong = pattern.fault()
      if (wrong !== undefined) return this.#problem(path, `is no pattern: ${wrong}`)
      this.#patterns.set(source, pattern)
      return pattern
    } catch (thrown) {
      if (!(thrown instanceof PatternRefused)) throw thrown
      return this.#problem(path, `cannot be used: ${thrown.message}`)
    }
  }

  #problem(path: string, message: string): undefined {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ path, message })
  }
}

const joined = (path: string, ...keys: readonly (string | number)[]): string =>
  [...(path === '' ? [] : [path]), ...keys].join('.')

/** Notes a schema that comes back to itself without going deeper into the value, or that unfolds to too many. */
const findCircles = ({ paths, problems }: SchemaReader): void => {
  const sizes = new Map<SchemaNode, number>()
  const open = new Set<SchemaNode>()
  const sizeOf = (node: SchemaNode): number => {
    const known = sizes.get(node)
    if (known !== undefined) return known
    if (open.has(node)) return Number.POSITIVE_INFINITY
    open.add(node)
    const size = node.inPlace.reduce((total, each) => total + sizeOf(each), 1)
    open.delete(node)
    sizes.set(node, size)
    return size
  }
  for (const [node, path] of paths) {
    const size = sizeOf(node)
    if (size <= LIMITS.unfolded) continue
    const message =
      size === Number.POSITIVE_INFINITY
        ? 'refers to itself without going deeper into the value'
        : `unfolds to more than ${LIMITS.unfolded} schemas, with those that it refers to`
    problems.push({ path, message })
    return
  }
}
