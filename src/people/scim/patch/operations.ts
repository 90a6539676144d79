import { isRecord } from '../../../core/json/record.ts'
import { readFields, requireSchema } from '../body.ts'
import { PATCH_OP } from '../documents.ts'
import { ScimFault } from '../fault.ts'
import type { ChangePath } from '../filter/filter.ts'
import { parsePath } from '../filter/parse.ts'

/** One change of one attribute (RFC 7644, section 3.5.2). */
export interface Operation extends ChangePath {
  readonly op: 'add' | 'replace' | 'remove'
  readonly value: unknown
  /** It came as a part of a whole resource, without a path: what nobody may change is passed over then, not refused. */
  readonly isPart: boolean
}

/** Most changes of a request: Entra ID sends a thousand members in one at most. */
const MAX_OPERATIONS = 10_000

/** The operations of a PATCH; one that has no path is taken apart. @throws ScimFault */
export const readOperations = (body: unknown): readonly Operation[] => {
  const fields = readFields(body)
  requireSchema(fields, PATCH_OP)
  const { operations } = fields
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimFault('invalidSyntax', '`Operations` must be a list of operations.')
  }
  if (operations.length > MAX_OPERATIONS) {
    throw new ScimFault('invalidSyntax', `\`Operations\` must have at most ${MAX_OPERATIONS} items.`)
  }
  return operations.flatMap(readOperation)
}

const readOperation = (given: unknown, index: number): readonly Operation[] => {
  const where = `\`Operations[${index}]\``
  const { op: word, path, value } = readFields(given, where)
  // Entra ID writes `Replace` (its documentation, read 2026-11-25).
  const op = typeof word === 'string' ? word.toLowerCase() : undefined
  if (op !== 'add' && op !== 'replace' && op !== 'remove') {
    throw new ScimFault('invalidSyntax', `${where}: \`op\` must be add, replace or remove.`)
  }
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') throw new ScimFault('invalidPath', `${where}: \`path\` must be a string.`)
    return [{ ...parsePath(path), op, value, isPart: false }]
  }
  if (op === 'remove') throw new ScimFault('noTarget', `${where}: what is removed needs a \`path\`.`)
  if (!isRecord(value))
    throw new ScimFault('invalidValue', `${where}: without a \`path\`, \`value\` must be an object.`)
  return Object.entries(value).map(([name, inner]) => ({ ...parsePath(name), op, value: inner, isPart: true }))
}

/** @throws ScimFault for a path with more than the name of an attribute */
export const requirePlain = ({ path, filter }: ChangePath): void => {
  if (path.sub === undefined && filter === undefined) return
  throw new ScimFault('invalidPath', `\`${path.name}\` has no parts.`)
}

/** @throws ScimFault: nobody but Weir writes it */
export const readOnly = (name: string): ScimFault => new ScimFault('mutability', `\`${name}\` cannot be changed.`)

/** @throws ScimFault: it is never without a value */
export const required = (name: string): ScimFault => new ScimFault('mutability', `\`${name}\` cannot be removed.`)

/** The id in a body must be that of the resource, where it is there at all. @throws ScimFault */
export const requireSameId = (value: unknown, id: string): void => {
  if (value !== undefined && value !== null && value !== id) throw readOnly('id')
}
