import type { Logger } from '../core/ports.ts'
import { systemClock } from '../observe/clock.ts'
import { type CallLogWriter, createCallLog, createLogger } from '../observe/log.ts'
import { createPaint, toCallLine, toLogLine } from '../observe/terminal.ts'
import type { Environment } from './terminal/environment.ts'

/** The operator's log, in the form that suits whoever looks at it. @param worker stands in every line; absent: in none */
export const createOwnLog = ({ env, terminal, error }: Environment, worker?: number): Logger => {
  const paint = createPaint(terminal?.error === true && !env.NO_COLOR)
  const log = createLogger(systemClock, error, terminal?.error === true ? toLogLine(paint) : undefined)
  if (worker === undefined) return log
  return {
    info: (message, fields) => log.info(message, { worker, ...fields }),
    warn: (message, fields) => log.warn(message, { worker, ...fields }),
    error: (message, fields) => log.error(message, { worker, ...fields }),
  }
}

/** The log of calls, likewise. */
export const createOwnCallLog = ({ env, terminal, out }: Environment, log: Logger, worker?: number): CallLogWriter => {
  const callLine = toCallLine(createPaint(!env.NO_COLOR))
  const callLog = createCallLog((text) => out(text), log, terminal?.out === true ? callLine : undefined)
  if (worker === undefined) return callLog
  return { ...callLog, log: (record) => callLog.log({ ...record, worker }) }
}
