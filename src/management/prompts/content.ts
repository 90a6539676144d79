import { readSchema, SchemaRefused } from '../../calls/json-schema/schema.ts'
import { parsePrompt, TemplateError } from '../../calls/template/index.ts'
import { ManagementInvalid, type Violation } from '../../errors/gateway-error.ts'
import type { PromptContent } from '../../store/objects/prompts.ts'
import { invalidField } from '../invalid-field.ts'
import type { VersionBody } from './model.ts'

/** What a field of a version stands for that is left out. */
const BLANK = {
  virtual_key: null,
  model: null,
  functions: null,
  tools: null,
  tool_choice: null,
  template_metadata: null,
  is_raw_template: 0,
  variables_schema: null,
  strict: false,
  version_description: null,
} as const

const FIELDS = ['string', 'parameters', ...Object.keys(BLANK)]

/** Whether a body says something that only a new version can say. */
export const makesVersion = (body: Readonly<Record<string, unknown>>): boolean =>
  FIELDS.some((name) => body[name] !== undefined)

/** The fields of a version in a body that makes a whole one. */
interface WholeVersion {
  readonly string: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly virtual_key?: string | null
  readonly model?: string | null
  readonly functions?: readonly unknown[] | null
  readonly tools?: readonly unknown[] | null
  readonly tool_choice?: unknown
  readonly template_metadata?: Readonly<Record<string, unknown>> | null
  readonly is_raw_template?: boolean | 0 | 1
  readonly variables_schema?: Readonly<Record<string, unknown>> | null
  readonly strict?: boolean
  readonly version_description?: string | null
}

/**
 * What the first version of a prompt says.
 * @throws ManagementInvalid for a template that cannot be read, with line and column, and for a schema that cannot be used
 */
export const toContent = (body: WholeVersion): PromptContent => {
  const whole = { ...BLANK, ...body }
  const content = {
    template: whole.string,
    parameters: withoutStream(whole.parameters),
    virtualKey: whole.virtual_key?.replace(/^@/, '') ?? null,
    model: whole.model,
    functions: whole.functions,
    tools: whole.tools,
    toolChoice: whole.tool_choice,
    templateMetadata: whole.template_metadata,
    isRawTemplate: Boolean(whole.is_raw_template),
    variablesSchema: whole.variables_schema,
    strict: whole.strict,
    description: whole.version_description,
  }
  checkTemplate(content)
  checkSchema(content)
  return content
}

/** Whether the partials that a template names exist shows when it is rendered. */
const checkTemplate = ({ template, isRawTemplate }: Pick<PromptContent, 'template' | 'isRawTemplate'>): void => {
  try {
    parsePrompt(template, { isRaw: isRawTemplate })
  } catch (thrown) {
    if (!(thrown instanceof TemplateError)) throw thrown
    throw invalidField('string', `is no template: ${thrown.message}`)
  }
}

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
const checkSchema = ({ variablesSchema }: Pick<PromptContent, 'variablesSchema'>): void => {
  const violations = findSchemaFaults(variablesSchema)
  const [first] = violations
  if (first === undefined) return
  throw new ManagementInvalid(`The call is not valid: \`${first.path}\` ${first.message}.`, {
    param: first.path,
    violations,
  })
}

/** What a version says, by the names of the interface. */
export const fromContent = (content: PromptContent) => ({
  string: content.template,
  parameters: content.parameters,
  virtual_key: content.virtualKey,
  model: content.model,
  functions: content.functions,
  tools: content.tools,
  tool_choice: content.toolChoice,
  template_metadata: content.templateMetadata,
  is_raw_template: content.isRawTemplate ? (1 as const) : (0 as const),
  variables_schema: content.variablesSchema,
  strict: content.strict,
  version_description: content.description,
})

/**
 * What the version after `newest` says.
 * @param isPatch fields that are left out are those of `newest`; else none may be left out that it has
 * @throws ManagementInvalid naming what is missing; for a template that cannot be read, with line and column
 */
export const toNextContent = (body: VersionBody, newest: PromptContent, isPatch: boolean): PromptContent => {
  // A description tells of one version: it does not go over to the next.
  const before = { ...fromContent(newest), version_description: null }
  if (!isPatch) requireAll(body, before)
  return toContent({ ...before, ...body })
}

/** A whole version has every field of the one before: else who does not know a field would take it away unawares. */
const requireAll = (body: VersionBody, before: Readonly<Record<string, unknown>>): void => {
  const given: Readonly<Record<string, unknown>> = body
  const blank: Readonly<Record<string, unknown>> = BLANK
  const missing = FIELDS.filter((name) => given[name] === undefined && before[name] !== blank[name])
  const [first] = missing
  if (first === undefined) return
  const message = 'is missing: send every field that the newest version has (null for none), or `patch: true`'
  throw new ManagementInvalid(`The call is not valid: \`${first}\` ${message}.`, {
    param: first,
    violations: missing.map((path) => ({ path, message })),
  })
}

/** Whether an answer is streamed is for each call to say (specification, section 4.2, rule 1). */
const withoutStream = (parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { stream: _, ...kept } = parameters
  return kept
}
