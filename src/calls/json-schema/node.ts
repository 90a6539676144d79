import type { StepBudget } from '../../core/step-budget.ts'

/** Calls inside calls of one check: schemas in schemas, values in values. Few enough for the stack. */
const MAX_NESTING = 400

/** Steps, by what they were measured to take. */
export const COST = { schema: 10, keyword: 5, key: 4, item: 30 }

/** What keeps one check from going on. */
export class TooComplex extends Error {}

/** Where a value stands: the key or index of each level, the innermost first. */
export interface Place {
  readonly key: string | number
  readonly outer: Place | undefined
}

export interface Fault {
  readonly place: Place | undefined
  readonly message: string
}

/** One check of a value against a whole schema. */
export class Run {
  readonly #budget: StepBudget
  #nesting = 0

  constructor(budget: StepBudget) {
    this.#budget = budget
  }

  /** @throws TooComplex when the steps are used up */
  spend(steps: number): void {
    if (!this.#budget.take(steps)) throw new TooComplex('they take too long to check against the schema')
  }

  enter(): void {
    this.#nesting++
    if (this.#nesting > MAX_NESTING) throw new TooComplex('they are nested too deep for the schema')
  }

  leave(): void {
    this.#nesting--
  }
}

/** Keys and items of one value that some schema has looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Seen {
  readonly keys = new Set<string>()
  readonly items = new Set<number>()

  /** Takes over what another schema of the same value has seen. */
  add(other: Seen, run: Run): void {
    run.spend(COST.key * (other.keys.size + other.items.size))
    for (const key of other.keys) this.keys.add(key)
    for (const item of other.items) this.items.add(item)
  }
}

/** What a check knows besides the value. */
export interface Scope {
  readonly run: Run
  readonly place: Place | undefined
  /** Gets what is wrong. Absent where only the answer counts: the first fault ends it then. */
  readonly faults: Fault[] | undefined
  /** Absent where nobody asks. */
  readonly seen: Seen | undefined
}

export type Check = (value: unknown, scope: Scope) => boolean

/** A schema, ready to be run. Checks are added while it is read, as it may refer to itself. */
export interface SchemaNode {
  readonly checks: Check[]
  /** Schemas of the same value: one that comes back to itself this way would never end. */
  readonly inPlace: SchemaNode[]
  /** Whether it asks what other schemas have looked at. */
  asksForRest: boolean
}

/** Most faults that are told. */
const MAX_FAULTS = 20

/** Whether the value fits the schema. */
export const fits = (node: SchemaNode, value: unknown, scope: Scope): boolean => {
  const { run, faults } = scope
  run.spend(COST.schema + COST.keyword * node.checks.length)
  run.enter()
  // What stands beside this schema is not its own to ask for.
  const own: Scope = node.asksForRest ? { ...scope, seen: new Seen() } : scope
  let isFit = true
  for (const check of node.checks) {
    if (check(value, own)) continue
    isFit = false
    if (faults === undefined) break
  }
  if (isFit && own.seen !== undefined && own.seen !== scope.seen) scope.seen?.add(own.seen, run)
  run.leave()
  return isFit
}

/** Whether a part of the value fits a schema of its own. */
export const partFits = (node: SchemaNode, part: unknown, key: string | number, scope: Scope): boolean =>
  fits(node, part, { ...scope, place: { key, outer: scope.place }, seen: undefined })

/** Notes a fault. Always false. */
export const fault = ({ faults, place }: Scope, message: string, key?: string | number): false => {
  if (faults !== undefined && faults.length < MAX_FAULTS) {
    faults.push({ place: key === undefined ? place : { key, outer: place }, message })
  }
  return false
}

/** The scope of a schema that may not fit, without this being a fault yet. */
export const trial = (scope: Scope): Scope => ({
  ...scope,
  faults: scope.faults === undefined ? undefined : [],
  seen: scope.seen === undefined ? undefined : new Seen(),
})
