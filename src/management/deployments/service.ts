import { defined } from '../../core/defined.ts'
import { isRecord } from '../../core/json/record.ts'
import { ManagementConflict, ManagementReference } from '../../errors/gateway-error.ts'
import { isUniqueViolation } from '../../store/errors.ts'
import {
  allowedWorkspaces,
  DEFAULT_DEPLOYMENT_TAKEN,
  DEPLOYMENT_SLUG_TAKEN,
  type Deployment,
  deploymentRows,
  findDefaultDeployment,
  putAllowedWorkspaces,
  type WantedTags,
} from '../../store/objects/deployments.ts'
import { newId } from '../../store/objects/rows.ts'
import { workspaceRows } from '../../store/objects/workspaces.ts'
import type { DeploymentSettings } from '../../store/schema/deployments.ts'
import type { Db } from '../../store/types.ts'
import { type Actor, authorOf } from '../actor.ts'
import { checkUrl } from '../integrations/configurations.ts'
import { invalidField } from '../invalid-field.ts'
import { columnsOf } from '../resource/answer.ts'
import { toSlug } from '../slug.ts'
import type { NewCredentials } from './credentials.ts'
import type { DeploymentChangeBody, NewDeploymentBody, SettingsBody, TagsAsked } from './model.ts'

export interface DeploymentsDeps {
  /** @throws EgressRefused for a host that may not be reached */
  readonly checkCustomHost: (url: string) => string
  readonly randomId: () => string
}

/** @throws ManagementInvalid, ManagementReference, ManagementConflict naming the field */
export const createDeployment = async (
  db: Db,
  deps: DeploymentsDeps,
  actor: Actor,
  body: NewDeploymentBody,
  { kept }: NewCredentials,
): Promise<Deployment> => {
  const { organisationId } = actor
  const { name, slug = toSlug(name, deps.randomId, 'deployment').slice(-50), type, auth_settings: given = {} } = body
  const id = newId()
  const isDefault = toBoolean(body.is_default)
  const access = await toAccess(db, organisationId, given, { isAll: false, workspaceIds: [] }, true)
  const settings = await toSettings(db, deps, organisationId, given, {}, true)
  const made = await unlessTaken(db, { id, organisationId, slug }, () =>
    deploymentRows.insert(db, {
      ...{ id, organisationId, slug, name, settings, isDefault, allowAllWorkspaces: access.isAll },
      ...{ ...kept, createdBy: authorOf(actor) },
      ...defined({ type }),
      ...columnsOf(body, ['deployment_config', 'tags']),
    }),
  )
  await putAllowedWorkspaces(db, id, access.workspaceIds)
  return made
}

/** @param credentials new ones @throws as `createDeployment` */
export const changeDeployment = async (
  db: Db,
  deps: DeploymentsDeps,
  stored: Deployment,
  body: DeploymentChangeBody,
  credentials?: NewCredentials,
): Promise<Deployment> => {
  const { id, organisationId, slug } = stored
  const { auth_settings: given = {}, status = stored.status, override_existing: isReplacing = false } = body
  const isDefault = body.is_default === undefined ? stored.isDefault : toBoolean(body.is_default)
  if (status === 'archived' && body.is_default !== undefined && isDefault) {
    throw invalidField('is_default', 'cannot be set on a deployment that is archived')
  }
  const before = (await allowedWorkspaces(db, [id])).get(id)?.map((workspace) => workspace.id) ?? []
  const access = await toAccess(
    db,
    organisationId,
    given,
    { isAll: stored.allowAllWorkspaces, workspaceIds: before },
    isReplacing,
  )
  const settings = await toSettings(db, deps, organisationId, given, stored.settings, isReplacing)
  const changed = await unlessTaken(db, { id, organisationId, slug }, () =>
    deploymentRows.update(db, {
      ...{ id, status, settings, allowAllWorkspaces: access.isAll },
      isDefault: isDefault && status === 'active',
      ...columnsOf(body, ['name', 'type', 'deployment_config', 'tags']),
      ...credentials?.kept,
    }),
  )
  await putAllowedWorkspaces(db, id, access.workspaceIds)
  return changed ?? stored
}

/** What a list asks of the tags. */
export const toWantedTags = (asked: TagsAsked): WantedTags => {
  if (typeof asked !== 'string' || !asked.startsWith('{')) return asked
  try {
    const parsed: unknown = JSON.parse(asked)
    if (isRecord(parsed)) {
      return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]))
    }
  } catch {
    // Said below.
  }
  throw invalidField('tags', 'begins like a JSON object and is none')
}

const toBoolean = (flag: boolean | 0 | 1 | undefined): boolean => flag === true || flag === 1

