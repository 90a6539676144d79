import type { Clock } from '../../core/ports.ts'
import { ManagementForbidden } from '../../errors/gateway-error.ts'
import type { ApiKeyRecord } from '../../store/api-keys.ts'
import { API_KEY_KINDS, type ApiKeyKind } from '../../store/schema/api-keys.ts'
import type { Actor } from '../actor.ts'
import { Empty } from '../fields.ts'
import { toList, toPage } from '../list.ts'
import { refuseOtherThanPath } from '../named-twice.ts'
import type { RateLimitsDeps } from '../rate-limits/deps.ts'
import { whileCounted } from '../rate-limits/usage-service.ts'
import { placeOf, resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyRoute, defineRoute, type ManagementCall } from '../route.ts'
import { entryFor } from './audit-entry.ts'
import {
  CreatedKey,
  type CreateKeyBody,
  CreateOrganisationKey,
  CreateServiceKey,
  CreateUserKey,
  KeyList,
  KeyWithUsage,
  ListKeys,
  type ListKeysQuery,
  ReadKey,
  RotatedKey,
  RotateKey,
  UpdateKey,
} from './model.ts'
import { type KeyVerb, mayGrant, scopeFor } from './scopes.ts'
import { createKey, findKey, findKeyToChange, listKeys, revokeKey, rotateKey, updateKey } from './service.ts'
import { toSettings } from './settings.ts'
import { showKey } from './view.ts'

export interface ApiKeyDeps extends Pick<RateLimitsDeps, 'limits'> {
  readonly clock: Pick<Clock, 'now'>
}

