import { defined } from '../../core/defined.ts'
import { ManagementConflict } from '../../errors/gateway-error.ts'
import { isForeignKeyViolation } from '../../store/errors.ts'
import { findDefaultSlugs } from '../../store/objects/configs.ts'
import { findWorkspaceDefaults, NO_DEFAULTS } from '../../store/objects/guardrail-defaults.ts'
import {
  countWorkspaceDependants,
  createWorkspace,
  DEFAULT_WORKSPACE_SLUG,
  deleteWorkspace,
  WORKSPACE_SLUG_TAKEN,
  type Workspace,
  type WorkspaceDependants,
  workspaceRows,
} from '../../store/objects/workspaces.ts'
import type { RateLimit } from '../../store/schema/own-limits.ts'
import type { Db } from '../../store/types.ts'
import { type Actor, authorOf } from '../actor.ts'
import { checkScopes, type MayGrant, mayGrant } from '../api-keys/scopes.ts'
import { chooseDefault, unknownConfig } from '../configs/default-config.ts'
import { changeDefaults } from '../guardrails/default-sets.ts'
import type { NewProviderDeps } from '../integrations/deps.ts'
import { invalidField } from '../invalid-field.ts'
import { toLogSettings } from '../log-settings/model.ts'
import { type BudgetsDeps, resetUse } from '../own-budgets/live-budgets.ts'
import { toUsageLimitsList } from '../own-budgets/usage-limits.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import { columnsOf, ifGiven } from '../resource/answer.ts'
import { refuseTaken } from '../resource/taken.ts'
import { toSlug } from '../slug.ts'
import type { DeleteWorkspaceBody, ShownWorkspace, UpdateWorkspaceBody } from './model.ts'

const DEFAULTS_PATH = 'defaults.'
const KEYS_FIELD = 'user_api_key_config'
const CONFIG_FIELD = `${DEFAULTS_PATH}config_id`

/** Adds their default configs and guardrails. */
export const withDefaults = async (db: Db, workspaces: readonly Workspace[]): Promise<readonly ShownWorkspace[]> => {
  const ids = workspaces.map(({ id }) => id)
  const [configs, guardrails] = [await findDefaultSlugs(db, ids), await findWorkspaceDefaults(db, ids)]
  return workspaces.map((workspace) => ({
    ...workspace,
    config: configs.get(workspace.id),
    guardrails: guardrails.get(workspace.id) ?? NO_DEFAULTS,
  }))
}

/** @throws ManagementInvalid for limits that contradict each other; ManagementReference for a config or guardrail; ManagementConflict. */
export const addWorkspace = async (
  db: Db,
  actor: Actor,
  { name, ...body }: UpdateWorkspaceBody & { readonly name: string },
  { now, randomId }: NewProviderDeps,
): Promise<ShownWorkspace> => {
  const slug = `ws-${toSlug(name, randomId, 'workspace')}`
  const configId = body.defaults?.config_id ?? undefined
  if (configId !== undefined) throw unknownConfig(configId, CONFIG_FIELD)
  const { organisationId } = actor
  const row = { organisationId, name, slug, ...toSettings(body, { nowMs: now(), grants: mayGrant(actor) }) }
  const message = `There is a workspace '${slug}' already.`
  const made = await refuseTaken(WORKSPACE_SLUG_TAKEN, 'name', message, () => createWorkspace(db, row))
  await changeDefaults(db, { organisationId, workspaceId: made.id }, body.defaults ?? {}, DEFAULTS_PATH)
  const [shown] = await withDefaults(db, [made])
  return shown ?? { ...made, config: undefined, guardrails: NO_DEFAULTS }
}

/**
 * Fields that are absent stay as they are; null clears.
 * @param note adds to what the audit log keeps
 * @throws ManagementInvalid; ManagementReference for a config or guardrail that the workspace does not have; ManagementUnavailable
 * when its counts cannot be set to 0 now.
 */
export const changeWorkspace = async (
  db: Db,
  actor: Actor,
  workspace: ShownWorkspace,
  body: UpdateWorkspaceBody,
  { now, budgets }: Pick<NewProviderDeps, 'now'> & BudgetsDeps,
  note: (fields: object) => void,
): Promise<ShownWorkspace> => {
  const configId = body.defaults === null ? null : body.defaults?.config_id
  if (configId !== undefined) {
    await chooseDefault(db, workspace.id, configId, { by: authorOf(actor), param: CONFIG_FIELD })
  }
  const sets = body.defaults === null ? { input_guardrails: null, output_guardrails: null } : body.defaults
  const place = { organisationId: workspace.organisationId, workspaceId: workspace.id }
  await changeDefaults(db, place, sets ?? {}, DEFAULTS_PATH)
  const changed = await workspaceRows.update(db, {
    id: workspace.id,
    ...toSettings(body, { nowMs: now(), grants: mayGrant(actor), before: workspace }),
  })
  const [shown = workspace] = await withDefaults(db, [changed ?? workspace])
  if (body.reset_usage === true) await resetUse(budgets, ownerOf(shown), note)
  return shown
}

/** A workspace as the owner of its budgets. */
export const ownerOf = ({ id, usageLimits }: Pick<Workspace, 'id' | 'usageLimits'>) => ({
  owner: 'workspace' as const,
  id,
  workspaceId: id,
  usageLimits: usageLimits ?? [],
})

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
    [found.guardrails, 'guardrails'],
    [found.prompts, 'prompts'],
    [found.promptPartials, 'prompt partials'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ')

const toSettings = (
  {
    defaults,
    usage_limits: usageLimits,
    rate_limits: rateLimits,
    logs,
    user_api_key_config: keys,
    ...body
  }: UpdateWorkspaceBody,
  at: { readonly nowMs: number; readonly grants: MayGrant; readonly before?: Pick<Workspace, 'usageLimits'> },
) => ({
  ...columnsOf(body, ['name', 'description']),
  ...defined({
    // The default config is kept with the configs, default guardrails with the guardrails.
    defaults: ifGiven(defaults, ({ metadata }) => defined({ metadata })),
    usageLimits: ifGiven(usageLimits, (all) =>
      toUsageLimitsList(all, { path: 'usage_limits', before: at.before?.usageLimits, nowMs: at.nowMs }),
    ),
    rateLimits: ifGiven(rateLimits, checkRateLimits),
    logs: ifGiven(logs, toLogSettings),
    userKeyConfig: ifGiven(keys, ({ enabled: isAutomatic, scopes }) => ({
      isAutomatic,
      ...(scopes && { scopes: checkScopes(scopes, 'workspace-user', at.grants, [], `${KEYS_FIELD}.scopes`) }),
    })),
  }),
})

const checkRateLimits = (limits: readonly RateLimit[]): readonly RateLimit[] => {
  const seen = new Set<string>()
  for (const [index, { type, unit }] of limits.entries()) {
    const pair = `${type} ${unit}`
    if (seen.has(pair)) throw invalidField(`rate_limits[${index}]`, 'limits the same type and unit as one before it')
    seen.add(pair)
  }
  return limits
}
