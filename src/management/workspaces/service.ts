import { ManagementConflict, ManagementNotFound } from '../../errors/gateway-error.ts'
import { findDefaultSlugs } from '../../store/default-configs.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../store/errors.ts'
import type { RateLimit } from '../../store/schema/limits.ts'
import type { Db } from '../../store/types.ts'
import {
  countWorkspaceDependants,
  createWorkspace,
  DEFAULT_WORKSPACE_SLUG,
  deleteWorkspace,
  findWorkspace,
  type NewWorkspace,
  updateWorkspace,
  WORKSPACE_SLUG_TAKEN,
  type Workspace,
  type WorkspaceDependants,
} from '../../store/workspaces.ts'
import type { Actor } from '../actor.ts'
import { authorOf } from '../author.ts'
import { chooseDefault, unknownConfig } from '../configs/default-config.ts'
import { invalidField } from '../invalid-field.ts'
import { toUsageLimits } from '../limits.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import { toSlug } from '../slug.ts'
import type { CreateWorkspaceBody, DeleteWorkspaceBody, UpdateWorkspaceBody } from './model.ts'
import { toWorkspaceAnswer } from './view.ts'

const CONFIG_FIELD = 'defaults.config_id'

/** A workspace as the interface shows it, with its default config. */
export const showWorkspace = async (db: Db, workspace: Workspace): Promise<ReturnType<typeof toWorkspaceAnswer>> =>
  toWorkspaceAnswer(workspace, (await findDefaultSlugs(db, [workspace.id])).get(workspace.id))

/**
 * The workspace of an item route, by id or slug.
 * @throws ManagementNotFound when the organisation has none of that name, or a workspace key asks for another one.
 */
export const reachWorkspace = async (db: Db, actor: Actor, reference: string): Promise<Workspace> => {
  const found = await findWorkspace(db, { organisationId: actor.organisationId, reference })
  if (found === undefined || (actor.workspaceId !== undefined && actor.workspaceId !== found.id)) {
    throw new ManagementNotFound(`There is no workspace '${reference}'.`)
  }
  return found
}

/** @throws ManagementInvalid for limits that contradict each other; ManagementReference for a config; ManagementConflict. */
export const addWorkspace = async (
  db: Db,
  actor: Actor,
  body: CreateWorkspaceBody,
  randomId: () => string,
): Promise<Workspace> => {
  const slug = `ws-${toSlug(body.name, randomId, 'workspace')}`
  const configId = body.defaults?.config_id ?? undefined
  if (configId !== undefined) throw unknownConfig(configId, CONFIG_FIELD)
  try {
    return await createWorkspace(db, {
      organisationId: actor.organisationId,
      name: body.name,
      slug,
      ...toSettings(body),
    })
  } catch (thrown) {
    if (!isUniqueViolation(thrown, WORKSPACE_SLUG_TAKEN)) throw thrown
    throw new ManagementConflict(`There is a workspace '${slug}' already.`, { cause: thrown, param: 'name' })
  }
}

/**
 * Fields that are absent stay as they are; null clears.
 * @throws ManagementInvalid; ManagementReference for a config that the workspace does not have; ManagementNotFound.
 */
export const changeWorkspace = async (
  db: Db,
  actor: Actor,
  workspace: Workspace,
  body: UpdateWorkspaceBody,
): Promise<Workspace> => {
  const configId = body.defaults === null ? null : body.defaults?.config_id
  if (configId !== undefined)
    await chooseDefault(db, workspace.id, configId, { by: authorOf(actor), param: CONFIG_FIELD })
  const changed = await updateWorkspace(db, {
    id: workspace.id,
    ...(body.name === undefined ? {} : { name: body.name }),
    ...toSettings(body),
  })
  if (changed === undefined) throw new ManagementNotFound(`There is no workspace '${workspace.slug}'.`)
  return changed
}

/**
 * Deletes a workspace, with all that belongs to it if the body says so.
 * @returns what was deleted with it
 * @throws ManagementInvalid when the name is not its own, or the body means another one; ManagementReference for one that does
 *   not exist; ManagementConflict for the default one, or while something belongs to it.
 */
export const removeWorkspace = async (
  db: Db,
  actor: Actor,
  workspace: Workspace,
  body: DeleteWorkspaceBody,
): Promise<WorkspaceDependants> => {
  const { workspace_id: meant } = body
  if (meant !== undefined && (await resolveWorkspace(db, actor, meant)).id !== workspace.id) {
    throw invalidField('workspace_id', 'is not the workspace of the path')
  }
  if (body.name !== workspace.name) throw invalidField('name', 'is not the name of this workspace')
  if (workspace.slug === DEFAULT_WORKSPACE_SLUG) {
    throw new ManagementConflict('The default workspace cannot be deleted: calls that name none need it.')
  }
  const dependants = await countWorkspaceDependants(db, workspace.id)
  const left = describe(dependants)
  if (left !== '' && !body.force_delete) {
    throw new ManagementConflict(`The workspace still has ${left}: delete them first, or send \`force_delete\`.`)
  }
  try {
    await deleteWorkspace(db, workspace.id)
  } catch (thrown) {
    if (!isForeignKeyViolation(thrown)) throw thrown
    throw new ManagementConflict('Something outside of the workspace still needs it.', { cause: thrown })
  }
  return dependants
}

const describe = (found: WorkspaceDependants): string =>
  [
    [found.apiKeys, 'API keys'],
    [found.providers, 'providers'],
    [found.integrations, 'integrations'],
    [found.configs, 'configs'],
    [found.prompts, 'prompts'],
    [found.promptPartials, 'prompt partials'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ')

const toSettings = (
  body: UpdateWorkspaceBody,
): Partial<Pick<NewWorkspace, 'description' | 'defaults' | 'usageLimits' | 'rateLimits'>> => {
  const { description, defaults, usage_limits: usageLimits, rate_limits: rateLimits } = body
  return {
    ...(description === undefined ? {} : { description }),
    ...(defaults === undefined ? {} : { defaults: toDefaults(defaults) }),
    ...(usageLimits === undefined
      ? {}
      : {
          usageLimits: usageLimits?.map((limits, index) => toUsageLimits(limits, `usage_limits[${index}]`)) ?? null,
        }),
    ...(rateLimits === undefined ? {} : { rateLimits: rateLimits === null ? null : checkRateLimits(rateLimits) }),
  }
}

/** The default config is kept with the configs. */
const toDefaults = (body: UpdateWorkspaceBody['defaults']): NewWorkspace['defaults'] => {
  if (body === null || body === undefined) return null
  return body.metadata === undefined ? {} : { metadata: body.metadata }
}

const checkRateLimits = (limits: readonly RateLimit[]): readonly RateLimit[] => {
  const seen = new Set<string>()
  for (const [index, { type, unit }] of limits.entries()) {
    const pair = `${type} ${unit}`
    if (seen.has(pair)) throw invalidField(`rate_limits[${index}]`, 'limits the same type and unit as one before it')
    seen.add(pair)
  }
  return limits
}
