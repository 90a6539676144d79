import type { LogFields } from '../core/ports.ts'

/** Takes out of a text what would steer a terminal: names and paths come from anybody. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\u{fffd}')

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const
export type Paint = (style: keyof typeof CODES, text: string) => string

/** Styles of ECMA-48, or none: where nobody looks, or where NO_COLOR asks for it (https://no-color.org, read 2026-11-22). */
export const createPaint = (hasColours: boolean): Paint =>
  hasColours ? (style, text) => `\u{1b}[${CODES[style]}m${text}\u{1b}[0m` : (_style, text) => text

const LEVELS = { info: 'green', warn: 'yellow', error: 'red' } as const

/** One line of the operator's log for a person. */
export const toLogLine =
  (paint: Paint) =>
  (time: Date, level: keyof typeof LEVELS, message: string, fields: LogFields): string => {
    const details = Object.entries(fields).map(([name, value]) => `${paint('dim', `${name}=`)}${shown(value)}`)
    return `${[paint('dim', clockTime(time)), paint(LEVELS[level], level.padEnd(5)), message, ...details].join(' ')}\n`
  }

/** One line of the call log for a person: the record has more. */
export const toCallLine =
  (paint: Paint) =>
  (record: LogFields): string => {
    const { time, status, method, route, provider, model, outcome, total_ms: ms, usage, error, worker } = record
    const style = typeof status === 'number' && status < 400 ? 'green' : 'red'
    const parts = [
      paint('dim', clockTime(new Date(String(time)))),
      paint(style, String(status)),
      `${shown(method)} ${shown(route)}`,
      [provider, model]
        .filter((part) => part !== undefined)
        .map(shown)
        .join('/'),
      typeof ms === 'number' ? `${Math.round(ms)} ms` : '',
      tokensOf(usage),
      outcome === 'completed' ? '' : paint(style, shown(outcome)),
      isError(error) ? shown(error.message) : '',
      worker === undefined ? '' : `${paint('dim', 'worker=')}${shown(worker)}`,
    ]
    return `${parts.filter((part) => part !== '').join('  ')}\n`
  }

const tokensOf = (usage: unknown): string => {
  if (typeof usage !== 'object' || usage === null || !('total_tokens' in usage)) return ''
  return `${usage.total_tokens} tokens`
}

const isError = (error: unknown): error is { readonly message: unknown } =>
  typeof error === 'object' && error !== null && 'message' in error

const clockTime = (time: Date): string => time.toTimeString().slice(0, 8)

const shown = (value: unknown): string => printable(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
