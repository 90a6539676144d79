import { readFileSync } from 'node:fs'
import { loadConfig } from '../config/load.ts'
import { defined } from '../core/defined.ts'
import { isRecord } from '../core/json/record.ts'
import { createPaint, type Paint, printable } from '../observe/terminal.ts'
import { ownUrl } from './healthcheck.ts'
import { firstKeysFile } from './keys/first-keys.ts'
import { eventsOf } from './logs-events.ts'
import type { Environment, ExitCode } from './terminal/environment.ts'
import { flag, many, parseFlags, text, WrongUsage } from './terminal/flags.ts'
import { helpOf } from './terminal/help.ts'

type Row = Readonly<Record<string, unknown>>

/** The gateway cannot be asked, or refuses; told in one line. */
class LogsUnavailable extends Error {
  override readonly name = 'LogsUnavailable'
}

/** Milliseconds until an answer begins, and before a connection that was lost is made again. */
const ANSWER_MS = 15_000
const AGAIN_MS = 1_000
const MOST_ROWS = 500

/**
 * `weir logs`: what happened, as a running gateway tells it: the files of an embedded store belong to its process. The key is
 * that of `--key`, else the admin key.
 */
export const logsCommand = async (
  environment: Environment,
  configFile: string | undefined,
  args: readonly string[],
): Promise<ExitCode> => {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) environment.onSignal(name, () => stop.abort())
  try {
    const asked = parse(args)
    const source = await sourceOf(environment, configFile, asked, stop.signal)
    const paint = createPaint(environment.terminal?.out === true && !environment.env.NO_COLOR)
    const print = (row: Row): Promise<void> =>
      environment.out(asked.json ? `${JSON.stringify(row)}\n` : toLine(row, paint))
    if (asked.follow) await follow(source, asked, print, stop.signal)
    else for (const row of (await source.list(asked.limit)).toReversed()) await print(row)
    return 0
  } catch (thrown) {
    if (stop.signal.aborted) return 0
    if (thrown instanceof WrongUsage) {
      environment.error(`weir logs: ${thrown.message}\n\n${helpOf('logs')}`)
      return 2
    }
    if (!(thrown instanceof LogsUnavailable)) throw thrown
    environment.error(`weir logs: ${printable(thrown.message)}\n`)
    return 1
  }
}

interface Asked {
  readonly follow: boolean
  readonly json: boolean
  readonly limit: number
  readonly filters: readonly (readonly [string, string])[]
  readonly url: string | undefined
  readonly key: string | undefined
}

const parse = (args: readonly string[]): Asked => {
  const options = { follow: flag, json: flag, limit: text, filter: many, url: text, key: text }
  const { values, positionals } = parseFlags(args, options)
  if (positionals[0] !== undefined) throw new WrongUsage(`unexpected argument '${positionals[0]}'`)
  const { limit = '20', filter = [], url, key } = values
  if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MOST_ROWS) {
    throw new WrongUsage(`--limit takes a number from 1 to ${MOST_ROWS}`)
  }
  const filters = filter.map((pair) => {
    const at = pair.indexOf('=')
    if (at < 1) throw new WrongUsage(`--filter takes NAME=VALUE, not '${pair}'`)
    return [pair.slice(0, at), pair.slice(at + 1)] as const
  })
  return { follow: values.follow === true, json: values.json === true, limit: Number(limit), filters, url, key }
}

interface Source {
  /** The newest first. @param since `created_at` of a row: that and later ones */
  list(limit: number, since?: string): Promise<readonly Row[]>
  stream(): ReturnType<typeof eventsOf>
}

