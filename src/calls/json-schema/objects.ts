import { isRecord } from '../../core/json/record.ts'
import { type Check, COST, fault, fits, partFits, type SchemaNode, type Scope } from './node.ts'
import type { Keyword, Reading } from './reader.ts'
import { found, isCount } from './values.ts'

const count =
  (holds: (size: number, limit: number) => boolean, words: string): Keyword =>
  (limit, { problem }) => {
    if (!isCount(limit)) return problem('must be an integer of 0 or more')
    return (value, scope) =>
      !isRecord(value) ||
      holds(keysOf(value, scope).length, limit) ||
      fault(scope, `must have ${words} ${limit} key${limit === 1 ? '' : 's'}`)
  }

const keysOf = (value: Readonly<Record<string, unknown>>, { run }: Scope): readonly string[] => {
  const keys = Object.keys(value)
  run.spend(COST.key * keys.length)
  return keys
}

const required: Keyword = (names, { problem }) => {
  if (!isTexts(names)) return problem('must be an array of strings')
  return (value, scope) => !isRecord(value) || haveAll(value, names, scope, 'is required')
}

const haveAll = (
  value: Readonly<Record<string, unknown>>,
  names: readonly string[],
  scope: Scope,
  message: string,
): boolean => {
  scope.run.spend(COST.key * names.length)
  let isFit = true
  for (const name of names) if (!Object.hasOwn(value, name)) isFit = fault(scope, message, name)
  return isFit
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/** The schemas of an object of schemas. */
const nodesOf = (value: unknown, { part, problem }: Reading): ReadonlyMap<string, SchemaNode> | undefined =>
  isRecord(value)
    ? new Map(Object.entries(value).map(([key, schema]) => [key, part(schema, key)]))
    : problem('must be an object of schemas')

const properties: Keyword = (value, reading) => {
  const nodes = nodesOf(value, reading)
  return nodes && ((object, scope) => !isRecord(object) || allFit(object, nodes, scope))
}

const allFit = (
  object: Readonly<Record<string, unknown>>,
  nodes: ReadonlyMap<string, SchemaNode>,
  scope: Scope,
): boolean => {
  scope.run.spend(COST.key * nodes.size)
  let isFit = true
  for (const [key, node] of nodes) {
    if (!Object.hasOwn(object, key)) continue
    scope.seen?.keys.add(key)
    if (partFits(node, object[key], key, scope)) continue
    isFit = false
    if (scope.faults === undefined) break
  }
  return isFit
}

/** Whether all values of those keys fit. */
const someFit = (
  object: Readonly<Record<string, unknown>>,
  isMeant: (key: string, scope: Scope) => boolean,
  node: SchemaNode,
  scope: Scope,
): boolean => {
  let isFit = true
  for (const key of keysOf(object, scope)) {
    if (!isMeant(key, scope)) continue
    scope.seen?.keys.add(key)
    if (partFits(node, object[key], key, scope)) continue
    isFit = false
    if (scope.faults === undefined) break
  }
  return isFit
}

const patternProperties: Keyword = (value, reading) => {
  const nodes = nodesOf(value, reading)
  if (nodes === undefined) return undefined
  const checks = [...nodes].flatMap(([source, node]): readonly Check[] => {
    const searched = reading.pattern(source, source)
    if (searched === undefined) return []
    const isMeant = (key: string, { run }: Scope): boolean => found(searched, key, run)
    return [(object, scope) => !isRecord(object) || someFit(object, isMeant, node, scope)]
  })
  return (object, scope) => checks.filter((check) => !check(object, scope)).length === 0
}

const additionalProperties: Keyword = (value, reading) => {
  const node = reading.part(value)
  const { properties: named, patternProperties: patterned } = reading.schema
  const names = new Set(isRecord(named) ? Object.keys(named) : [])
  const patterns = isRecord(patterned) ? Object.keys(patterned).flatMap((source) => reading.pattern(source) ?? []) : []
  const isAdditional = (key: string, { run }: Scope): boolean =>
    !names.has(key) && !patterns.some((searched) => found(searched, key, run))
  return (object, scope) => !isRecord(object) || someFit(object, isAdditional, node, scope)
}

const propertyNames: Keyword = (value, { part }) => {
  const node = part(value)
  return (object, scope) =>
    !isRecord(object) || keysOf(object, scope).filter((key) => !partFits(node, key, key, scope)).length === 0
}

const dependentRequired: Keyword = (value, { problem }) => {
  if (!isRecord(value)) return problem('must be an object of arrays of strings')
  const lists = Object.entries(value).flatMap(([key, names]) => {
    if (isTexts(names)) return [[key, names] as const]
    problem('must be an array of strings', key)
    return []
  })
  return (object, scope) => {
    if (!isRecord(object)) return true
    scope.run.spend(COST.key * lists.length)
    const broken = lists.filter(
      ([key, names]) =>
        Object.hasOwn(object, key) && !haveAll(object, names, scope, `is required because '${key}' is there`),
    )
    return broken.length === 0
  }
}

const dependentSchemas: Keyword = (value, { inPlace, problem }) => {
  if (!isRecord(value)) return problem('must be an object of schemas')
  const nodes = Object.entries(value).map(([key, schema]) => [key, inPlace(schema, key)] as const)
  return (object, scope) => {
    if (!isRecord(object)) return true
    scope.run.spend(COST.key * nodes.length)
    return nodes.filter(([key, node]) => Object.hasOwn(object, key) && !fits(node, object, scope)).length === 0
  }
}

/** Keyword of older drafts: both of the above. */
const dependencies: Keyword = (value, reading) => {
  if (!isRecord(value)) return reading.problem('must be an object of schemas or arrays of strings')
  const entries = Object.entries(value)
  const lists = Object.fromEntries(entries.filter(([, each]) => Array.isArray(each)))
  const schemas = Object.fromEntries(entries.filter(([, each]) => !Array.isArray(each)))
  const checks = [dependentRequired(lists, reading), dependentSchemas(schemas, reading)]
  return (object, scope) => checks.filter((check) => check?.(object, scope) === false).length === 0
}

const unevaluatedProperties: Keyword = (value, { part }) => {
  const node = part(value)
  return (object, scope) => !isRecord(object) || someFit(object, (key) => !scope.seen?.keys.has(key), node, scope)
}

export const OBJECT_KEYWORDS: Readonly<Record<string, Keyword>> = {
  required,
  minProperties: count((size, limit) => size >= limit, 'at least'),
  maxProperties: count((size, limit) => size <= limit, 'at most'),
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  dependentRequired,
  dependentSchemas,
  dependencies,
}

/** Must run when all others have. */
export const REST_OF_OBJECT: Readonly<Record<string, Keyword>> = { unevaluatedProperties }
