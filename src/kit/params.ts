import { isRecord } from '../core/record.ts'
import type { AdapterContext } from './provider.ts'

/**
 * What happens to one request parameter on its way to a provider:
 * - `true`: kept as it is;
 * - a string: renamed; dots reach into objects (`'generationConfig.topP'`);
 * - `null`: dropped, and named in the loss report;
 * - `{ clamp: [min, max], as? }`: forced into the range, perhaps renamed;
 * - a function: gives the fields that replace it (dotted names too), or `undefined` to drop and report it. Fields that
 *   are just `{ [name]: value }`, the value itself and not a copy, leave the request unchanged, so its bytes may pass.
 *   `report` names a part that gets lost inside a value: `messages[].name`.
 */
export type ParamRule<Request, Value> =
  | true
  | null
  | string
  | { readonly clamp: readonly [min: number, max: number]; readonly as?: string }
  | ((
      value: Value,
      request: Request,
      context: AdapterContext,
      report: (part: string) => void,
    ) => Readonly<Record<string, unknown>> | undefined)

/** Rules by parameter name. */
export type ParamMap<Request> = {
  readonly [Name in keyof Request as string extends Name ? never : Name]?: ParamRule<
    Request,
    NonNullable<Request[Name]>
  >
} & { readonly [extra: string]: ParamRule<Request, never> | undefined }

export interface ParamResult {
  readonly body: Record<string, unknown>
  /** Parameters that the provider does not have, in the order of the request. */
  readonly dropped: readonly string[]
  /** False when the body says just what the request said, so that its bytes may pass through. */
  readonly changed: boolean
}

/**
 * Applies the rules to a request. A parameter that is `null` counts as absent and is left out for wire `own`: some
 * providers refuse an explicit null.
 * @param unlisted what happens to parameters without a rule: kept (the provider speaks the reference's format) or dropped.
 */
export const applyParams = <Request extends object>(
  rules: ParamMap<Request>,
  request: Request,
  context: AdapterContext,
  unlisted: 'keep' | 'drop',
): ParamResult => {
  const byName = rules as Readonly<Record<string, ParamRule<Request, unknown> | undefined>>
  // No prototype, so that a parameter called `__proto__` is a field like any other.
  const body: Record<string, unknown> = Object.create(null)
  const dropped: string[] = []
  let changed = false
  for (const [name, value] of Object.entries(request)) {
    // Own rules only: a client may well send a parameter called `constructor`.
    const rule = Object.hasOwn(rules, name) ? byName[name] : undefined
    if (value === null || value === undefined) {
      if (unlisted === 'keep' && (rule === undefined || rule === true)) body[name] = value
      else changed = true
      continue
    }
    if (rule === true || (rule === undefined && unlisted === 'keep')) {
      body[name] = value
      continue
    }
    changed = applyRule(rule ?? null, name, value, request, context, body, dropped) || changed
  }
  return { body, dropped, changed }
}

/** @returns whether the body now differs from the request. */
const applyRule = <Request>(
  rule: Exclude<ParamRule<Request, unknown>, true>,
  name: string,
  value: unknown,
  request: Request,
  context: AdapterContext,
  body: Record<string, unknown>,
  dropped: string[],
): boolean => {
  if (rule === null) {
    dropped.push(name)
    return true
  }
  if (typeof rule === 'string') {
    setPath(body, rule, value)
    return true
  }
  if (typeof rule === 'function') {
    const report = (part: string): void => {
      if (!dropped.includes(part)) dropped.push(part)
    }
    const fields = rule(value, request, context, report)
    if (fields === undefined) {
      report(name)
      return true
    }
    const entries = Object.entries(fields)
    for (const [path, field] of entries) if (field !== undefined) setPath(body, path, field)
    return entries.length !== 1 || fields[name] !== value
  }
  const clamped = typeof value === 'number' ? Math.min(Math.max(value, rule.clamp[0]), rule.clamp[1]) : value
  setPath(body, rule.as ?? name, clamped)
  return rule.as !== undefined || clamped !== value
}

/** Sets `a.b.c`, making the objects on the way. Rules are written by plugins, so paths never come from a client. */
const setPath = (target: Record<string, unknown>, path: string, value: unknown): void => {
  const names = path.split('.')
  const last = names.pop() ?? path
  let object = target
  for (const name of names) {
    const inner = object[name]
    const next: Record<string, unknown> = isRecord(inner) ? inner : {}
    object[name] = next
    object = next
  }
  object[last] = value
}
