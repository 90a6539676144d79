import type { TSchema } from '@sinclair/typebox'
import type { BudgetUsage } from '../../budgets/usage.ts'
import { defined } from '../../core/defined.ts'
import type { Clock } from '../../core/ports.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { type ApiKeyRecord, apiKeyRows, listBudgetedKeys, revokeApiKeys } from '../../store/objects/api-keys.ts'
import type { Page, Paged } from '../../store/objects/rows.ts'
import { API_KEY_KINDS, type ApiKeyKind } from '../../store/schema/api-keys.ts'
import type { Actor } from '../actor.ts'
import { invalidField, refuseOtherThanPath } from '../invalid-field.ts'
import { type BudgetsDeps, isSpent, resetUse, type WithUse, withUse } from '../own-budgets/live-budgets.ts'
import { whileCounted } from '../policies/counted.ts'
import type { RateLimitsDeps } from '../rate-limits/deps.ts'
import { placeOf, resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyCall, filterOf, named, requireOrganisation } from '../resource/reach.ts'
import { entryOf, resource } from '../resource/resource.ts'
import type { AnyRoute, ManagementCall } from '../route.ts'
import { KeyWithUsage, keyAnswer } from './answer.ts'
import { isOwn } from './holder.ts'
import {
  CollectRotatedKey,
  CreatedKey,
  type CreateKeyBody,
  CreateOrganisationKey,
  CreateServiceKey,
  CreateUserKey,
  ListKeys,
  ReadKey,
  RotatedKey,
  RotateKey,
  UpdateKey,
} from './model.ts'
import { collectRotatedKey, type KeyWithSecret, rotateKey } from './rotation.ts'
import { type KeyVerb, mayGrant, scopeFor } from './scopes.ts'
import { createKey, findKey, unknownKey, updateKey } from './service.ts'
import { toSettings } from './settings.ts'

export interface ApiKeyDeps extends Pick<RateLimitsDeps, 'limits'>, BudgetsDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly secretBox: SecretBox
}

/** What a change of a key is called in the audit log, from the interface and from a terminal. */
export const keyEntry = entryOf('api_keys', 'api_key')

/** What an act on a key needs a scope for: who collects a secret has what a rotation gives. */
const neededFor = (verb: string): KeyVerb => (verb === 'collect' ? 'rotate' : (verb as KeyVerb))

/** The keys of some kinds, as far as the caller may list them. */
const listKeys = async (
  kinds: readonly ApiKeyKind[],
  budgets: BudgetUsage,
  call: AnyCall,
  page: Page,
): Promise<Paged<ApiKeyRecord>> => {
  const { db, actor, query } = call
  const place = await placeOf(db, actor, named('workspace_id', query))
  const allowed = kinds.filter((kind) => actor.scopes.has(scopeFor(kind, 'list')))
  const status = named('status', query)
  // People who may list none see their own.
  const seen =
    allowed.length === 0 && actor.kind === 'user'
      ? { kinds: kinds.filter((kind) => kind === 'workspace-user'), userId: actor.id }
      : { kinds: allowed }
  const wanted = { ...filterOf(call), ...place, ...seen }
  if (status !== 'active' && status !== 'exhausted') return apiKeyRows.list(db, wanted, page)
  // Whether a budget is used up is known in memory alone.
  const spent = (await listBudgetedKeys(db, place)).filter((key) => isSpent(budgets, ownerOf(key))).map(({ id }) => id)
  const filter = status === 'active' ? { unspent: spent } : { spent }
  return apiKeyRows.list(db, { ...wanted, status: undefined, ...filter }, page)
}

/** The budget of a key; one of the organisation reaches no model, so that it spends nothing. */
const ownerOf = ({ id, workspaceId, usageLimits }: Pick<ApiKeyRecord, 'id' | 'workspaceId' | 'usageLimits'>) => ({
  owner: 'api_key' as const,
  id,
  workspaceId: workspaceId ?? '',
  usageLimits: workspaceId === null || usageLimits === null ? [] : [usageLimits],
})