const sourceOf = async (
  environment: Environment,
  configFile: string | undefined,
  { url, key = keyOf(environment), filters }: Asked,
  signal: AbortSignal,
): Promise<Source> => {
  if (key === undefined)
    throw new LogsUnavailable('no key: set WEIR_ADMIN_KEY, or give one that has the scope logs.list with --key')
  const { env, folder } = environment
  const base = url ?? ownUrl((await loadConfig(defined({ folder, env, file: configFile }))).config.server)
  const ask = async (path: string, more: readonly (readonly [string, string])[]): Promise<Response> => {
    const query = new URLSearchParams()
    for (const [name, value] of [...filters, ...more]) query.append(name, value)
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), ANSWER_MS)
    const init = { headers: { authorization: `Bearer ${key}` }, signal: AbortSignal.any([signal, late.signal]) }
    const address = `${base.replace(/\/+$/, '')}/v2${path}?${query}`
    const response = await fetch(address, { ...init, proxy: false })
      .catch((thrown: unknown) => {
        if (signal.aborted) throw thrown
        throw new LogsUnavailable(`no answer from ${base}`)
      })
      .finally(() => clearTimeout(timer))
    if (response.ok) return response
    throw new LogsUnavailable(messageOf(await response.json().catch(() => undefined)) ?? `status ${response.status}`)
  }
  return {
    async list(limit, since) {
      const after = since === undefined ? [] : [['time_of_generation_min', since] as const]
      const answer: unknown = await (await ask('/logs', [['limit', String(limit)], ...after])).json()
      return isRecord(answer) && Array.isArray(answer.data) ? answer.data.filter(isRecord) : []
    },
    stream: async function* () {
      const { body } = await ask('/logs/stream', [])
      if (body !== null) yield* eventsOf(body)
    },
  }
}

const messageOf = (answer: unknown): string | undefined =>
  isRecord(answer) && isRecord(answer.error) && typeof answer.error.message === 'string'
    ? answer.error.message
    : undefined

/** The admin key of the environment or of the file that a first start without a terminal wrote; an API key may lack the scope. */
const keyOf = (environment: Environment): string | undefined => {
  const { WEIR_ADMIN_KEY, WEIR_API_KEY } = environment.env
  return WEIR_ADMIN_KEY || firstAdminKey(environment) || WEIR_API_KEY || undefined
}

const firstAdminKey = (environment: Environment): string | undefined => {
  try {
    return /^WEIR_ADMIN_KEY=(\S+)$/m.exec(readFileSync(firstKeysFile(environment), 'utf8'))?.[1]
  } catch {
    return undefined
  }
}

/** Follows until a signal. What was missed while the connection was away is asked for once it is back. */
const follow = async (
  source: Source,
  { limit }: Asked,
  print: (row: Row) => Promise<void>,
  signal: AbortSignal,
): Promise<void> => {
  const seen = new Set<unknown>()
  let since: string | undefined
  const tell = async (row: Row): Promise<void> => {
    if (seen.has(row.id)) return
    seen.add(row.id)
    for (const oldest of seen) {
      if (seen.size <= 4 * MOST_ROWS) break
      seen.delete(oldest)
    }
    since = String(row.created_at)
    await print(row)
  }
  for (let isFirst = true; !signal.aborted; ) {
    try {
      for await (const { event, data } of source.stream()) {
        if (event === 'ready') {
          const missed = isFirst ? await source.list(limit) : await source.list(MOST_ROWS, since)
          isFirst = false
          for (const row of missed.toReversed()) await tell(row)
        } else if (event === 'log') await tell(data)
      }
    } catch (thrown) {
      if (signal.aborted) return
      if (isFirst) throw thrown
    }
    await Bun.sleep(AGAIN_MS)
  }
}

/** One line for a person. */
const toLine = (row: Row, paint: Paint): string => {
  const cost =
    typeof row.cost === 'number' ? `${Number(row.cost.toPrecision(4))} ¢` : row.unpriced === true ? '? ¢' : ''
  const parts = [
    paint('dim', printable(String(row.created_at).replace('T', ' ').slice(0, 23))),
    paint(row.is_success === 1 ? 'green' : 'red', printable(String(row.response_status_code))),
    printable(`${row.method} ${row.path}`),
    printable([row.ai_org, row.ai_model].filter((part) => typeof part === 'string').join('/')),
    typeof row.response_time === 'number' ? `${Math.round(row.response_time)} ms` : '',
    typeof row.total_units === 'number' ? `${row.total_units} tokens` : '',
    cost,
    row.outcome === 'completed' ? '' : printable(String(row.outcome)),
    typeof row.error_message === 'string' ? printable(row.error_message) : '',
    paint('dim', printable(String(row.id))),
  ]
  return `${parts.filter((part) => part !== '').join('  ')}\n`
}
