import type { Call } from '../core/call.ts'
import type { Target } from './slots.ts'

/** What is asked of a target, before its config is applied. */
export const requestParams = (call: Call, to: Target | undefined): Readonly<Record<string, unknown>> =>
  to?.prompt?.params ?? call.params

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
  return (dropParams ?? []).reduce<Record<string, unknown>>((params, path) => without(params, segments(path)), merged)
}

/** `a.b[0][*].c` as `['a', 'b', '0', '*', 'c']`. */
const segments = (path: string): string[] =>
  path
    .replace(/\[(["']?)([^\]]*?)\1\]/g, '.$2')
    .split('.')
    .filter((segment) => segment !== '')

/** A copy without what the path names; `*` stands for every element. A path that leads nowhere changes nothing. */
const without = <T>(value: T, path: readonly string[]): T => {
  const [head, ...rest] = path
  if (head === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const matches = (index: number): boolean => head === '*' || head === String(index)
    const kept = rest.length === 0 ? value.filter((_, index) => !matches(index)) : value
    return kept.map((item: unknown, index) => (rest.length > 0 && matches(index) ? without(item, rest) : item)) as T
  }
  const entries = Object.entries(value)
    .filter(([key]) => rest.length > 0 || (head !== '*' && key !== head))
    .map(([key, item]): [string, unknown] => [key, head === '*' || key === head ? without(item, rest) : item])
  return Object.fromEntries(entries) as T
}
