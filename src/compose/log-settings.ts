import { readRedaction } from '../calls/pattern/redaction.ts'
import { PatternRefused } from '../calls/pattern/translate.ts'
import type { OperatorConfig } from '../config/schema.ts'
import type { BodyPolicy, BodyReaders, BodyRules, BodyRulesDirectory, LogSettings } from '../core/log-settings.ts'
import type { Logger } from '../core/ports.ts'
import { errorFields } from '../errors/error-fields.ts'
import type { RecordSettings } from '../records/settings.ts'
import type { Retention } from '../records/store.ts'
import type { Store } from '../store/db.ts'
import { createLogSettingsSnapshot, type WorkspaceLogSettings } from '../store/memory/log-settings.ts'

/** What is kept of calls, for how long, and who may see it: the operator's word, and over it those of the store. */
export interface OwnLogSettings {
  readonly bodyRules: BodyRulesDirectory
  readonly records: RecordSettings
  /** Whom bodies of a workspace are shown to. */
  readersOf(workspaceId: string): BodyReaders
  close(): Promise<void>
}

/** @throws StoreUnavailable */
export const openLogSettings = async (
  store: Store,
  { records: operators }: { readonly records: Omit<OperatorConfig['records'], 'spool' | 'clickhouse'> },
  log: Logger,
): Promise<OwnLogSettings> => {
  const onError = (error: unknown): void =>
    log.warn('what is kept of calls could not be read again; what was read last stays in use', errorFields(error))
  const snapshot = await createLogSettingsSnapshot(store, { onError })
  const fallback: Retention = { days: operators.retentionDays, bodyDays: operators.bodyRetentionDays }
  /** Of what was said, for as long as it is. */
  const rules = new WeakMap<WorkspaceLogSettings, BodyRules>()

  return {
    bodyRules: {
      of(_organisationId, workspaceId) {
        const said = snapshot.of(workspaceId)
        const known = rules.get(said)
        if (known !== undefined) return known
        const made = toRules(said, operators.bodies)
        rules.set(said, made)
        return made
      },
    },
    records: {
      retention: () => ({ fallback, workspaces: retentions(snapshot.all(), fallback) }),
      metadataKeys: () => metadataKeys(snapshot.all()),
      onChange: snapshot.onChange,
    },
    readersOf(workspaceId) {
      const { workspace, organisation } = snapshot.of(workspaceId)
      // Whoever wants less to be seen has the last word.
      return [workspace, organisation].some(({ bodyReaders }) => bodyReaders === 'caller') ? 'caller' : 'workspace'
    },
    close: () => snapshot.close(),
  }
}

/** Patterns of the organisation and of the workspace together; of policies see `policyOf`. */
const toRules = ({ workspace, organisation }: WorkspaceLogSettings, operators: BodyPolicy): BodyRules => {
  const bodies = policyOf(operators, organisation.bodies, workspace.bodies)
  const patterns = [...(organisation.redact ?? []), ...(workspace.redact ?? [])]
  if (patterns.length === 0 || bodies === 'none') return { bodies }
  try {
    return { bodies, redaction: readRedaction(patterns) }
  } catch (thrown) {
    if (!(thrown instanceof PatternRefused)) throw thrown
    // One that only somebody else can have stored: what it stands for must not be kept.
    return { bodies: 'none' }
  }
}

/** `none` of anybody, else the word of the last who has one. */
const policyOf = (first: BodyPolicy, ...others: readonly (BodyPolicy | undefined)[]): BodyPolicy =>
  others.reduce<BodyPolicy>((policy, next) => (policy === 'none' ? policy : (next ?? policy)), first)

const retentions = (
  said: ReadonlyMap<string, WorkspaceLogSettings>,
  fallback: Retention,
): ReadonlyMap<string, Retention> => {
  const found = new Map<string, Retention>()
  for (const [id, { workspace, organisation }] of said) {
    const days = workspace.retentionDays ?? organisation.retentionDays ?? fallback.days
    const bodyDays = workspace.bodyRetentionDays ?? organisation.bodyRetentionDays ?? fallback.bodyDays
    if (days !== fallback.days || bodyDays !== fallback.bodyDays) {
      found.set(id, { days, bodyDays: Math.min(days, bodyDays) })
    }
  }
  return found
}

const metadataKeys = (said: ReadonlyMap<string, WorkspaceLogSettings>): ReadonlyMap<string, readonly string[]> => {
  const keysOf = (settings: LogSettings): readonly string[] => settings.metadataKeys ?? []
  const found = new Map<string, readonly string[]>()
  for (const [id, { workspace, organisation }] of said) {
    const keys = [...new Set([...keysOf(organisation), ...keysOf(workspace)])]
    if (keys.length > 0) found.set(id, keys)
  }
  return found
}
