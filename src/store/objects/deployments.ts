import { and, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import { deploymentInstances, deployments, deploymentWorkspaces } from '../schema/deployments.ts'
import { workspaces } from '../schema/tenancy.ts'
import type { Db } from '../types.ts'
import { contains, equals } from './rows.ts'
import { rowsOf } from './rows-of.ts'

export type Deployment = Readonly<Omit<typeof deployments.$inferSelect, 'passwordHash'>>
export type DeploymentInstance = Readonly<typeof deploymentInstances.$inferSelect>

/** Constraints that a second deployment of the same kind breaks, for `isUniqueViolation`. */
export const DEPLOYMENT_SLUG_TAKEN = 'deployments_organisation_slug'
export const DEFAULT_DEPLOYMENT_TAKEN = 'deployments_organisation_default'

/** What a list asks of the tags: all of these values, or that there is one of this name. */
export type WantedTags = Readonly<Record<string, string>> | string

/** Found by id alone. */
export const deploymentRows = rowsOf(deployments, {
  hidden: ['passwordHash'],
  filters: {
    status: equals(deployments.status),
    type: equals(deployments.type),
    search: (part: string) => contains(deployments.name, part),
    /** Those that are allowed one of these workspaces. */
    workspaceIds: (ids: readonly string[]) => {
      const allowed = sql`select ${deploymentWorkspaces.deploymentId} from ${deploymentWorkspaces}
        where ${inArray(deploymentWorkspaces.workspaceId, [...ids])}`
      return ids.length === 0
        ? sql`false`
        : sql`(${deployments.allowAllWorkspaces} or ${deployments.id} in (${allowed}))`
    },
    tags: (wanted: WantedTags) =>
      typeof wanted === 'string'
        ? sql`jsonb_exists(${deployments.tags}, ${wanted}::text)`
        : // As texts: a number or truth value of a tag is found by how it is written.
          and(
            ...Object.entries(wanted).map(
              ([name, value]) => sql`${deployments.tags} ->> ${name}::text = ${value}::text`,
            ),
          ),
  },
})

/** The deployment of a user name, also an archived one, with what its password is compared with. */
export const findDeploymentByUsername = async (
  db: Db,
  username: string,
): Promise<{ readonly deployment: Deployment; readonly passwordHash: string } | undefined> => {
  const [row] = await db.select().from(deployments).where(eq(deployments.username, username))
  if (row === undefined) return undefined
  const { passwordHash, ...deployment } = row
  return { deployment, passwordHash }
}

/** The default deployment of an organisation, other than that of the id. */
export const findDefaultDeployment = async (
  db: Db,
  organisationId: string,
  exceptId: string,
): Promise<Pick<Deployment, 'id' | 'slug'> | undefined> => {
  const [found] = await db
    .select({ id: deployments.id, slug: deployments.slug })
    .from(deployments)
    .where(and(eq(deployments.organisationId, organisationId), deployments.isDefault, ne(deployments.id, exceptId)))
  return found
}

export interface NamedWorkspace {
  readonly id: string
  readonly slug: string
}

/** Workspaces that deployments are allowed by name, by their ids, in the order of their slugs. */
export const allowedWorkspaces = async (
  db: Db,
  deploymentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly NamedWorkspace[]>> => {
  if (deploymentIds.length === 0) return new Map()
  const rows = await db
    .select({ deploymentId: deploymentWorkspaces.deploymentId, id: workspaces.id, slug: workspaces.slug })
    .from(deploymentWorkspaces)
    .innerJoin(workspaces, eq(workspaces.id, deploymentWorkspaces.workspaceId))
    .where(inArray(deploymentWorkspaces.deploymentId, [...deploymentIds]))
    .orderBy(workspaces.slug)
  const grouped = Map.groupBy(rows, ({ deploymentId }) => deploymentId)
  return new Map(
    [...grouped].map(([id, all]) => [id, all.map(({ id: workspaceId, slug }) => ({ id: workspaceId, slug }))]),
  )
}

/** Writes which workspaces a deployment is allowed by name, in place of those before. */
export const putAllowedWorkspaces = async (
  transaction: Db,
  deploymentId: string,
  workspaceIds: readonly string[],
): Promise<void> => {
  await transaction.delete(deploymentWorkspaces).where(eq(deploymentWorkspaces.deploymentId, deploymentId))
  if (workspaceIds.length === 0) return
  await transaction
    .insert(deploymentWorkspaces)
    .values(workspaceIds.map((workspaceId) => ({ deploymentId, workspaceId })))
}

/** Processes of deployments, the last seen first. */
export const listInstances = (db: Db, deploymentIds: readonly string[]): Promise<DeploymentInstance[]> =>
  deploymentIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(deploymentInstances)
        .where(inArray(deploymentInstances.deploymentId, [...deploymentIds]))
        .orderBy(sql`${deploymentInstances.seenAt} desc`)

/** Days that a process is remembered which does not come any more. */
const FORGOTTEN_AFTER = sql`interval '7 days'`

/** Writes that a process is connected, and forgets those that have not been for long. */
export const putInstance = async (
  db: Db,
  { deploymentId, instanceId, version }: Pick<DeploymentInstance, 'deploymentId' | 'instanceId' | 'version'>,
): Promise<void> => {
  const now = sql`clock_timestamp()`
  await db
    .insert(deploymentInstances)
    .values({ deploymentId, instanceId, version, connectedAt: now, seenAt: now })
    .onConflictDoUpdate({
      target: [deploymentInstances.deploymentId, deploymentInstances.instanceId],
      set: { version, connectedAt: now, seenAt: now },
    })
  await db
    .delete(deploymentInstances)
    .where(
      and(
        eq(deploymentInstances.deploymentId, deploymentId),
        lt(deploymentInstances.seenAt, sql`now() - ${FORGOTTEN_AFTER}`),
      ),
    )
}

/** What is written of a process that is connected. */
export interface InstanceNews {
  readonly deploymentId: string
  readonly instanceId: string
  /** It has all that it is to have now. */
  readonly isSynced?: boolean
  /** It began with nothing. */
  readonly isResynced?: boolean
  /** It is not connected any more. */
  readonly hasLeft?: boolean
}

/** Seconds without a word after which a process counts as gone: it is written down every few of them. */
export const SEEN_SECONDS = 30

export const noteInstance = async (db: Db, news: InstanceNews): Promise<void> => {
  const { deploymentId, instanceId, isSynced = false, isResynced = false, hasLeft = false } = news
  const now = sql`clock_timestamp()`
  await db
    .update(deploymentInstances)
    .set({
      seenAt: hasLeft ? sql`clock_timestamp() - make_interval(secs => ${SEEN_SECONDS})` : now,
      ...(isSynced ? { syncedAt: now } : {}),
      ...(isResynced ? { resyncedAt: now } : {}),
    })
    .where(and(eq(deploymentInstances.deploymentId, deploymentId), eq(deploymentInstances.instanceId, instanceId)))
}
