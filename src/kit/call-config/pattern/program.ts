import { type Assertion, PatternRefused, type Range, type Syntax } from './syntax.ts'

/** One state of the machine that searches for a pattern. States are named by their index. */
export type State =
  | { readonly kind: 'set'; readonly ranges: readonly Range[]; readonly negated: boolean; readonly next: number }
  | { readonly kind: 'assertion'; readonly where: Assertion; readonly next: number }
  | { readonly kind: 'fork'; readonly ways: readonly number[] }
  | { readonly kind: 'found' }

export interface Program {
  readonly states: readonly State[]
  readonly start: number
}

/** Most states of one program: each costs a step for each character of the text. */
const MAX_STATES = 1_000

/** @throws PatternRefused for a pattern that unfolds to more than the machine may hold */
export const toProgram = (syntax: Syntax): Program => {
  if (sizeOf(syntax) > MAX_STATES) throw new PatternRefused('the pattern is too large')
  const states: State[] = [{ kind: 'found' }]
  const add = (state: State): number => states.push(state) - 1

  /** Builds backwards: the states of `part`, which lead to `next`. */
  const build = (part: Syntax, next: number): number => {
    switch (part.kind) {
      case 'set':
        return add({ kind: 'set', ranges: part.ranges, negated: part.negated, next })
      case 'assertion':
        return add({ kind: 'assertion', where: part.where, next })
      case 'sequence':
        return part.parts.reduceRight((after, each) => build(each, after), next)
      case 'choice':
        return add({ kind: 'fork', ways: part.parts.map((each) => build(each, next)) })
      case 'repeat':
        return repeat(part.part, part.min, part.max, next)
    }
  }

  const repeat = (part: Syntax, min: number, max: number, next: number): number => {
    let entry = next
    if (max === Number.POSITIVE_INFINITY) {
      const ways = [next]
      entry = add({ kind: 'fork', ways })
      ways.push(build(part, entry))
    } else {
      for (let more = min; more < max; more++) entry = add({ kind: 'fork', ways: [next, build(part, entry)] })
    }
    for (let owed = 0; owed < min; owed++) entry = build(part, entry)
    return entry
  }

  return { start: build(syntax, 0), states }
}

/** How many states a pattern unfolds to. */
const sizeOf = (syntax: Syntax): number => {
  switch (syntax.kind) {
    case 'set':
    case 'assertion':
      return 1
    case 'sequence':
    case 'choice':
      return syntax.parts.reduce((total, part) => total + sizeOf(part), 1)
    case 'repeat':
      return (sizeOf(syntax.part) + 1) * (syntax.max === Number.POSITIVE_INFINITY ? syntax.min + 1 : syntax.max)
  }
}
