import { randomBytes } from 'node:crypto'
import { Elysia } from 'elysia'
import type { FakeCounters } from '../../budgets/test-support/fake-counters.ts'
import { MasterKey } from '../../secrets/master-key.ts'
import { openSecretBox, type SecretBox } from '../../secrets/secret-box.ts'
import type { Store } from '../../store/db.ts'
import { describeKey } from '../../store/key-material.ts'
import { findLiveKeys } from '../../store/memory/live-keys.ts'
import { createOrganisation } from '../../store/objects/tenancy.ts'
import { createWorkspace } from '../../store/objects/workspaces.ts'
import { ORGANISATION_SCOPES, WORKSPACE_SERVICE_SCOPES, WORKSPACE_USER_SCOPES } from '../../store/scopes.ts'
import type { Actor } from '../actor.ts'
import { mountManagement } from '../mount.ts'
import { createFakeLimits } from '../rate-limits/test-support.ts'
import { addPerson } from '../test-support/add-person.ts'
import { addTo } from '../test-support/add-to.ts'
import { arrivesFrom } from '../test-support/arrives-from.ts'
import { createFakeBudgets } from '../test-support/fake-budgets.ts'
import { manualClock, silentLog } from '../tokens/test-support.ts'
import { apiKeyRoutes } from './routes.ts'

const MASTER_KEY = new MasterKey(randomBytes(32))

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Calls a route as one of the callers below. A string as body is sent as it is. */
export type Send = (as: Actor, method: string, path: string, body?: unknown) => Promise<Answer>

export interface Scene {
  readonly organisationId: string
  readonly workspaceId: string
  readonly workspaceSlug: string
  readonly otherWorkspaceId: string
  /** Of a user who is an admin of both workspaces, and no more than a member of the organisation. */
  readonly userId: string
  readonly admin: Actor
  readonly service: Actor
  readonly user: Actor
  /** Of the other workspace. */
  readonly neighbour: Actor
  /** Of another organisation. */
  readonly stranger: Actor
  readonly send: Send
  readonly clock: ReturnType<typeof manualClock>
  readonly secretBox: SecretBox
  /** What budgets have counted. */
  readonly counters: FakeCounters
  /** So many milliseconds from now, as the interface writes times. */
  inFuture(ms: number): string
  /** Has the administrator make a key; one that may call models unless said otherwise. */
  create(changes?: Record<string, unknown>, path?: string): Promise<{ readonly id: string; readonly key: string }>
  /** What the administrator sees of a key. */
  read(id: string): Promise<Record<string, unknown>>
  /** Ids of the keys that the secret opens. */
  owners(key: string): Promise<readonly string[]>
}

/** Two organisations, three workspaces, and who calls. The clock starts now unless told, since the database has its own. */
export const setScene = async ({ db }: Store, { startMs = Date.now() } = {}): Promise<Scene> => {
  const { id: organisationId } = await createOrganisation(db, { name: 'ours' })
  const { id: otherOrganisationId } = await createOrganisation(db, { name: 'theirs' })
  const workspaceSlug = 'ws-default'
  const { id: workspaceId } = await createWorkspace(db, { organisationId, name: 'default', slug: workspaceSlug })
  const { id: otherWorkspaceId } = await createWorkspace(db, { organisationId, name: 'other', slug: 'ws-other' })
  await createWorkspace(db, { organisationId: otherOrganisationId, name: 'default', slug: workspaceSlug })

  const userId = await addPerson(db, { organisationId, workspaces: [workspaceId, otherWorkspaceId] })

  const clock = manualClock(startMs)
  const secretBox = await openSecretBox(db, { current: MASTER_KEY })
  const callers = new Map<string, Actor>()
  const app = new Elysia()
  const { counters, budgets } = createFakeBudgets(clock.now)
  mountManagement(addTo(app), apiKeyRoutes({ clock, secretBox, limits: createFakeLimits().limits, budgets }), '', {
    db,
    actors: { find: (token) => callers.get(token) },
    log: silentLog,
    randomId: () => crypto.randomUUID(),
    arrivalOf: arrivesFrom('192.0.2.1'),
  })
  const send: Send = async (as, method, path, body) => {
    const token = crypto.randomUUID()
    callers.set(token, as)
    const response = await app.handle(
      new Request(`http://weir.test/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  const admin: Actor = {
    kind: 'organisation-service',
    id: crypto.randomUUID(),
    name: 'admin',
    organisationId,
    scopes: new Set(ORGANISATION_SCOPES),
  }
  const service: Actor = {
    ...admin,
    kind: 'workspace-service',
    id: crypto.randomUUID(),
    name: 'service',
    workspaceId,
    scopes: new Set(WORKSPACE_SERVICE_SCOPES),
  }
  return {
    organisationId,
    workspaceId,
    workspaceSlug,
    otherWorkspaceId,
    userId,
    admin,
    service,
    user: { ...service, kind: 'workspace-user', name: 'user', scopes: new Set(WORKSPACE_USER_SCOPES) },
    neighbour: { ...service, name: 'neighbour', workspaceId: otherWorkspaceId },
    stranger: { ...admin, name: 'stranger', organisationId: otherOrganisationId },
    send,
    clock,
    secretBox,
    counters,
    inFuture: (ms) => new Date(clock.now() + ms).toISOString(),
    async create(changes = {}, path = '/api-keys/service') {
      const key = { name: 'a key', scopes: ['completions.write'], ...changes }
      const { status, body } = await send(admin, 'POST', path, key)
      if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
      return { id: String(body.id), key: String(body.key) }
    },
    read: async (id) => (await send(admin, 'GET', `/api-keys/${id}`)).body,
    async owners(key) {
      const { publicId, hash } = describeKey(key)
      const rows = await findLiveKeys(db, publicId)
      return rows.filter((row) => row.hash === hash || row.previousHash === hash).map(({ record }) => record.id)
    },
  }
}

/** The code of a refusal, and the field at fault. */
export const refusal = ({ status, body }: Answer): readonly unknown[] => {
  const error = body.error as { readonly code?: unknown; readonly param?: unknown } | undefined
  return [status, error?.code, error?.param]
}
