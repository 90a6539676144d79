import type { StoredPartial, StoredPrompt } from '../../core/ports.ts'
import { type ParsedPrompt, parsePrompt, parseTemplate, type Template } from '../template/index.ts'
import { createVariablesCheck, type VariablesCheck } from './variables-check.ts'

/** A version of a prompt, ready to be rendered. */
export interface CompiledPrompt {
  readonly parsed: ParsedPrompt
  /** Absent: any variables will do. */
  readonly checkVariables?: VariablesCheck
}

/** Versions never change, so each is taken apart once, and forgotten when the store forgets it. */
const prompts = new WeakMap<StoredPrompt, CompiledPrompt>()
const partials = new WeakMap<StoredPartial, Template>()

/** @throws PromptError for a template that could not be saved today */
export const compiledPrompt = (stored: StoredPrompt): CompiledPrompt => {
  const known = prompts.get(stored)
  if (known !== undefined) return known
  const { template, isRaw, variablesSchema: schema } = stored
  const compiled: CompiledPrompt = {
    parsed: parsePrompt(template, { isRaw }),
    ...(schema === undefined ? {} : { checkVariables: createVariablesCheck(schema) }),
  }
  prompts.set(stored, compiled)
  return compiled
}

/** @throws PromptError as above */
export const compiledPartial = (stored: StoredPartial): Template => {
  const known = partials.get(stored)
  if (known !== undefined) return known
  const template = parseTemplate(stored.template)
  partials.set(stored, template)
  return template
}
