import type { Call } from '../core/call.ts'
import { StepBudget } from '../core/step-budget.ts'
import { InvalidRequest } from '../errors/gateway-error.ts'
import type { Target } from '../kit/slots.ts'

/** What is asked of a target, before its config is applied. */
export const requestParams = (call: Call, to: Target | undefined): Readonly<Record<string, unknown>> =>
  to?.params ?? to?.prompt?.params ?? call.params

/** Region of a cloud that a target names: `aws_region`, `vertex_region`. */
export const regionOf = ({ settings }: Pick<Target, 'settings'>): string | undefined => {
  for (const name in settings) if (name.endsWith('_region')) return settings[name]
  return undefined
}

/**
 * The parameters of the target over those of the client: `default_params` fill gaps, `override_params` replace,
 * `drop_params` remove. Gives the client's own object back when the target has none of them.
 */
export const applyTargetParams = (
  request: Readonly<Record<string, unknown>>,
  { defaultParams, overrideParams, dropParams }: Pick<Target, 'defaultParams' | 'overrideParams' | 'dropParams'>,
): Readonly<Record<string, unknown>> => {
  if (defaultParams === undefined && overrideParams === undefined && dropParams === undefined) return request
  const merged: Record<string, unknown> = { ...defaultParams, ...request, ...overrideParams }
  if (dropParams === undefined || dropParams.length === 0) return merged
  return without(merged, [toTree(dropParams)], new StepBudget(DROP_STEPS))
}

/** Steps to look for parameters to drop in one request: a fraction of a second, for paths with `*` on very many values. */
const DROP_STEPS = 1_000_000

/** Paths to drop, by what they begin with. */
interface Drops {
  /** A path ends here. */
  ends: boolean
  readonly next: Map<string, Drops>
}

const createDrops = (): Drops => ({ ends: false, next: new Map() })

const toTree = (paths: readonly string[]): Drops => {
  const root = createDrops()
  for (const path of paths) {
    let place = root
    for (const segment of segments(path)) {
      const next = place.next.get(segment) ?? createDrops()
      place.next.set(segment, next)
      place = next
    }
    place.ends = place !== root
  }
  return root
}

/** `a.b[0][*].c` as `['a', 'b', '0', '*', 'c']`. */
const segments = (path: string): string[] =>
  path
    .replace(/\[([^[\]]*)\]/g, (_, inner: string) => `.${unquoted(inner)}`)
    .split('.')
    .filter((segment) => segment !== '')

const unquoted = (text: string): string => /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text

/** A copy without what the paths name; `*` stands for every element. A path that leads nowhere changes nothing. */
const without = <T>(value: T, drops: readonly Drops[], budget: StepBudget): T => {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([key, item]): (readonly [string, unknown])[] => {
    if (!budget.take(1 + drops.length)) {
      throw new InvalidRequest('`drop_params` look at too many values of this request.', { param: 'drop_params' })
    }
    const inner = drops.flatMap(({ next }) => [next.get(key) ?? [], next.get('*') ?? []].flat())
    if (inner.some(({ ends }) => ends)) return []
    return [[key, inner.length === 0 ? item : without(item, inner, budget)]]
  })
  return (Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries)) as T
}

/** The target as the router chose it: the same object, whatever stages make of it for one attempt. What was spent goes by it. */
export const originOf = (to: Target): Target => to.origin ?? to
