import { ConfigError } from './config-error.ts'

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/**
 * Replaces `${NAME}` and `${NAME:-default}` in every string of a parsed config.
 * @throws ConfigError naming the variable and the path of the key when a variable is not set and has no default.
 */
export const resolveReferences = (
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  path = '',
): unknown => {
  if (typeof value === 'string') {
    return value.replace(REFERENCE, (_, name: string, fallback: string | undefined) => {
      const found = env[name] ?? fallback
      if (found === undefined) throw new ConfigError(`${path}: the environment variable ${name} is not set`)
      return found
    })
  }
  if (Array.isArray(value)) return value.map((item, index) => resolveReferences(item, env, `${path}[${index}]`))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      resolveReferences(item, env, path === '' ? key : `${path}.${key}`),
    ]),
  )
}
