import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openapiDocument } from '../../../src/management/openapi/document.ts'
import type { AnyRoute } from '../../../src/management/route.ts'
import { createOAuthHandler } from '../../../src/management/tokens/oauth-handler.ts'
import { silentLog } from '../../../src/management/tokens/test-support.ts'
import { openStore, type Store } from '../../../src/store/db.ts'
import { describeKey } from '../../../src/store/key-material.ts'
import { findApiKeyByPublicId } from '../../../src/store/objects/api-keys.ts'
import { SLOW_START_MS, temporaryFolder } from '../../../src/store/testing.ts'
import { copyEmbeddedDatabase } from '../../support/embedded-database.ts'
import { createMasks } from './masks.ts'
import { createRecorder, readable, type Session } from './recorder.ts'
import { nameOf, routesUnderTest } from './routes-under-test.ts'
import { nameAnew } from './samples.ts'
import { alerts } from './sessions/alerts.ts'
import { analytics } from './sessions/analytics.ts'
import { apiKeys } from './sessions/api-keys.ts'
import { auditLogs, EVER } from './sessions/audit-logs.ts'
import { collections } from './sessions/collections.ts'
import { configs } from './sessions/configs.ts'
import { deployments } from './sessions/deployments.ts'
import { feedback } from './sessions/feedback.ts'
import { guardrails, organisationGuardrails } from './sessions/guardrails.ts'
import { integrations } from './sessions/integrations.ts'
import { labels } from './sessions/labels.ts'
import { logs } from './sessions/logs.ts'
import { mcpIntegrations, mcpServers } from './sessions/mcp.ts'
import { modelPrices } from './sessions/model-prices.ts'
import { oneLog } from './sessions/one-log.ts'
import { organisationSettings } from './sessions/organisation-settings.ts'
import { invites, members, users } from './sessions/people.ts'
import { promptPartials, prompts } from './sessions/prompts.ts'
import { providers, virtualKeys } from './sessions/providers.ts'
import { rateLimits } from './sessions/rate-limits.ts'
import { scim } from './sessions/scim.ts'
import { secretReferences } from './sessions/secret-references.ts'
import { sessions } from './sessions/sessions.ts'
import { usageLimits } from './sessions/usage-limits.ts'
import { workspaces } from './sessions/workspaces.ts'
import { createWorld } from './world.ts'

/**
 * Every answer of the interface, byte for byte, beside a recording of before. A change that is meant is recorded anew
 * with WEIR_RECORD=1, and shows in the difference of the recording.
 */
const SESSIONS: Readonly<Record<string, Session>> = {
  alerts,
  analytics,
  'api-keys': apiKeys,
  'audit-logs': auditLogs,
  collections,
  configs,
  deployments,
  feedback,
  guardrails,
  'organisation-guardrails': organisationGuardrails,
  integrations,
  invites,
  labels,
  logs,
  'mcp-integrations': mcpIntegrations,
  'mcp-servers': mcpServers,
  members,
  'model-prices': modelPrices,
  'one-log': oneLog,
  'organisation-settings': organisationSettings,
  'prompt-partials': promptPartials,
  prompts,
  providers,
  'rate-limits': rateLimits,
  'secret-references': secretReferences,
  scim,
  sessions,
  'usage-limits': usageLimits,
  users,
  'virtual-keys': virtualKeys,
  workspaces,
}

const folder = temporaryFolder()
const played = new Set<string>()
let store: Store
let routes: readonly AnyRoute[]

beforeAll(async () => {
  nameAnew()
  await copyEmbeddedDatabase(folder.path)
  store = await openStore({ dataDir: folder.path })
  routes = await routesUnderTest(store)
}, SLOW_START_MS)

afterAll(async () => {
  await store?.close()
  folder.remove()
}, SLOW_START_MS)

const compare = async (name: string, text: string): Promise<void> => {
  const path = join(import.meta.dir, 'recorded', `${name}.json`)
  if (process.env.WEIR_RECORD === '1') await Bun.write(path, text)
  const before = existsSync(path) ? (await Bun.file(path).text()).split('\n') : []
  const now = text.split('\n')
  const line = now.findIndex((said, index) => said !== before[index])
  if (line === -1 && now.length === before.length) return
  const from = Math.max(0, (line === -1 ? now.length : line) - 8)
  expect(`${name}.json from line ${from + 1}\n${now.slice(from, from + 16).join('\n')}`).toBe(
    `${name}.json from line ${from + 1}\n${before.slice(from, from + 16).join('\n')}`,
  )
}

test.each(Object.entries(SESSIONS))(
  '%s answer as before',
  async (name, session) => {
    const world = await createWorld(store, routes)
    const { ours, theirs } = world
    const masks = createMasks({
      'our organisation': ours.organisationId,
      'first workspace': ours.first.id,
      'second workspace': ours.second.id,
      'their organisation': theirs.organisationId,
    })
    const recorder = createRecorder(world, routes, masks)
    await recorder.play(async (desk) => {
      await session(desk)
      await desk.get(`/audit-logs?${EVER}&page_size=100`)
    })
    for (const route of recorder.played) played.add(route)
    await compare(name, recorder.text())
  },
  SLOW_START_MS,
)

test('the token exchange answers as before', async () => {
  const { db, ours } = await createWorld(store, routes)
  const exchange = createOAuthHandler({
    keys: {
      find: async (key) =>
        key === ours.admin ? (await findApiKeyByPublicId(db, describeKey(key).publicId))?.record : undefined,
    },
    tokens: { issue: async ({ scopes }) => `a token for ${scopes ?? 'all'}` },
    clock: { now: () => Date.now() },
    log: silentLog,
  })
  const id = (await findApiKeyByPublicId(db, describeKey(ours.admin).publicId))?.record.id ?? ''
  const client = { client_id: id, client_secret: ours.admin }
  const grant = { grant_type: 'client_credentials' }
  const masks = createMasks({ 'id of the key': id })
  const exchanges: unknown[] = []
  const requests: readonly Readonly<Record<string, string>>[] = [
    { ...grant, ...client },
    { ...grant, ...client, scope: 'logs.view configs.read logs.view' },
    { ...grant, ...client, scope: 'nonsense' },
    { ...grant, ...client, client_id: ours.first.id },
    { ...grant, ...client, client_secret: ours.first.serviceKey },
    { ...grant },
    { ...client },
    { ...client, grant_type: 'password' },
  ]
  for (const body of requests) {
    const answer = await exchange(
      new Request('http://gateway.test/oauth/token', { method: 'POST', body: new URLSearchParams(body) }),
    )
    const headers = Object.fromEntries(answer.headers)
    exchanges.push(masks.apply({ body, status: answer.status, headers, answer: await answer.json() }))
  }
  await compare('tokens', `${readable(exchanges)}\n`)
})

test('every route is played', () => {
  expect([...played].sort()).toEqual(routes.map(nameOf).sort())
})

test('the document of the management routes is as before', async () => {
  const tags = new Set(routes.map(({ tag }) => tag))
  const { paths } = openapiDocument(routes, { version: '0.0.0', basePath: '', endpoints: [] })
  const ours = Object.entries(paths).filter(([, item]) =>
    Object.values(item).some((operation) => operation.tags.some((tag: string) => tags.has(tag))),
  )
  await compare('openapi', `${readable(Object.fromEntries(ours))}\n`)
})
