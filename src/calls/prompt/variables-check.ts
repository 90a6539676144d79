import { InvalidRequest } from '../../errors/gateway-error.ts'
import { readSchema, type SchemaCheck, SchemaRefused, TooComplex } from '../json-schema/schema.ts'
import { PromptError } from '../template/index.ts'

/** A schema that could not be saved today. */
class UnusableSchema extends PromptError {
  override readonly name = 'UnusableSchema'
}

/** @throws InvalidRequest naming the variable that does not fit, and listing all of them, or that the check takes too long */
export type VariablesCheck = (variables: Readonly<Record<string, unknown>>) => void

/**
 * @param schema JSON Schema, draft 2020-12, of the object of all variables
 * @throws PromptError for one that could not be saved today
 */
export const createVariablesCheck = (schema: Readonly<Record<string, unknown>>): VariablesCheck => {
  const check = read(schema)
  return (variables) => {
    const violations = run(check, variables).map(({ path, message }) => ({ path: under('variables', path), message }))
    const [first] = violations
    if (first === undefined) return
    throw new InvalidRequest(`The variables do not fit the prompt: ${first.path} ${first.message}.`, {
      param: first.path,
      violations,
    })
  }
}

const read = (schema: Readonly<Record<string, unknown>>): SchemaCheck => {
  try {
    return readSchema(schema)
  } catch (thrown) {
    if (!(thrown instanceof SchemaRefused)) throw thrown
    throw new UnusableSchema(`its variables_schema cannot be used: ${thrown.message}`)
  }
}

const run = (check: SchemaCheck, variables: Readonly<Record<string, unknown>>) => {
  try {
    return check(variables)
  } catch (thrown) {
    if (!(thrown instanceof TooComplex)) throw thrown
    throw new InvalidRequest(`The variables are too complex: ${thrown.message} of the prompt.`, { param: 'variables' })
  }
}

const under = (root: string, path: string): string => (path === '' ? root : `${root}.${path}`)
