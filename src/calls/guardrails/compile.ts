import type { CheckDefinition, CheckStage, GuardrailDefinition } from '../../core/guardrails.ts'
import { check as checkSchema, nearest } from '../../core/json/check.ts'
import type { Violation } from '../../errors/gateway-error.ts'
import { type Check, type CheckDirectory, InvalidParameters, type PreparedCheck } from '../../kit/check.ts'

/** A check of a guardrail, ready to run. */
export interface CompiledCheck {
  readonly id: string
  readonly name: string | undefined
  readonly kind: Pick<Check, 'stages' | 'reads' | 'needs'>
  readonly prepared: PreparedCheck
  readonly deadlineMs: number
}

/** A guardrail, ready to run. */
export interface CompiledGuardrail {
  readonly id: string
  readonly name: string | undefined
  readonly definition: GuardrailDefinition
  /** Its checks that are enabled, by when they run. */
  readonly input: readonly CompiledCheck[]
  readonly output: readonly CompiledCheck[]
  /** Those of `input` that look at more than texts: they run where there are none, too. */
  readonly request: readonly CompiledCheck[]
}

/** Milliseconds of a check that does not say how long it may take. */
const DEADLINE_MS = 5_000
/** Nobody waits longer than this for one check, whatever its parameters say. */
export const MOST_DEADLINE_MS = 60_000

type Prepared = { readonly kind: Check; readonly prepared: PreparedCheck }

/** @returns what is wrong with the check, by paths from the check: `id`, `parameters.rule` */
const prepare = (
  { id, parameters }: Pick<CheckDefinition, 'id' | 'parameters'>,
  checks: CheckDirectory,
): Prepared | readonly Violation[] => {
  const kind = checks.get(id)
  if (kind === undefined) return [{ path: 'id', message: unknownCheck(id, checks) }]
  const checked = checkSchema(kind.parameters, parameters)
  if (!checked.ok) return checked.violations.map(inParameters)
  try {
    return { kind, prepared: kind.prepare(checked.value) }
  } catch (thrown) {
    if (!(thrown instanceof InvalidParameters)) throw thrown
    return thrown.violations.map(inParameters)
  }
}

const inParameters = ({ path, message }: Violation): Violation => ({
  path: path === '' ? 'parameters' : `parameters${path.startsWith('[') ? '' : '.'}${path}`,
  message,
})

const unknownCheck = (id: string, checks: CheckDirectory): string => {
  const names = checks.list().map((each) => each.id)
  const near = nearest(id, names)
  return near === undefined ? `must be one of: ${names.join(', ')}` : `is no check that runs; did you mean '${near}'?`
}

/** All that is wrong with the checks of a guardrail: `[0].parameters.rule`. Empty: it can run. */
export const checkViolations = (
  definitions: readonly Pick<CheckDefinition, 'id' | 'parameters'>[],
  checks: CheckDirectory,
): readonly Violation[] =>
  definitions.flatMap((definition, index) => {
    const found = prepare(definition, checks)
    return 'kind' in found ? [] : found.map(({ path, message }) => ({ path: `[${index}].${path}`, message }))
  })

/**
 * Makes a guardrail ready. A check that cannot run any more, as its plugin is gone, reports that as its error with each call.
 * @param id of the stored guardrail, or its name in the config
 */
export const compileGuardrail = (
  definition: GuardrailDefinition,
  { id, name }: { readonly id: string; readonly name?: string | undefined },
  checks: CheckDirectory,
): CompiledGuardrail => {
  const compiled = definition.checks.filter((each) => each.is_enabled).map((each) => compileCheck(each, checks))
  const at = (stage: CheckStage) => compiled.filter(({ kind }) => kind.stages.includes(stage))
  const input = at('input')
  return {
    id,
    name,
    definition,
    input,
    output: at('output'),
    request: input.filter(({ kind }) => kind.reads === 'request'),
  }
}

const compileCheck = (definition: CheckDefinition, checks: CheckDirectory): CompiledCheck => {
  const { id, name } = definition
  const found = prepare(definition, checks)
  if (!('kind' in found)) return { id, name, kind: ANY, prepared: broken(id, found), deadlineMs: DEADLINE_MS }
  const { kind, prepared } = found
  return {
    id,
    name,
    kind,
    prepared,
    deadlineMs: Math.min(prepared.deadlineMs ?? kind.deadlineMs ?? DEADLINE_MS, MOST_DEADLINE_MS),
  }
}

const ANY: CompiledCheck['kind'] = { stages: ['input', 'output'] }

const broken = (id: string, violations: readonly Violation[]): PreparedCheck => ({
  run: () => {
    throw new Error(`'${id}' cannot run: ${violations.map(({ path, message }) => `${path} ${message}`).join('; ')}`)
  },
})
