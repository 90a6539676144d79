import type { Violation } from '../errors/gateway-error.ts'

/** The operator's file, environment or plugins cannot run as they are. The message is for the operator, one line a fault. */
export class ConfigError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ConfigError'
  }
}

/** One ConfigError for a list of violations; `where` is the file or the plugin. */
export const toConfigError = (where: string, violations: readonly Violation[]): ConfigError =>
  new ConfigError(
    violations.map(({ path, message }) => `${where}: ${path === '' ? '' : `${path}: `}${message}`).join('\n'),
  )
