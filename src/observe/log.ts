import type { CallLog, Clock, LogFields, Logger } from '../core/ports.ts'
import { errorFields } from '../errors/error-fields.ts'

/** Takes whole text; never blocks, never throws. */
export type Sink = (text: string) => void

/** Characters of call lines that may wait to be written; past it lines are dropped and counted, so a stuck pipe costs no memory. */
const MAX_WAITING = 8 * 1024 * 1024
/** Milliseconds lines are gathered before they are written together. */
const FLUSH_MS = 20

type Level = 'info' | 'warn' | 'error'

/** Makes a line of an entry of the operator's log. */
export type LogFormat = (time: Date, level: Level, message: string, fields: LogFields) => string

const toJsonLine: LogFormat = (time, level, message, fields) =>
  `${JSON.stringify({ time: time.toISOString(), level, message, ...fields })}\n`

/** The operator's log: one JSON object a line, unless it is for a person. */
export const createLogger = (clock: Clock, write: Sink, format: LogFormat = toJsonLine): Logger => {
  const at =
    (level: Level) =>
    (message: string, fields: LogFields = {}): void =>
      write(format(new Date(clock.now()), level, message, fields))
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

export interface CallLogWriter {
  readonly log: CallLog
  /** Writes what waits. Resolves when the sink has it. */
  flush(): Promise<void>
}

/**
 * Gathers call lines and writes them together. `write` resolves when the text is out; while it has not, lines wait up to
 * a bound, then are dropped, and one warning says how many.
 * @param format makes a line of a record; one of JSON unless said otherwise
 */
export const createCallLog = (
  write: (text: string) => Promise<void>,
  log: Logger,
  format: (record: LogFields) => string = (record) => `${JSON.stringify(record)}\n`,
): CallLogWriter => {
  let waiting: string[] = []
  let waitingCharacters = 0
  let dropped = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> = Promise.resolve()

  const writeOut = (): void => {
    timer = undefined
    if (waiting.length === 0) return
    const text = waiting.join('')
    const lost = dropped
    waiting = []
    dropped = 0
    if (lost > 0) log.warn('call log lines were dropped: standard output is not read fast enough', { dropped: lost })
    writing = writing
      .then(() => write(text))
      .catch((thrown: unknown) => log.error('call log lines could not be written', errorFields(thrown)))
      .finally(() => {
        waitingCharacters -= text.length
      })
  }

  return {
    log(record) {
      const line = format(record)
      if (waitingCharacters + line.length > MAX_WAITING) {
        dropped++
        return
      }
      waiting.push(line)
      waitingCharacters += line.length
      timer ??= setTimeout(writeOut, FLUSH_MS)
    },
    async flush() {
      clearTimeout(timer)
      writeOut()
      await writing
    },
  }
}
