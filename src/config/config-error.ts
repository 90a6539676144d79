import type { Violation } from '../errors/gateway-error.ts'

/** The operator's file, environment or plugins cannot run as they are. The message is for the operator, one line a fault. */
export class ConfigError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ConfigError'
  }
}

/** One line: where, which key, what is wrong with it. */
export const violationLine = ({ path, message }: Violation, where?: string): string =>
  [where, path, message].filter((part) => part !== undefined && part !== '').join(': ')
