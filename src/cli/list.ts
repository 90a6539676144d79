import { defined } from '../core/defined.ts'
import { check, nearest } from '../core/json/check.ts'
import { isRecord } from '../core/json/record.ts'
import { describedRoutes } from '../management/described-routes.ts'
import type { AnyRoute } from '../management/route.ts'
import { systemClock } from '../observe/clock.ts'
import { printable } from '../observe/terminal.ts'
import type { Environment, ExitCode } from './terminal/environment.ts'
import { flag, parseFlags, text, WrongUsage } from './terminal/flags.ts'
import { runAction } from './terminal/run-action.ts'
import { table } from './terminal/table.ts'
import { type TerminalStore, withTerminalStore } from './terminal-store.ts'

/** Fields that a table shows, of those that the objects have. */
const COLUMNS = ['id', 'slug', 'name', 'status', 'last_updated_at']

/** The routes that list stored objects, by what they list: `labels`, `policies/rate-limits`. */
const listRoutes = (): ReadonlyMap<string, AnyRoute> =>
  new Map(
    describedRoutes(systemClock.now)
      .filter(({ method, path, roots, query, response }) => {
        const shown = response.properties?.data?.items?.properties
        // What has neither id nor slug, such as a price that came with the program, is not stored.
        const isPaged = query?.properties?.page_size !== undefined && (shown?.id ?? shown?.slug) !== undefined
        // What asks for a window of time is no list of objects.
        const isWhole = query?.properties?.time_of_generation_min === undefined
        // What stands below one root alone has the path of what workspaces have.
        return method === 'GET' && isPaged && isWhole && roots?.length !== 1 && !path.includes(':')
      })
      .map((route) => [route.path.slice(1), route]),
  )

/**
 * `weir list OBJECTS`: what is stored, by the route that lists it. Works beside a running gateway, also on its embedded
 * database.
 * @throws StoreUnavailable
 */
export const listCommand = (environment: Environment, args: readonly string[]): Promise<ExitCode> =>
  runAction(environment, 'list', async () => {
    const { what, workspace, json } = parse(args)
    const rows = await withTerminalStore(environment, (terminal) => listRows(terminal, what, workspace))
    await environment.out(
      json ? `${JSON.stringify({ object: 'list', total: rows.length, data: rows }, null, 2)}\n` : toTable(rows),
    )
  })

const parse = (args: readonly string[]) => {
  const { values, positionals } = parseFlags(args, { workspace: text, json: flag })
  const [what = '', extra] = positionals
  if (extra !== undefined) throw new WrongUsage(`unexpected argument '${extra}'`)
  return { what, workspace: values.workspace, json: values.json === true }
}

/**
 * Every object that the list has, page after page, as the management interface shows it.
 * @param workspace id or slug; absent: as the route does without
 * @throws WrongUsage for a list that there is not; ManagementReference for a workspace that there is not
 */
export const listRows = async (
  { db, actor }: Pick<TerminalStore, 'db' | 'actor'>,
  what: string,
  workspace: string | undefined,
): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const routes = listRoutes()
  const route = routes.get(what)
  if (route?.query === undefined) {
    const near = nearest(what, [...routes.keys()])
    const hint = near === undefined ? `there are: ${[...routes.keys()].join(', ')}` : `did you mean '${near}'?`
    throw new WrongUsage(`'${what}' is no list; ${hint}`)
  }
  const refuse = (): never => {
    throw new Error('a list changes nothing and needs no further scope')
  }
  const rows: Readonly<Record<string, unknown>>[] = []
  for (let page = 0; ; page++) {
    const size = route.query.properties?.page_size.maximum
    const asked = defined({ workspace_id: workspace, current_page: page, page_size: size })
    const checked = check(route.query, asked)
    if (!checked.ok) throw new WrongUsage(`--workspace does not belong to this list, or cannot be '${workspace}'`)
    const { signal } = new AbortController()
    const request = { url: 'http://localhost/', headers: new Headers() }
    const from = { origin: '', address: undefined }
    const nothing = {
      ...{ params: {}, body: undefined, from, signal, request },
      ...{ require: refuse, audit: refuse, onCommit: refuse },
    }
    const call = { ...nothing, db, actor, query: checked.value }
    const answer = await route.handle(call)
    const found = isRecord(answer) && Array.isArray(answer.data) ? answer.data : []
    rows.push(...found)
    if (found.length === 0) return rows
  }
}

const toTable = (rows: readonly Readonly<Record<string, unknown>>[]): string => {
  const columns = COLUMNS.filter((column) => rows.some((row) => Object.hasOwn(row, column)))
  return table([
    columns.map((column) => column.toUpperCase()),
    ...rows.map((row) => columns.map((column) => printable(String(row[column] ?? '')))),
  ])
}
