import { type Check, type Fault, fault, fits, type SchemaNode, type Scope, trial } from './node.ts'
import type { Keyword, Reading } from './reader.ts'

const reference: Keyword = (value, { target, problem }) => {
  if (typeof value !== 'string') return problem('must be a string')
  const node = target(value)
  if (node === undefined) return problem(`names no schema in here: ${value.slice(0, 200)}`)
  return (actual, scope) => fits(node, actual, scope)
}

/** It means what `$ref` would, unless several schemas have the anchor: which one then depends on the way to it. */
const dynamicReference: Keyword = (value, reading) =>
  typeof value === 'string' && reading.isAmbiguous(value)
    ? reading.problem('has an anchor that several schemas have, which is not supported')
    : reference(value, reading)

const listOf = (value: unknown, { inPlace, problem }: Reading): readonly SchemaNode[] | undefined =>
  Array.isArray(value) && value.length > 0
    ? value.map((schema, index) => inPlace(schema, index))
    : problem('must be an array of schemas')

const allOf: Keyword = (value, reading) => {
  const nodes = listOf(value, reading)
  return nodes && ((actual, scope) => nodes.filter((node) => !fits(node, actual, scope)).length === 0)
}

/** How many fit, and what is wrong with those that do not. */
const tryAll = (nodes: readonly SchemaNode[], actual: unknown, scope: Scope) => {
  const broken: (readonly Fault[])[] = []
  let fitting = 0
  for (const node of nodes) {
    const attempt = trial(scope)
    if (!fits(node, actual, attempt)) {
      broken.push(attempt.faults ?? [])
      continue
    }
    fitting++
    if (attempt.seen !== undefined) scope.seen?.add(attempt.seen, scope.run)
    // The others may have seen more.
    if (scope.seen === undefined && scope.faults === undefined && fitting > 1) break
  }
  return { fitting, broken }
}

/** What is wrong with the schema that was meant: the only one that found no fault with the value as a whole. */
const noneFits = (broken: readonly (readonly Fault[])[], scope: Scope): false => {
  const meant = broken.filter((faults) => faults.every(({ place }) => place !== scope.place))
  const [only = []] = broken.length === 1 ? broken : meant.length === 1 ? meant : []
  for (const { place, message } of only) fault({ ...scope, place }, message)
  return only.length > 0 ? false : fault(scope, `must fit one of the ${broken.length} schemas that it may fit`)
}

const anyOf: Keyword = (value, reading) => {
  const nodes = listOf(value, reading)
  if (nodes === undefined) return undefined
  return (actual, scope) => {
    const { fitting, broken } = tryAll(nodes, actual, scope)
    return fitting > 0 || noneFits(broken, scope)
  }
}

const oneOf: Keyword = (value, reading) => {
  const nodes = listOf(value, reading)
  if (nodes === undefined) return undefined
  return (actual, scope) => {
    const { fitting, broken } = tryAll(nodes, actual, scope)
    if (fitting === 0) return noneFits(broken, scope)
    return fitting === 1 || fault(scope, 'must fit one schema alone of those that it may fit')
  }
}

const not: Keyword = (value, { inPlace }) => {
  const node = inPlace(value)
  return (actual, scope) =>
    !fits(node, actual, { ...scope, faults: undefined, seen: undefined }) ||
    fault(scope, 'must not fit the schema that it must not fit')
}

const condition: Keyword = (value, { inPlace, schema }) => {
  const asked = inPlace(value)
  const branch = (name: 'then' | 'else'): Check => {
    if (schema[name] === undefined) return () => true
    const node = inPlace(schema[name], '..', name)
    return (actual, scope) => fits(node, actual, scope)
  }
  const [yes, no] = [branch('then'), branch('else')]
  return (actual, scope) => {
    const attempt = { ...trial(scope), faults: undefined }
    if (!fits(asked, actual, attempt)) return no(actual, scope)
    if (attempt.seen !== undefined) scope.seen?.add(attempt.seen, scope.run)
    return yes(actual, scope)
  }
}

/** Keywords that put schemas of the same value together. */
export const COMBINATIONS: Readonly<Record<string, Keyword>> = {
  $ref: reference,
  $dynamicRef: dynamicReference,
  $recursiveRef: reference,
  allOf,
  anyOf,
  oneOf,
  not,
  if: condition,
}
