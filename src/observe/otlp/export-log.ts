import { type Logger as OtelLogger, SeverityNumber } from '@opentelemetry/api'
import type { LogFields, Logger } from '../../core/ports.ts'

type Level = keyof Logger

const SEVERITY: Readonly<Record<Level, SeverityNumber>> = {
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
}

/** A log whose lines are sent as well. @param now milliseconds since 1970 */
export const withExport = (log: Logger, events: OtelLogger, now: () => number): Logger => {
  const at =
    (level: Level) =>
    (message: string, fields?: LogFields): void => {
      log[level](message, fields)
      events.emit({
        timestamp: now(),
        severityNumber: SEVERITY[level],
        severityText: level.toUpperCase(),
        body: message,
        attributes: Object.fromEntries(
          Object.entries(fields ?? {})
            .filter(([, value]) => value !== undefined)
            .map(([name, value]) => [name, isPlain(value) ? value : JSON.stringify(value)]),
        ),
      })
    }
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
