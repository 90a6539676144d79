import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema'
import { InvalidRequest, type Violation } from '../../errors/gateway-error.ts'

/** @throws InvalidRequest naming the variable that does not fit, and listing all of them */
export type VariablesCheck = (variables: Readonly<Record<string, unknown>>) => void

/** @param schema JSON Schema, draft 2020-12, of the object of all variables */
export const createVariablesCheck = (schema: Readonly<Record<string, unknown>>): VariablesCheck => {
  const validator = new Validator(schema as Schema, '2020-12', false)
  return (variables) => {
    const { valid, errors } = validator.validate(variables)
    if (valid) return
    const violations = innermost(errors).map(toViolation)
    const [first] = violations
    throw new InvalidRequest(
      `The variables do not fit the prompt: ${first?.path ?? 'variables'}: ${first?.message ?? ''}`,
      {
        param: first?.path ?? 'variables',
        violations,
      },
    )
  }
}

/** Each fault is reported for what it stands in as well, which says nothing more. */
const innermost = (errors: readonly OutputUnit[]): readonly OutputUnit[] =>
  errors.filter(
    ({ keywordLocation }) => !errors.some((other) => other.keywordLocation.startsWith(`${keywordLocation}/`)),
  )

const toViolation = ({ instanceLocation, keyword, error }: OutputUnit): Violation => {
  const place = instanceLocation.split('/').slice(1).map(unescaped)
  const [, missing] = (keyword === 'required' && /property "([^"]*)"/.exec(error)) || []
  return { path: ['variables', ...place, ...(missing === undefined ? [] : [missing])].join('.'), message: error }
}

/** A segment of a JSON pointer. */
const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~')
