/**
 * Fills a database as calls and the management interface would, but faster: straight through the functions of the store, in a
 * process of its own. Reads its plan from standard input and prints the keys it made.
 */
import { bootstrap } from '../../../../src/store/bootstrap.ts'
import { openStore, type Store } from '../../../../src/store/db.ts'
import { createApiKey, type NewApiKey } from '../../../../src/store/key-material.ts'
import { defaultCollection } from '../../../../src/store/objects/collections.ts'
import { configRows } from '../../../../src/store/objects/configs.ts'
import { promptRows } from '../../../../src/store/objects/prompts.ts'
import { policyRows } from '../../../../src/store/objects/rate-limit-policies.ts'
import { newId } from '../../../../src/store/objects/rows.ts'
import { findFirstOrganisation } from '../../../../src/store/objects/tenancy.ts'
import { createWorkspace, findDefaultWorkspace } from '../../../../src/store/objects/workspaces.ts'
import { apiKeys } from '../../../../src/store/schema/api-keys.ts'
import { WORKSPACE_SERVICE_SCOPES } from '../../../../src/store/scopes.ts'
import { PROMPT } from '../load/prompts.ts'
import { ADMIN_KEY, API_KEY } from './keys.ts'
import { CONFIGS, LABELS, type Seeded, type SeedPlan } from './seed-plan.ts'

type Db = Store['db']

interface Place {
  readonly organisationId: string
  readonly workspaceId: string
}

/** Rows of one insert: more would pass the number of parameters that Postgres takes. */
const BATCH = 1_000
/** No call of a benchmark may be refused. */
const LARGE = 1_000_000_000_000
const AUTHOR = 'bench'

const addKeys = async (db: Db, place: Place, count: number): Promise<string[]> => {
  const made: string[] = []
  while (made.length < count) {
    const keys = Array.from({ length: Math.min(BATCH, count - made.length) }, createApiKey)
    await db.insert(apiKeys).values(keys.map((key) => keyRow(place, key)))
    made.push(...keys.map(({ key }) => key))
  }
  return made
}

const keyRow = (place: Place, { publicId, hash, masked }: NewApiKey) => ({
  ...place,
  id: newId(),
  publicId,
  hash,
  maskedKey: masked,
  name: 'bench',
  kind: 'workspace-service' as const,
  scopes: [...WORKSPACE_SERVICE_SCOPES],
})

const addConfigs = async (db: Db, place: Place): Promise<void> => {
  const target = { provider: 'openai', retry: { attempts: 2 }, request_timeout: 60_000 }
  const contents = { governed: target, cached: { ...target, cache: { mode: 'simple', max_age: 3_600 } } }
  for (const name of ['governed', 'cached'] as const) {
    await db.transaction((transaction) =>
      configRows.create(transaction, {
        ...place,
        id: newId(),
        slug: CONFIGS[name],
        name,
        isDefault: false,
        content: { config: contents[name], secrets: [] },
        by: AUTHOR,
      }),
    )
  }
}

/** With its first version, which is published. */
const addPrompt = async (db: Db, { organisationId, workspaceId }: Place): Promise<void> => {
  const { slug, template, model, parameters } = PROMPT
  const { id: collectionId } = await defaultCollection(db, { workspaceId, organisationId })
  const content = {
    ...{ template, model, parameters, isRawTemplate: false, strict: false, virtualKey: null },
    ...{ functions: null, tools: null, toolChoice: null },
    ...{ templateMetadata: null, variablesSchema: null, description: null },
  }
  await db.transaction((transaction) =>
    promptRows.create(transaction, {
      organisationId,
      workspaceId,
      collectionId,
      slug,
      name: slug,
      content,
      by: AUTHOR,
    }),
  )
}

/** The first counts requests for each key, the second tokens for each user; the others ask for teams that never call. */
const addPolicies = async (db: Db, place: Place, count: number): Promise<void> => {
  for (let number = 0; number < count; number += 1) {
    const team = number < 2 ? LABELS.team : `team-${number}`
    await policyRows.insert(db, {
      ...place,
      name: `policy ${number}`,
      conditions: [{ key: 'metadata.team', value: team }],
      ...(number === 1
        ? { groupBy: ['metadata._user'], type: 'tokens' as const }
        : { groupBy: ['api_key'], type: 'requests' as const }),
      unit: 'rpm',
      value: LARGE,
    })
  }
}

const plan = JSON.parse(await Bun.stdin.text()) as SeedPlan
const store = await openStore({ databaseUrl: plan.databaseUrl, dataDir: '' })
const { db } = store
await bootstrap(db, { apiKey: API_KEY, adminKey: ADMIN_KEY })
const organisation = await findFirstOrganisation(db)
const main = organisation && (await findDefaultWorkspace(db, organisation.id))
if (organisation === undefined || main === undefined) throw new Error('The store made no workspace')
const organisationId = organisation.id

const mainPlace = { organisationId, workspaceId: main.id }
const keys = await addKeys(db, mainPlace, plan.keys)
await addConfigs(db, mainPlace)
await addPrompt(db, mainPlace)

const keyOf: Record<string, string> = {}
for (const count of plan.policyCounts) {
  const { id } = await createWorkspace(db, { organisationId, name: `${count} policies`, slug: `ws-policies-${count}` })
  const place = { organisationId, workspaceId: id }
  const [key = ''] = await addKeys(db, place, 1)
  keyOf[count] = key
  await addConfigs(db, place)
  await addPolicies(db, place, count)
}
await store.close()
const seeded: Seeded = { keys, keyOf }
console.log(JSON.stringify(seeded))
