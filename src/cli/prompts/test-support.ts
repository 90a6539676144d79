import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bootstrap } from '../../store/bootstrap.ts'
import type { Store } from '../../store/db.ts'
import { listAudit } from '../../store/objects/audit-log.ts'
import { findFirstOrganisation } from '../../store/objects/tenancy.ts'
import { createWorkspace, type Workspace } from '../../store/objects/workspaces.ts'
import { ORGANISATION_SCOPES } from '../../store/scopes.ts'
import type { TerminalStore } from '../terminal-store.ts'
import type { PromptSet } from './entries.ts'
import type { PushOptions } from './plan-versions.ts'
import { applyPush, describePush, planPush } from './push.ts'
import type { Row } from './report.ts'

/** A store as a command from a terminal has it, without opening one for each command. */
export const openTerminal = async (store: Store): Promise<TerminalStore> => {
  await bootstrap(store.db, {})
  const organisationId = (await findFirstOrganisation(store.db))?.id ?? ''
  const scopes = new Set<string>(ORGANISATION_SCOPES)
  return {
    db: store.db,
    store,
    organisationId,
    actor: { kind: 'organisation-service', id: 'cli', name: 'tester', organisationId, scopes },
    change: () => Promise.reject(new Error('A push writes several entries at once.')),
  }
}

let made = 0

/** Each test has a workspace of its own. */
export const newWorkspace = ({ db, organisationId }: TerminalStore): Promise<Workspace> => {
  made++
  return createWorkspace(db, { organisationId, name: `W ${made}`, slug: `ws-test-${made}` })
}

export const push = async (
  terminal: TerminalStore,
  workspace: Workspace,
  set: PromptSet,
  options: Partial<PushOptions> = {},
): Promise<readonly Row[]> => {
  const whole = { publish: false, prune: false, ...options }
  const plan = await planPush(terminal, workspace, set, whole)
  const rows: Row[] = []
  await applyPush({ terminal, workspace, options: whole }, plan, (done) => rows.push(...done))
  // What is said before is what is done.
  if (!Bun.deepEquals(rows, describePush(plan, whole))) throw new Error('A dry run would have said something else.')
  return rows
}

/** Actions of the audit log of a workspace, the newest first. */
export const auditedActions = async (
  { db, organisationId }: TerminalStore,
  { id: workspaceId }: Workspace,
): Promise<readonly string[]> => {
  const { rows } = await listAudit(db, { organisationId }, { offset: 0, limit: 1000 })
  return rows.filter((row) => row.workspaceId === workspaceId).map(({ action }) => action)
}

/** Writes files below a folder. */
export const writeFiles = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
