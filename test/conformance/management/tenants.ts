import type { Actor, Actors } from '../../../src/management/actor.ts'
import { addPerson } from '../../../src/management/test-support/add-person.ts'
import { createApiKey, describeKey, sameHash } from '../../../src/store/key-material.ts'
import { apiKeyRows, findApiKeyByPublicId } from '../../../src/store/objects/api-keys.ts'
import { sessionRows } from '../../../src/store/objects/sessions.ts'
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
  /** Id of a user who is an admin of both workspaces. */
  readonly userId: string
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
  const [first, second] = [await place(DEFAULT_WORKSPACE_SLUG), await place('ws-second')]
  return {
    organisationId,
    first,
    second,
    admin: await createKey(db, 'organisation-service', { organisationId }),
    userId: await addPerson(db, { organisationId, workspaces: [first.id, second.id] }),
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

/** Opens a session for whoever has the key of the organisation. @returns its id */
export const addSession = async (db: Db, { organisationId, admin }: Tenant): Promise<string> => {
  const key = await findApiKeyByPublicId(db, describeKey(admin).publicId)
  const { id } = await sessionRows.insert(db, {
    ...{ organisationId, apiKeyId: key?.record.id ?? null, tokenHash: crypto.randomUUID(), userAgent: 'a browser' },
    ...{ address: '203.0.113.8', endsAt: new Date(Date.now() + 3_600_000) },
  })
  return id
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
