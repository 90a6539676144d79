import { resolve } from 'node:path'
import { GatewayError } from '../errors/gateway-error.ts'
import { resolveWorkspace } from '../management/resolve-workspace.ts'
import { printable } from '../observe/terminal.ts'
import { expectFlagsOf, isPromptAction, type PromptFlags, parsePromptFlags } from './prompts/flags.ts'
import { FilesRefused, readFolder } from './prompts/folder.ts'
import { fromFiles } from './prompts/from-files.ts'
import { pull } from './prompts/pull.ts'
import { applyPush, describePush, findBrokenPins, planPush } from './prompts/push.ts'
import { readRenderBody, renderStored } from './prompts/render.ts'
import { type Row, showRows } from './prompts/report.ts'
import type { Environment, ExitCode } from './terminal/environment.ts'
import { WrongUsage } from './terminal/flags.ts'
import { helpOf } from './terminal/help.ts'
import { withTerminalStore } from './terminal-store.ts'

/**
 * `weir prompts pull|push|render`: prompts and partials as files of a repository, and a look at what becomes of one, by the
 * rules of the management interface and with the same audit log. Works beside a running gateway, also on its embedded
 * database.
 * @param args what stands behind `prompts`
 * @throws StoreUnavailable
 */
export const promptsCommand = async (environment: Environment, args: readonly string[]): Promise<ExitCode> => {
  try {
    const { values, positionals } = parsePromptFlags(args)
    const [action, subject, extra] = positionals
    if (!isPromptAction(action)) {
      throw new WrongUsage(action === undefined ? 'say what to do with prompts' : `unknown action '${action}'`)
    }
    expectFlagsOf(action, values)
    if (extra !== undefined) throw new WrongUsage(`unexpected argument '${extra}'`)
    if (subject === undefined || subject === '') {
      throw new WrongUsage(`'${action}' needs ${action === 'render' ? 'the id or slug of a prompt' : 'a folder'}`)
    }
    await ACTIONS[action](environment, subject, values)
    return 0
  } catch (thrown) {
    if (thrown instanceof WrongUsage) {
      environment.error(`weir prompts: ${thrown.message}\n\n${helpOf('prompts')}`)
      return 2
    }
    if (thrown instanceof FilesRefused) {
      environment.error(`weir prompts: nothing was done, as there are problems:\n${lines(thrown)}`)
      return 1
    }
    if (!(thrown instanceof GatewayError || isFileFault(thrown))) throw thrown
    environment.error(`weir prompts: ${thrown.message}\n`)
    return 1
  }
}

/** What the system says of a file that cannot be read or written; it names the file. */
const isFileFault = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && 'syscall' in thrown && 'path' in thrown

/** Names of files come from whoever made the folder. */
const lines = ({ problems }: FilesRefused): string =>
  problems.map(({ file, message }) => `  ${printable(`${file}: ${message}`)}\n`).join('')

type Work = (environment: Environment, subject: string, flags: PromptFlags) => Promise<void>

const runPull: Work = async (environment, folder, { workspace: reference, prune = false, json }) => {
  const pulled = await withTerminalStore(environment, async ({ db, actor }) => {
    const workspace = await resolveWorkspace(db, actor, reference)
    return pull(db, workspace, resolve(environment.folder, folder), prune)
  })
  if (json) return environment.out(toJson(pulled))
  const { prompts, partials, strange } = pulled
  const left = prune ? 'taken away' : 'left as it was (--prune takes it away)'
  await environment.out(
    [
      `Prompts: ${prompts}. Partials: ${partials}.\n`,
      ...strange.map((owner) => `Not in the workspace, and ${left}: ${owner}\n`),
    ].join(''),
  )
}

const runPush: Work = async (environment, folder, flags) => {
  const { workspace: reference, publish = false, prune = false, json } = flags
  const isDryRun = flags['dry-run'] === true
  const content = await readFolder(resolve(environment.folder, folder))
  if (content.folders.size === 0) {
    throw new FilesRefused([{ file: folder, message: "holds neither a folder 'prompts' nor a folder 'partials'" }])
  }
  const set = fromFiles(content)
  await withTerminalStore(environment, async (terminal) => {
    const { db, actor } = terminal
    const workspace = await resolveWorkspace(db, actor, reference)
    const options = { publish, prune }
    const plan = await planPush(terminal, workspace, set, options)
    const rows: Row[] = []
    try {
      if (isDryRun) rows.push(...describePush(plan, options))
      else await applyPush({ terminal, workspace, options }, plan, (done) => rows.push(...done))
    } finally {
      // What was done before something broke stays done.
      await environment.out(json ? toJson({ dry_run: isDryRun, rows }) : showRows(rows, isDryRun))
    }
    for (const warning of await findBrokenPins(db, workspace, set, plan)) {
      environment.error(`weir prompts: ${printable(warning)}\n`)
    }
  })
}

const runRender: Work = async (environment, reference, flags) => {
  const body = await readRenderBody(environment, flags)
  const data = await withTerminalStore(environment, async (terminal) => {
    const workspace = await resolveWorkspace(terminal.db, terminal.actor, flags.workspace)
    return renderStored(terminal, workspace, reference, body, flags.strict === true)
  })
  await environment.out(toJson(data))
}

const ACTIONS = { pull: runPull, push: runPush, render: runRender } as const

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
