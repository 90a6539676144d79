import { defined } from '../../core/defined.ts'
import type { CheckDefinition, GuardrailDefinition, GuardrailUse } from '../../core/guardrails.ts'
import { check, nearest } from '../../core/json/check.ts'
import { isRecord } from '../../core/json/record.ts'
import type { CheckDirectory } from '../../kit/check.ts'
import { checkViolations } from '../guardrails/compile.ts'
import { type Findings, itemAt, keyAt } from './findings.ts'
import {
  GUARDRAIL_LISTS,
  type GuardrailList,
  type Hook,
  HookFields,
  MAX_CHECKS,
  MAX_GUARDRAILS,
  Reference,
  ReferenceFields,
} from './guardrail-fields.ts'
import { canonicalFields, canonicalInner, canonicalKey } from './keys.ts'

const HOOK_KEYS = Object.keys(HookFields.properties)

/**
 * Reads the guardrails of a config, which are written in three ways: the id or slug of a saved one; an object with `checks`;
 * an object whose keys are ids of checks, with their parameters.
 */
export class GuardrailReader {
  readonly #findings: Findings
  readonly #directory: CheckDirectory | undefined
  #guardrails = 0
  #checks = 0

  /** @param directory absent: whether the checks exist, and take their parameters, is not looked at */
  constructor(findings: Findings, directory: CheckDirectory | undefined) {
    this.#findings = findings
    this.#directory = directory
  }

  /** What can be read of a list; what cannot is among the findings. */
  read(list: GuardrailList, value: unknown, path: string): readonly GuardrailUse[] {
    if (!Array.isArray(value)) {
      this.#findings.add(path, 'must be an array')
      return []
    }
    this.#guardrails += value.length
    if (this.#guardrails > MAX_GUARDRAILS) {
      this.#findings.add(path, `are more than ${MAX_GUARDRAILS} guardrails with those before them`)
      return []
    }
    return value.flatMap((entry: unknown, index) => this.#entry(list, entry, itemAt(path, index)) ?? [])
  }

  #entry(list: GuardrailList, entry: unknown, path: string): GuardrailUse | undefined {
    if (typeof entry === 'string') return this.#stored(entry, path)
    if (!isRecord(entry)) {
      this.#findings.add(path, 'must be the id of a saved guardrail, or an object with checks')
      return undefined
    }
    const fields = this.#fields(entry, path)
    if (fields === undefined) return undefined
    return fields.checks === undefined ? this.#named(fields, path) : this.#inline(list, fields, path)
  }

  /** The fields of an object, its checks as a list, in whichever way they are written. */
  #fields(entry: Readonly<Record<string, unknown>>, path: string): Record<string, unknown> | undefined {
    const [own, short] = parted(entry, (key) => HOOK_KEYS.includes(canonicalKey(key)))
    const fields = canonicalInner(canonicalFields(own, path, this.#findings), { checks: [{}] }, path, this.#findings)
    const names = Object.keys(short)
    if (names.length === 0) return fields
    if (fields.checks !== undefined) {
      this.#findings.add(keyAt(path, names[0] ?? ''), 'cannot stand beside `checks`: put it in there')
      return undefined
    }
    if (names.length > MAX_CHECKS) {
      this.#findings.add(path, `has more than ${MAX_CHECKS} checks`)
      return undefined
    }
    const checks = Object.entries(short).map(([key, value], index) => this.#shortCheck(key, value, path, index))
    return checks.includes(undefined) ? undefined : { ...fields, checks }
  }

  /** `"default.contains": { words }`; a name without a dot is one of `default.`. */
  #shortCheck(key: string, value: unknown, path: string, index: number): object | undefined {
    const at = itemAt(keyAt(path, 'checks'), index)
    const written = keyAt(this.#findings.written(path), key)
    for (const place of [at, keyAt(at, 'id'), keyAt(at, 'parameters')]) this.#findings.spelt(place, written)
    const id = key.includes('.') ? key : `default.${key}`
    const near =
      id === key || this.#directory?.get(id) !== undefined ? undefined : nearest(canonicalKey(key), HOOK_KEYS)
    if (near !== undefined || !isRecord(value)) {
      this.#findings.add(
        at,
        near === undefined ? 'must be an object: the parameters of the check' : `unknown key; did you mean '${near}'?`,
      )
      return undefined
    }
    const { is_enabled: isEnabled, ...parameters } = value
    return { id, parameters, ...defined({ is_enabled: isEnabled }) }
  }

  #stored(reference: string, path: string): GuardrailUse | undefined {
    const checked = check(Reference, reference)
    if (checked.ok) return { kind: 'stored', reference, path: this.#findings.written(path) }
    this.#add(path, checked.violations)
    return undefined
  }

  /** An object without checks names a saved guardrail, which has its own actions. */
  #named(fields: Readonly<Record<string, unknown>>, path: string): GuardrailUse | undefined {
    if (fields.id === undefined) {
      this.#findings.add(path, 'needs checks, or the `id` of a saved guardrail')
      return undefined
    }
    const foreign = Object.keys(fields).filter((name) => !Object.hasOwn(ReferenceFields.properties, name))
    for (const name of foreign) {
      this.#findings.add(keyAt(path, name), 'needs `checks` beside it: a saved guardrail has its own')
    }
    if (foreign.length > 0) return undefined
    const checked = check(ReferenceFields, fields)
    if (checked.ok) return this.#stored(checked.value.id, path)
    this.#add(path, checked.violations)
    return undefined
  }

