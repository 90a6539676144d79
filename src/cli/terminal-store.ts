import { openOwnStoreForCommand } from '../compose/own-store.ts'
import { ConfigError } from '../config/config-error.ts'
import { ManagementNotFound } from '../errors/gateway-error.ts'
import type { Actor } from '../management/actor.ts'
import type { AuditEntry } from '../management/route.ts'
import type { CommandStore } from '../store/db.ts'
import { appendAudit } from '../store/objects/audit-log.ts'
import { isMirror } from '../store/objects/mirror.ts'
import { findFirstOrganisation } from '../store/objects/tenancy.ts'
import { ORGANISATION_SCOPES } from '../store/scopes.ts'
import type { Db } from '../store/types.ts'
import type { Environment } from './terminal/environment.ts'

/** What a command from a terminal works with. Who can open the database may do everything in it. */
export interface TerminalStore {
  readonly db: Db
  readonly store: CommandStore
  readonly organisationId: string
  /** Reaches every workspace of the organisation. */
  readonly actor: Actor
  /** Does one change and writes it down, or neither. */
  change<Result>(work: (transaction: Db) => Promise<readonly [Result, AuditEntry]>): Promise<Result>
}

/**
 * Opens the store that `weir start` would open, or has open, for one command.
 * @throws StoreUnavailable
 * @throws ManagementNotFound when no gateway was ever started on it
 */
export const withTerminalStore = async <Result>(
  environment: Environment,
  work: (terminal: TerminalStore) => Promise<Result>,
): Promise<Result> => {
  const store = await openOwnStoreForCommand(environment)
  try {
    const organisation = await findFirstOrganisation(store.db)
    if (organisation === undefined) {
      throw new ManagementNotFound('The database is empty. Run `weir start` once: it makes the first keys.')
    }
    const organisationId = organisation.id
    const name = environment.env.USER || 'terminal'
    return await work({
      db: store.db,
      store,
      organisationId,
      actor: {
        kind: 'organisation-service',
        id: 'cli',
        name,
        organisationId,
        scopes: new Set(ORGANISATION_SCOPES),
      },
      async change(change) {
        if (await isMirror(store.db)) {
          const { WEIR_CONTROL_PLANE: url } = environment.env
          throw new ConfigError(`This is a data plane: changes are made at its control plane${url ? `, ${url}` : ''}.`)
        }
        return store.db.transaction(async (transaction) => {
          const [result, entry] = await change(transaction)
          await appendAudit(transaction, {
            organisationId,
            actorKind: 'cli',
            actorId: 'cli',
            actorName: name,
            ...entry,
          })
          return result
        })
      },
    })
  } finally {
    await store.close()
  }
}