const TAG = 'API Keys'
/** The management of API keys (interface contract, section 3.8; behaviour reference, section 4.4). */
export const apiKeyRoutes = ({ clock, limits }: ApiKeyDeps): readonly AnyRoute[] => {
  const shown = (record: ApiKeyRecord) => showKey(record, clock.now())

  /** A key of the organisation reaches no model, so that it uses nothing. */
  const usageOf = async ({ id, workspaceId, rateLimits }: ApiKeyRecord) =>
    workspaceId === null || rateLimits === null
      ? []
      : whileCounted(limits.ownedUsage(workspaceId, { owner: 'api_key', id, limits: rateLimits }))

  const create = async (kind: ApiKeyKind, call: ManagementCall<CreateKeyBody, unknown>) => {
    const { organisation_id: organisationId, workspace_id: reference, user_id: userId, scopes, name } = call.body
    refuseOtherKind(kind, call.body)
    requireOrganisation(call.actor, organisationId)
    const workspace =
      kind === 'organisation-service' ? undefined : await resolveWorkspace(call.db, call.actor, reference)
    const { record, key } = await createKey(
      call.db,
      {
        ...toSettings(call.body, clock.now()),
        kind,
        organisationId: call.actor.organisationId,
        ...(workspace === undefined ? {} : { workspaceId: workspace.id }),
        ...(userId === undefined ? {} : { userId }),
        name,
        scopes,
      },
      mayGrant(call.actor),
    )
    call.audit({ ...entryFor('create', record), after: shown(record) })
    return { id: record.id, key, object: 'api-key' as const }
  }

  /** The key that the path names, which the caller must be allowed to do this to. */
  const target = async (
    call: ManagementCall<unknown, unknown>,
    verb: KeyVerb,
    workspace?: string,
  ): Promise<ApiKeyRecord> => {
    const find = verb === 'read' ? findKey : findKeyToChange
    const record = await find(call.db, await placeOf(call.db, call.actor, workspace), call.params.id ?? '')
    call.require(scopeFor(record.kind, verb))
    return record
  }

  const list = async (kinds: readonly ApiKeyKind[], { actor, db, query }: ManagementCall<unknown, ListKeysQuery>) => {
    const place = await placeOf(db, actor, query.workspace_id)
    const allowed = kinds.filter((kind) => actor.scopes.has(scopeFor(kind, 'list')))
    const { rows, total } = await listKeys(
      db,
      { ...place, kinds: allowed, ...(query.status === undefined ? {} : { status: query.status }) },
      toPage(query),
    )
    return toList(rows.map(shown), total)
  }

  const listRoute = (path: string, kinds: readonly ApiKeyKind[], summary: string): AnyRoute =>
    defineRoute({
      method: 'GET',
      path,
      tag: TAG,
      summary,
      scopes: kinds.map((kind) => scopeFor(kind, 'list')),
      plane: 'workspace',
      changes: false,
      query: ListKeys,
      response: KeyList,
      handle: (call) => list(kinds, call),
    })

  return [
    defineRoute({
      method: 'POST',
      path: '/api-keys/service',
      aliases: ['/api-keys/workspace/service'],
      tag: TAG,
      summary: 'Create a key for a service of a workspace',
      scopes: [scopeFor('workspace-service', 'create')],
      plane: 'workspace',
      changes: true,
      body: CreateServiceKey,
      response: CreatedKey,
      handle: (call) => create('workspace-service', call),
    }),
    defineRoute({
      method: 'POST',
      path: '/api-keys/user',
      aliases: ['/api-keys/workspace/user'],
      tag: TAG,
      summary: 'Create a key for a user of a workspace',
      scopes: [scopeFor('workspace-user', 'create')],
      plane: 'workspace',
      changes: true,
      body: CreateUserKey,
      response: CreatedKey,
      handle: (call) => create('workspace-user', call),
    }),
    defineRoute({
      method: 'POST',
      path: '/api-keys/organisation/service',
      tag: TAG,
      summary: 'Create a key of the organisation',
      scopes: [scopeFor('organisation-service', 'create')],
      plane: 'organisation',
      changes: true,
      body: CreateOrganisationKey,
      response: CreatedKey,
      handle: (call) => create('organisation-service', call),
    }),
    listRoute('/api-keys', API_KEY_KINDS, 'List keys of the kinds that the caller may list'),
    listRoute('/api-keys/service', ['organisation-service', 'workspace-service'], 'List service keys'),
    listRoute('/api-keys/user', ['workspace-user'], 'List keys of users'),
    defineRoute({
      method: 'GET',
      path: '/api-keys/:id',
      tag: TAG,
      summary: 'Read a key',
      scopes: scopesFor('read'),
      plane: 'workspace',
      changes: false,
      query: ReadKey,
      response: KeyWithUsage,
      async handle(call) {
        const record = await target(call, 'read', call.query.workspace_id)
        const key = shown(record)
        return call.query.include_usage === true ? { ...key, rate_limit_usage: await usageOf(record) } : key
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api-keys/:id',
      tag: TAG,
      summary: 'Change a key',
      scopes: scopesFor('update'),
      plane: 'workspace',
      changes: true,
      body: UpdateKey,
      response: Empty,
      async handle(call) {
        const { id, scopes, reset_usage: resetUsage, ...settings } = call.body
        refuseOtherThanPath('id', id, call.params.id)
        const record = await target(call, 'update')
        const changes = {
          ...toSettings(settings, clock.now()),
          ...(scopes === undefined ? {} : { scopes }),
          ...(resetUsage === undefined ? {} : { resetUsage }),
        }
        const changed = await updateKey(call.db, record, changes, mayGrant(call.actor))
        call.audit({ ...entryFor('update', record), before: shown(record), after: shown(changed) })
        return {}
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api-keys/:id',
      tag: TAG,
      summary: 'Revoke a key: it stops working at once and is gone from lists',
      scopes: scopesFor('delete'),
      plane: 'workspace',
      changes: true,
      response: Empty,
      async handle(call) {
        const record = await target(call, 'delete')
        await revokeKey(call.db, record)
        call.audit({ ...entryFor('delete', record), before: shown(record) })
        return {}
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api-keys/:id/rotate',
      tag: TAG,
      summary: 'Give a key a new secret; the old one works for a time of transition',
      scopes: scopesFor('rotate'),
      plane: 'workspace',
      changes: true,
      body: RotateKey,
      bodyOptional: true,
      response: RotatedKey,
      async handle(call) {
        const record = await target(call, 'rotate')
        const rotated = await rotateKey(call.db, record, {
          nowMs: clock.now(),
          transitionPeriodMs: call.body.key_transition_period_ms,
          grants: mayGrant(call.actor),
        })
        call.audit({ ...entryFor('rotate', record), before: shown(record), after: shown(rotated.record) })
        return {
          id: record.id,
          key: rotated.key,
          key_transition_expires_at: rotated.previousExpiresAt.toISOString(),
        }
      },
    }),
  ]
}

/** Any kind: which one it is shows when the key is found. */
const scopesFor = (verb: KeyVerb) => API_KEY_KINDS.map((kind) => scopeFor(kind, verb))

/** @throws ManagementInvalid when the body names another kind than the path */
const refuseOtherKind = (kind: ApiKeyKind, { type, 'sub-type': subType }: CreateKeyBody): void => {
  const [place, user] = kind.split('-')
  refuseOtherThanPath('type', type, place)
  refuseOtherThanPath('sub-type', subType, user)
}

const requireOrganisation = (actor: Actor, organisationId: string | undefined): void => {
  if (organisationId === undefined || organisationId.toLowerCase() === actor.organisationId) return
  throw new ManagementForbidden('The key belongs to another organisation than `organisation_id`.', {
    param: 'organisation_id',
  })
}