  #inline(list: GuardrailList, fields: Readonly<Record<string, unknown>>, path: string): GuardrailUse | undefined {
    const checked = check(HookFields, fields)
    if (!checked.ok) {
      this.#add(path, checked.violations)
      return undefined
    }
    const { value: hook } = checked
    const type = hook.type ?? GUARDRAIL_LISTS[list].type
    if (type === 'mutator' && hook.async) {
      this.#findings.add(keyAt(path, 'async'), 'cannot be true for a mutator: the call waits for what it changes')
    }
    this.#findChecks(list, hook.checks, keyAt(path, 'checks'))
    return {
      kind: 'inline',
      id: hook.id ?? path,
      ...defined({ name: hook.name }),
      definition: toDefinition({ ...hook, type }),
      path: this.#findings.written(path),
    }
  }

  #findChecks(list: GuardrailList, checks: readonly CheckDefinition[], path: string): void {
    this.#checks += checks.length
    if (this.#checks > MAX_CHECKS) {
      this.#findings.add(path, `are more than ${MAX_CHECKS} checks with those before them`)
      return
    }
    if (this.#directory === undefined) return
    for (const { path: inner, message } of checkViolations(checks, this.#directory)) {
      this.#findings.add(`${path}${inner}`, message)
    }
    const { stage } = GUARDRAIL_LISTS[list]
    for (const [index, { id }] of checks.entries()) {
      const stages = this.#directory.get(id)?.stages ?? [stage]
      if (stages.includes(stage)) continue
      this.#findings.add(
        keyAt(itemAt(path, index), 'id'),
        `is a check of ${stage === 'input' ? 'answers' : 'requests'} only`,
      )
    }
  }

  #add(path: string, violations: readonly { readonly path: string; readonly message: string }[]): void {
    for (const violation of violations) this.#findings.add(keyAt(path, violation.path), violation.message)
  }
}

const parted = (
  fields: Readonly<Record<string, unknown>>,
  belongs: (key: string) => boolean,
): readonly [own: Record<string, unknown>, others: Record<string, unknown>] => {
  const entries = Object.entries(fields)
  return [
    Object.fromEntries(entries.filter(([key]) => belongs(key))),
    Object.fromEntries(entries.filter(([key]) => !belongs(key))),
  ]
}

const toDefinition = ({
  id: _id,
  name: _name,
  on_success: onSuccess,
  on_fail: onFail,
  ...hook
}: Hook & Pick<GuardrailDefinition, 'type'>): GuardrailDefinition => ({
  ...hook,
  ...defined({ on_success: toAction(onSuccess), on_fail: toAction(onFail) }),
})

/** Without feedback there is nothing to do. */
const toAction = (action: Hook['on_fail']): GuardrailDefinition['on_fail'] =>
  action?.feedback === undefined ? undefined : { feedback: action.feedback }
