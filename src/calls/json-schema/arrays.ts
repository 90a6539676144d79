import { canonical } from './canonical.ts'
import { type Check, COST, fault, partFits, type SchemaNode } from './node.ts'
import type { Keyword } from './reader.ts'
import { isCount } from './values.ts'

const count =
  (holds: (length: number, limit: number) => boolean, words: string): Keyword =>
  (limit, { problem }) => {
    if (!isCount(limit)) return problem('must be an integer of 0 or more')
    return (value, scope) =>
      !Array.isArray(value) ||
      holds(value.length, limit) ||
      fault(scope, `must have ${words} ${limit} item${limit === 1 ? '' : 's'}`)
  }

/** Each item from `from` on has a schema of its own, until there are none left. */
const eachOf =
  (nodes: readonly SchemaNode[]): Check =>
  (value, scope) => {
    if (!Array.isArray(value)) return true
    let isFit = true
    for (let index = 0; index < Math.min(nodes.length, value.length); index++) {
      const node = nodes[index]
      scope.seen?.items.add(index)
      if (node === undefined || partFits(node, value[index], index, scope)) continue
      isFit = false
      if (scope.faults === undefined) break
    }
    return isFit
  }

/** All items from `from` on have one schema. */
const restOf =
  (node: SchemaNode, from: number): Check =>
  (value, scope) => {
    if (!Array.isArray(value)) return true
    let isFit = true
    for (let index = from; index < value.length; index++) {
      scope.seen?.items.add(index)
      if (partFits(node, value[index], index, scope)) continue
      isFit = false
      if (scope.faults === undefined) break
    }
    return isFit
  }

const prefixItems: Keyword = (value, { part, problem }) => {
  if (!Array.isArray(value)) return problem('must be an array of schemas')
  return eachOf(value.map((schema, index) => part(schema, index)))
}

/** The array form is that of older drafts, and stands for `prefixItems`. */
const items: Keyword = (value, { part, schema }) => {
  if (Array.isArray(value)) return eachOf(value.map((each, index) => part(each, index)))
  return restOf(part(value), Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0)
}

const additionalItems: Keyword = (value, { part, schema }) =>
  Array.isArray(schema.items) ? restOf(part(value), schema.items.length) : undefined

const contains: Keyword = (value, { part, schema, problem }) => {
  const node = part(value)
  const { minContains: min = 1, maxContains: max } = schema
  if (!isCount(min)) return problem('needs `minContains` to be an integer of 0 or more')
  if (max !== undefined && !isCount(max)) return problem('needs `maxContains` to be an integer of 0 or more')
  return (list, scope) => {
    if (!Array.isArray(list)) return true
    let matching = 0
    list.forEach((item, index) => {
      if (!partFits(node, item, index, { ...scope, faults: undefined })) return
      matching++
      scope.seen?.items.add(index)
    })
    if (matching < min) return fault(scope, `must contain at least ${min} of the items that it must contain`)
    return max === undefined || matching <= max || fault(scope, `must contain at most ${max} of such items`)
  }
}

const uniqueItems: Keyword = (value, { problem }) => {
  if (typeof value !== 'boolean') return problem('must be a boolean')
  if (!value) return undefined
  return (list, scope) => {
    if (!Array.isArray(list)) return true
    const known = new Map<string, number>()
    for (const [index, item] of list.entries()) {
      scope.run.spend(COST.item)
      const text = canonical(item, scope.run)
      const first = known.get(text)
      if (first !== undefined) return fault(scope, `must not have the same item twice: ${first} and ${index}`)
      known.set(text, index)
    }
    return true
  }
}

const unevaluatedItems: Keyword = (value, { part }) => {
  const node = part(value)
  return (list, scope) => {
    if (!Array.isArray(list)) return true
    let isFit = true
    for (const [index, item] of list.entries()) {
      scope.run.spend(COST.key)
      if (scope.seen?.items.has(index)) continue
      scope.seen?.items.add(index)
      if (!partFits(node, item, index, scope)) isFit = false
    }
    return isFit
  }
}

export const ARRAY_KEYWORDS: Readonly<Record<string, Keyword>> = {
  minItems: count((length, limit) => length >= limit, 'at least'),
  maxItems: count((length, limit) => length <= limit, 'at most'),
  prefixItems,
  items,
  additionalItems,
  contains,
  uniqueItems,
}

/** Must run when all others have. */
export const REST_OF_ARRAY: Readonly<Record<string, Keyword>> = { unevaluatedItems }