/** The management of API keys (interface contract, section 3.8; behaviour reference, section 4.4). */
export const apiKeyRoutes = ({ clock, limits, budgets, secretBox }: ApiKeyDeps): readonly AnyRoute[] => {
  const keys = resource<WithUse<ApiKeyRecord>, void>({
    place: async ({ actor, body }) => requireOrganisation(actor, named('organisation_id', body)),
    list: (call, page) => listKeys(API_KEY_KINDS, budgets, call, page),
    async one({ db, actor, query, body, require }, id, verb) {
      if (verb === 'update') refuseOtherThanPath('id', named('id', body), id)
      const place = await placeOf(db, actor, named('workspace_id', query))
      const found = await findKey(db, place, id, verb === 'read' ? undefined : 'change')
      const needed = scopeFor(found.kind, neededFor(verb))
      if (isOwn(actor, found, neededFor(verb))) return found
      // Nobody learns of keys that they may not see.
      if (actor.kind === 'user' && !actor.scopes.has(scopeFor(found.kind, 'read'))) throw unknownKey()
      require(needed)
      return found
    },
    tag: 'API Keys',
    path: '/api-keys/:id',
    isForOwn: true,
    // Any kind: which one it is shows when the key is found.
    scopes: (verb) => API_KEY_KINDS.map((kind) => scopeFor(kind, neededFor(verb))),
    entry: keyEntry,
    answer: keyAnswer(clock.now),
    complete: (db, rows) =>
      withUse(db, budgets, rows, (key) => ({ organisationId: key.organisationId, owners: [ownerOf(key)] })),
  })

  const createRoute = <Body extends TSchema>(kind: ApiKeyKind, summary: string, body: Body) => {
    const [place = '', user = ''] = kind.split('-')
    const isOfWorkspace = kind !== 'organisation-service'
    return keys.create({
      path: isOfWorkspace ? `/api-keys/${user}` : `/api-keys/${place}/${user}`,
      ...defined({ aliases: isOfWorkspace ? [`/api-keys/${place}/${user}`] : undefined }),
      plane: isOfWorkspace ? 'workspace' : 'organisation',
      scopes: [scopeFor(kind, 'create')],
      summary,
      body,
      response: CreatedKey,
      async run(call) {
        const { db, actor, body, require } = call as ManagementCall<CreateKeyBody, unknown>
        const { workspace_id: reference, scopes, name } = body
        const userId = kind === 'workspace-user' ? holderOf(actor, body) : undefined
        // People who may make none for others make their own.
        if (!isOwn(actor, { kind, userId }, 'create')) require(scopeFor(kind, 'create'))
        refuseOtherThanPath('type', body.type, place)
        refuseOtherThanPath('sub-type', body['sub-type'], user)
        const workspace = isOfWorkspace ? await resolveWorkspace(db, actor, reference) : undefined
        const key = {
          ...toSettings(body, { nowMs: clock.now() }),
          ...defined({ workspaceId: workspace?.id, userId }),
          ...{ kind, organisationId: actor.organisationId, name, scopes },
          ...(actor.kind === 'user' && { creationMode: 'ui' as const }),
        }
        return createKey(db, key, mayGrant(actor))
      },
      receipt: ({ id, secret }: KeyWithSecret) => ({ id, key: secret, object: 'api-key' }),
    })
  }

  const listRoute = (path: string, kinds: readonly ApiKeyKind[], summary: string): AnyRoute =>
    keys.list({
      path,
      summary,
      scopes: kinds.map((kind) => scopeFor(kind, 'list')),
      query: ListKeys,
      rows: (call, page) => listKeys(kinds, budgets, call, page),
    })

  /** A key of the organisation reaches no model, so that it uses nothing. */
  const usageOf = async ({ id, workspaceId, rateLimits }: ApiKeyRecord) =>
    workspaceId === null || rateLimits === null
      ? []
      : whileCounted('rate limits', limits.ownedUsage(workspaceId, { owner: 'api_key', id, limits: rateLimits }))

  return [
    createRoute('workspace-service', 'Create a key for a service of a workspace', CreateServiceKey),
    createRoute('workspace-user', 'Create a key for a user of a workspace', CreateUserKey),
    createRoute('organisation-service', 'Create a key of the organisation', CreateOrganisationKey),
    listRoute('/api-keys', API_KEY_KINDS, 'List keys of the kinds that the caller may list'),
    listRoute('/api-keys/service', ['organisation-service', 'workspace-service'], 'List service keys'),
    listRoute('/api-keys/user', ['workspace-user'], 'List keys of users'),
    keys.read({
      summary: 'Read a key',
      query: ReadKey,
      response: KeyWithUsage,
      async show({ query }, key) {
        const shown = keyAnswer(clock.now).of(key)
        return query.include_usage === true ? { ...shown, rate_limit_usage: await usageOf(key) } : shown
      },
    }),
    keys.update({
      summary: 'Change a key',
      body: UpdateKey,
      async run({ db, actor, body: { scopes, reset_usage: resetUsage, ...settings } }, key, note) {
        const changes = {
          ...toSettings(settings, { nowMs: clock.now(), before: key }),
          ...defined({ scopes, resetUsage }),
        }
        const changed = await updateKey(db, key, changes, mayGrant(actor))
        if (resetUsage === true) await resetUse(budgets, ownerOf(changed), note)
        return changed
      },
    }),
    keys.delete({
      summary: 'Revoke a key: it stops working at once and is gone from lists',
      run: ({ db }, { id }) => revokeApiKeys(db, [id]),
    }),
    keys.act({
      verb: 'rotate',
      method: 'POST',
      path: '/rotate',
      summary: 'Give a key a new secret; the old one works for a time of transition',
      body: RotateKey,
      bodyOptional: true,
      response: RotatedKey,
      run: ({ db, actor, body }, key) =>
        rotateKey(db, key, {
          nowMs: clock.now(),
          transitionPeriodMs: body.key_transition_period_ms,
          grants: mayGrant(actor),
        }),
      receipt: rotated,
    }),
    keys.act({
      verb: 'collect',
      method: 'POST',
      path: '/rotated-key',
      summary: 'Collect the secret that a key got by itself; shown this once, 404 without one',
      body: CollectRotatedKey,
      bodyOptional: true,
      response: RotatedKey,
      run: ({ db, actor }, key) =>
        collectRotatedKey(db, key, { nowMs: clock.now(), secretBox, grants: mayGrant(actor) }),
      receipt: rotated,
    }),
  ]
}

/** Whose key is to be made. @throws ManagementInvalid where nobody is named */
const holderOf = (actor: Actor, { user_id: named }: CreateKeyBody): string => {
  const userId = named?.toLowerCase() ?? (actor.kind === 'user' ? actor.id : undefined)
  if (userId === undefined) throw invalidField('user_id', 'is missing')
  return userId
}

const rotated = ({ id, secret, previousExpiresAt }: KeyWithSecret) => ({
  id,
  key: secret,
  key_transition_expires_at: previousExpiresAt?.toISOString(),
})
