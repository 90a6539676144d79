import { readSchema, SchemaRefused } from '../../calls/json-schema/schema.ts'
import { ManagementInvalid, type Violation } from '../../errors/gateway-error.ts'
import type { PromptContent } from '../../store/objects/prompts.ts'

/** What is wrong with a schema of variables, by paths such as `variables_schema.properties.name.pattern`. */
export const findSchemaFaults = (schema: PromptContent['variablesSchema'] | undefined): readonly Violation[] => {
  if (schema === null || schema === undefined) return []
  try {
    readSchema(schema)
    return []
  } catch (thrown) {
    if (!(thrown instanceof SchemaRefused)) throw thrown
    return thrown.violations.map(({ path, message }) => ({
      path: path === '' ? 'variables_schema' : `variables_schema.${path}`,
      message,
    }))
  }
}

/**
 * Refuses a schema that no call could be checked against in bounded time.
 * @throws ManagementInvalid naming each place
 */
export const checkSchema = ({ variablesSchema }: Pick<PromptContent, 'variablesSchema'>): void => {
  const violations = findSchemaFaults(variablesSchema)
  const [first] = violations
  if (first === undefined) return
  throw new ManagementInvalid(`The call is not valid: \`${first.path}\` ${first.message}.`, {
    param: first.path,
    violations,
  })
}
