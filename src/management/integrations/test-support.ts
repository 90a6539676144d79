import { randomBytes } from 'node:crypto'
import { Elysia } from 'elysia'
import type { FakeCounters } from '../../budgets/test-support/fake-counters.ts'
import { check } from '../../core/json/check.ts'
import { EgressRefused } from '../../errors/gateway-error.ts'
import { MasterKey } from '../../secrets/master-key.ts'
import { openSecretBox, type SecretBox } from '../../secrets/secret-box.ts'
import { listAudit } from '../../store/objects/audit-log.ts'
import { secretReferenceRows } from '../../store/objects/secret-references.ts'
import { createOrganisation } from '../../store/objects/tenancy.ts'
import { createWorkspace, DEFAULT_WORKSPACE_SLUG } from '../../store/objects/workspaces.ts'
import { ORGANISATION_SCOPES, WORKSPACE_SERVICE_SCOPES } from '../../store/scopes.ts'
import type { Store } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import { mountManagement } from '../mount.ts'
import type { AnyRoute } from '../route.ts'
import { addTo } from '../test-support/add-to.ts'
import { arrivesFrom } from '../test-support/arrives-from.ts'
import { createFakeBudgets } from '../test-support/fake-budgets.ts'
import type { ProviderRoutesDeps } from './deps.ts'

export const NOW_MS = Date.UTC(2030, 0, 1)

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

export interface Fixture {
  readonly deps: ProviderRoutesDeps
  readonly secretBox: SecretBox
  /** What `deps.budgets` tells of. */
  readonly counters: FakeCounters
  readonly organisationId: string
  /** The default workspace. */
  readonly blue: string
  readonly red: string
  /** Tokens are `admin`, `blue`, `red` and `stranger` (of another organisation); `blue:scope,scope` has those scopes only. */
  call(token: string, method: string, path: string, body?: unknown): Promise<Answer>
  /** Audit rows of the organisation, newest first. */
  audit(): Promise<readonly { action: string; before: unknown; after: unknown }[]>
}

/** An organisation with two workspaces, and the routes on an application of their own. */
export const createFixture = async (
  store: Store,
  routesOf: (deps: ProviderRoutesDeps) => readonly AnyRoute[],
  changes: Partial<ProviderRoutesDeps> = {},
): Promise<Fixture> => {
  const { db } = store
  const { id: organisationId } = await createOrganisation(db, { name: 'ours' })
  const { id: blue } = await createWorkspace(db, { organisationId, name: 'blue', slug: DEFAULT_WORKSPACE_SLUG })
  const { id: red } = await createWorkspace(db, { organisationId, name: 'red', slug: 'ws-red' })
  const { id: elsewhere } = await createOrganisation(db, { name: 'theirs' })
  await secretReferenceRows.insert(db, {
    ...{ organisationId, slug: 'vault-openai', name: 'vault', managerType: 'environment', secretPath: 'OPENAI_KEY' },
    createdBy: 'ours',
  })
  const secretBox = await openSecretBox(db, { current: MASTER_KEY })
  const now = changes.now ?? (() => NOW_MS)
  const { counters, budgets } = createFakeBudgets(now)
  const deps: ProviderRoutesDeps = {
    providers: () => [
      { id: 'openai', models: ['gpt-listed'] },
      { id: 'azure-openai', settings: { resource_name: 'azure-resource-name' } },
      { id: 'anthropic', settings: { anthropic_version: 'anthropic-version' } },
      { id: 'bedrock' },
      { id: 'vertex-ai' },
    ],
    checkCustomHost(url) {
      if (url.includes('private')) throw new EgressRefused('The target URL is refused: it is private.')
      return url.replace(/\/+$/, '')
    },
    secretBox,
    now,
    randomId: () => crypto.randomUUID(),
    budgets,
    ...changes,
  }
  const places: Readonly<Record<string, Pick<Actor, 'organisationId' | 'workspaceId'>>> = {
    admin: { organisationId },
    blue: { organisationId, workspaceId: blue },
    red: { organisationId, workspaceId: red },
    stranger: { organisationId: elsewhere },
  }
  const app = new Elysia()
  mountManagement(addTo(app), routesOf(deps).map(checked), '', {
    db,
    actors: {
      find(token) {
        const [name = '', scopes] = token.split(':')
        const place = places[name]
        if (place === undefined) return undefined
        const all = place.workspaceId === undefined ? ORGANISATION_SCOPES : WORKSPACE_SERVICE_SCOPES
        const kind = place.workspaceId === undefined ? 'organisation-service' : 'workspace-service'
        return { kind, id: name, name, ...place, scopes: new Set(scopes?.split(',') ?? all) }
      },
    },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    randomId: () => crypto.randomUUID(),
    arrivalOf: arrivesFrom('192.0.2.1'),
  })
  return {
    deps,
    secretBox,
    counters,
    organisationId,
    blue,
    red,
    async call(token, method, path, body) {
      const response = await app.handle(
        new Request(`http://weir.example/v2${path}`, {
          method,
          headers: { authorization: `Bearer ${token}` },
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        }),
      )
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    audit: async () => (await listAudit(db, { organisationId }, { offset: 0, limit: 100 })).rows,
  }
}

/** A route whose every answer must fit its own schema, which the OpenAPI document shows. */
const checked = (route: AnyRoute): AnyRoute => ({
  ...route,
  async handle(call) {
    const result = await route.handle(call)
    const fits = check(route.response, JSON.parse(JSON.stringify(result)))
    if (!fits.ok) throw new Error(`${route.method} ${route.path}: ${JSON.stringify(fits.violations)}`)
    return result
  },
})

/** One for all tests of a database: the canary in it knows no other. */
export const MASTER_KEY = new MasterKey(randomBytes(32))

/** Where an error of the management interface points, and what it is. */
export const errorOf = ({ status, body }: Answer): unknown[] => {
  const error = body.error as { code?: unknown; param?: unknown } | undefined
  return [status, error?.code, error?.param]
}