/** Which workspaces a deployment is allowed: all, or these. */
interface AllowedWorkspaces {
  readonly isAll: boolean
  readonly workspaceIds: readonly string[]
}

/** @param isReplacing the list takes the place of that of before, else it is added to it */
const toAccess = async (
  db: Db,
  organisationId: string,
  { allow_all_workspaces: all, workspaces_allowed: added, remove_workspaces_allowed: removed }: SettingsBody,
  before: AllowedWorkspaces,
  isReplacing: boolean,
): Promise<AllowedWorkspaces> => {
  const isAll = all === undefined ? before.isAll && (added ?? []).length === 0 : toBoolean(all)
  if (isAll) {
    for (const [field, list = []] of [
      ['workspaces_allowed', added],
      ['remove_workspaces_allowed', removed],
    ] as const) {
      if (list.length > 0) throw invalidField(`auth_settings.${field}`, 'says nothing where all workspaces are allowed')
    }
    return { isAll, workspaceIds: [] }
  }
  const ids = await idsOf(db, organisationId, added ?? [], 'workspaces_allowed')
  const without = new Set(await idsOf(db, organisationId, removed ?? [], 'remove_workspaces_allowed'))
  const kept = added !== undefined && isReplacing ? [] : before.workspaceIds
  return { isAll, workspaceIds: [...new Set([...kept, ...ids])].filter((id) => !without.has(id)) }
}

/** Ids of workspaces that are named by id or slug. @throws ManagementReference */
const idsOf = async (
  db: Db,
  organisationId: string,
  references: readonly string[],
  field: string,
): Promise<readonly string[]> => {
  const ids: string[] = []
  for (const [index, reference] of references.entries()) {
    const found = await workspaceRows.find(db, { organisationId, reference })
    if (found === undefined) {
      throw new ManagementReference(`There is no workspace '${reference}'.`, {
        param: `auth_settings.${field}[${index}]`,
      })
    }
    ids.push(found.id)
  }
  return ids
}

const URL_FIELDS = ['gateway_base_url', 'mcp_gateway_base_url'] as const
const FLAG_FIELDS = ['is_dataservice_hosted', 'is_playground_proxy_allowed'] as const

const toSettings = async (
  db: Db,
  { checkCustomHost }: DeploymentsDeps,
  organisationId: string,
  given: SettingsBody,
  before: DeploymentSettings,
  isReplacing: boolean,
): Promise<DeploymentSettings> => {
  const changes: Record<string, unknown> = {}
  for (const field of URL_FIELDS) {
    const url = given[field]
    if (url !== undefined) {
      changes[field] = url === null ? undefined : checkUrl(`auth_settings.${field}`, url, checkCustomHost)
    }
  }
  for (const field of FLAG_FIELDS) if (given[field] !== undefined) changes[field] = toBoolean(given[field]) ? 1 : 0
  const { jwt_subs_allowed: added, remove_subs_allowed: removed = [], jwt_sub_workspace_mapping: mapping } = given
  const kept = added !== undefined && isReplacing ? [] : (before.jwt_subs_allowed ?? [])
  const without = new Set(removed)
  changes.jwt_subs_allowed = [...new Set([...kept, ...(added ?? [])])].filter((subject) => !without.has(subject))
  if (mapping !== undefined) {
    for (const [subject, reference] of Object.entries(mapping ?? {})) {
      if ((await workspaceRows.find(db, { organisationId, reference })) !== undefined) continue
      throw new ManagementReference(`There is no workspace '${reference}'.`, {
        param: `auth_settings.jwt_sub_workspace_mapping.${subject}`,
      })
    }
    changes.jwt_sub_workspace_mapping =
      mapping === null || isReplacing ? (mapping ?? undefined) : { ...before.jwt_sub_workspace_mapping, ...mapping }
  }
  return defined({ ...before, ...changes })
}

const unlessTaken = async <Stored>(
  db: Db,
  { id, organisationId, slug }: Pick<Deployment, 'id' | 'organisationId' | 'slug'>,
  store: () => Promise<Stored>,
): Promise<Stored> => {
  // Looked at first, as a transaction that was refused cannot ask any more.
  const other = await findDefaultDeployment(db, organisationId, id)
  try {
    return await store()
  } catch (thrown) {
    if (isUniqueViolation(thrown, DEPLOYMENT_SLUG_TAKEN)) {
      throw new ManagementConflict(`There is a deployment '${slug}' already.`, { cause: thrown, param: 'slug' })
    }
    if (!isUniqueViolation(thrown, DEFAULT_DEPLOYMENT_TAKEN)) throw thrown
    throw new ManagementConflict(
      `The default deployment is ${other === undefined ? 'another one' : `'${other.slug}'`} already: take that back first.`,
      { cause: thrown, param: 'is_default' },
    )
  }
}
