import type { Actor, Actors } from '../../../src/management/actor.ts'
import { createApiKey, describeKey, sameHash } from '../../../src/store/key-material.ts'
import { apiKeyRows, findApiKeyByPublicId } from '../../../src/store/objects/api-keys.ts'
import { createOrganisation } from '../../../src/store/objects/tenancy.ts'
import { createWorkspace, DEFAULT_WORKSPACE_SLUG } from '../../../src/store/objects/workspaces.ts'
import type { ApiKeyKind } from '../../../src/store/schema/api-keys.ts'
import { ORGANISATION_SCOPES, WORKSPACE_SERVICE_SCOPES, WORKSPACE_USER_SCOPES } from '../../../src/store/scopes.ts'
import type { Db } from '../../../src/store/types.ts'

/** Every scope of each kind. */
export const SCOPES_OF_KIND: Readonly<Record<ApiKeyKind, readonly string[]>> = {
  'organisation-service': ORGANISATION_SCOPES,
  'workspace-service': WORKSPACE_SERVICE_SCOPES,
  'workspace-user': WORKSPACE_USER_SCOPES,
}

/** An organisation with two workspaces and keys that may do all that their kind can. */
export interface Tenant {
  readonly organisationId: string
  /** Default workspace. */
  readonly first: Place
  readonly second: Place
  /** Key of the organisation. */
  readonly admin: string
}

export interface Place {
  readonly id: string
  readonly slug: string
  /** Key of the kind `workspace-service`. */
  readonly serviceKey: string
  /** Key of the kind `workspace-user`. */
  readonly userKey: string
}

export const createTenant = async (db: Db, name: string): Promise<Tenant> => {
  const { id: organisationId } = await createOrganisation(db, { name })
  const place = async (slug: string): Promise<Place> => {
    const { id } = await createWorkspace(db, { organisationId, name: slug, slug })
    const owner = { organisationId, workspaceId: id }
    return {
      id,
      slug,
      serviceKey: await createKey(db, 'workspace-service', owner),
      userKey: await createKey(db, 'workspace-user', owner),
    }
  }
  return {
    organisationId,
    first: await place(DEFAULT_WORKSPACE_SLUG),
    second: await place('ws-second'),
    admin: await createKey(db, 'organisation-service', { organisationId }),
  }
}

export interface KeyOwner {
  readonly organisationId: string
  readonly workspaceId?: string
}

/** @returns the key in clear */
export const createKey = async (
  db: Db,
  kind: ApiKeyKind,
  { organisationId, workspaceId }: KeyOwner,
  scopes: readonly string[] = SCOPES_OF_KIND[kind],
): Promise<string> => {
  const { key, publicId, hash, masked } = createApiKey()
  await apiKeyRows.insert(db, {
    publicId,
    hash,
    maskedKey: masked,
    name: `a key of the kind ${kind}`,
    kind,
    organisationId,
    workspaceId: workspaceId ?? null,
    scopes: [...scopes],
  })
  return key
}

/** Looks a key up once: for tests of refusals, in which no key changes. */
export const rememberedActorsOf = (db: Db): Actors => {
  const { find } = actorsOf(db)
  const found = new Map<string, ReturnType<Actors['find']>>()
  return {
    find(token) {
      const known = found.get(token) ?? find(token)
      found.set(token, known)
      return known
    },
  }
}

/** Looks every key up in the database: no cache between a change and the next call. */
export const actorsOf = (db: Db): Actors => ({
  async find(token) {
    if (token.length < 32) return undefined
    const { publicId, hash } = describeKey(token)
    const found = await findApiKeyByPublicId(db, publicId)
    if (found === undefined || found.record.status === 'revoked' || !sameHash(found.hash, hash)) return undefined
    const { id, kind, name, organisationId, workspaceId, scopes } = found.record
    const actor: Actor = { id, kind, name, organisationId, scopes: new Set(scopes) }
    return workspaceId === null ? actor : { ...actor, workspaceId }
  },
})
