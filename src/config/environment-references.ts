import type { Violation } from '../errors/gateway-error.ts'

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

export interface Resolved {
  readonly value: unknown
  /** One for each key with a variable that is not set and has no default; the reference is left as it is there. */
  readonly violations: readonly Violation[]
}

/** Replaces `${NAME}` and `${NAME:-default}` in every string of a parsed config. */
export const resolveReferences = (value: unknown, env: Readonly<Record<string, string | undefined>>): Resolved => {
  const violations: Violation[] = []
  const resolveText = (text: string, path: string): string =>
    text.replace(REFERENCE, (reference, name: string, fallback: string | undefined) => {
      const found = env[name] ?? fallback
      if (found === undefined) violations.push({ path, message: `the environment variable ${name} is not set` })
      return found ?? reference
    })
  const resolve = (inner: unknown, path: string): unknown => {
    if (typeof inner === 'string') return resolveText(inner, path)
    if (Array.isArray(inner)) return inner.map((item, index) => resolve(item, `${path}[${index}]`))
    if (typeof inner !== 'object' || inner === null) return inner
    return Object.fromEntries(
      Object.entries(inner).map(([key, item]) => [key, resolve(item, path === '' ? key : `${path}.${key}`)]),
    )
  }
  return { value: resolve(value, ''), violations }
}
