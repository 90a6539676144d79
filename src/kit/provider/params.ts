import { isRecord } from '../../core/json/record.ts'
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
  /** The request itself where nothing changed. */
  readonly body: Readonly<Record<string, unknown>>
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
  const values = request as Readonly<Record<string, unknown>>
  const names = Object.keys(request)
  /** A client may make up any number of names. */
  const dropped = new Set<string>()
  const report = (part: string): void => {
    dropped.add(part)
  }
  /** Made with the first change: nearly all requests are sent as they came. */
  let body: Record<string, unknown> | undefined
  for (let index = 0; index < names.length; index++) {
    const name = names[index] ?? ''
    const value = values[name]
    // Own rules only: a client may well send a parameter called `constructor`.
    const rule = Object.hasOwn(rules, name) ? byName[name] : undefined
    const isAbsent = value === null || value === undefined
    const isKept = rule === true || (rule === undefined && unlisted === 'keep')
    const fields = isAbsent || isKept ? undefined : fieldsOf(rule, name, value, request, context, report)
    if (fields === undefined ? isKept && !(isAbsent && unlisted === 'drop') : isJust(fields, name, value)) {
      if (body !== undefined) body[name] = value
      continue
    }
    body ??= copyOf(values, names.slice(0, index))
    for (const path in fields) if (fields[path] !== undefined) setPath(body, path, fields[path])
  }
  return {
    body: body ?? values,
    dropped: dropped.size === 0 ? NOTHING_DROPPED : [...dropped],
    changed: body !== undefined,
  }
}

type Fields = Readonly<Record<string, unknown>>

const NOTHING: Fields = {}

const NOTHING_DROPPED: readonly string[] = []

/** What stands for a parameter that is there. */
const fieldsOf = <Request>(
  rule: Exclude<ParamRule<Request, unknown>, true> | undefined,
  name: string,
  value: unknown,
  request: Request,
  context: AdapterContext,
  report: (part: string) => void,
): Fields => {
  if (rule === undefined || rule === null) {
    report(name)
    return NOTHING
  }
  if (typeof rule === 'string') return { [rule]: value }
  if (typeof rule === 'function') {
    const fields = rule(value, request, context, report)
    if (fields !== undefined) return fields
    report(name)
    return NOTHING
  }
  const clamped = typeof value === 'number' ? Math.min(Math.max(value, rule.clamp[0]), rule.clamp[1]) : value
  return { [rule.as ?? name]: clamped }
}

/** Whether the fields say just what the parameter said. */
const isJust = (fields: Fields, name: string, value: unknown): boolean => {
  for (const path in fields) if (path !== name) return false
  return Object.hasOwn(fields, name) && fields[name] === value
}

/** No prototype, so that a parameter called `__proto__` is a field like any other. */
const copyOf = (values: Fields, names: readonly string[]): Record<string, unknown> => {
  const body: Record<string, unknown> = Object.create(null)
  for (const name of names) body[name] = values[name]
  return body
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
