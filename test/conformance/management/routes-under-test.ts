import { builtInEndpoints } from '../../../plugins/built-in.ts'
import { openPriceList } from '../../../plugins/prices/price-list.ts'
import { createPrices } from '../../../plugins/prices/prices.ts'
import { periodAt } from '../../../src/budgets/schedule.ts'
import { createFakeCounters } from '../../../src/budgets/test-support/fake-counters.ts'
import { type BudgetUsage, createBudgetUsage } from '../../../src/budgets/usage.ts'
import { createGuardrailDryRun } from '../../../src/compose/guardrail-dry-run.ts'
import { fromPieces } from '../../../src/core/bodies/ready-stream.ts'
import { defined } from '../../../src/core/defined.ts'
import { HeaderList } from '../../../src/core/header-fields.ts'
import type { LimitExplanation } from '../../../src/core/limits.ts'
import { KEEP_NO_BODIES } from '../../../src/core/log-settings.ts'
import { NO_STORED_PRICES } from '../../../src/core/prices.ts'
import type { CheckPowersSource } from '../../../src/kit/check.ts'
import { checksUnderTest } from '../../../src/management/guardrails/test-support.ts'
import { createExportFiles } from '../../../src/management/log-exports/files.ts'
import { createExportLinks } from '../../../src/management/log-exports/links.ts'
import { namePath } from '../../../src/management/mount.ts'
import type { AnyRoute } from '../../../src/management/route.ts'
import { managementRoutes } from '../../../src/management/routes.ts'
import { systemClock } from '../../../src/observe/clock.ts'
import { parseMasterKey } from '../../../src/secrets/master-key.ts'
import { openSecretBox, type SecretBox } from '../../../src/secrets/secret-box.ts'
import type { Db, Store } from '../../../src/store/db.ts'
import { createDatabaseFiles } from '../../../src/store/files.ts'
import { createFold } from '../../support/records/fold.ts'
import { createDirectRecorder } from '../../support/records/recorder.ts'

/** A model that the running provider `openai` lists. */
export const LISTED_MODEL = 'gpt-4o'

/** What the operator of the tests gives to secret references. */
const SECRETS_UNDER_TEST = { environment: ['PROVIDER_*'], folders: [], machineLogin: true }

const boxes = new WeakMap<Db, Promise<SecretBox>>()

/** What the routes over a database seal with: one process has one. */
export const secretBoxUnderTest = (db: Db): Promise<SecretBox> =>
  boxes.getOrInsertComputed(db, () =>
    openSecretBox(db, {
      current: parseMasterKey('a passphrase for tests, long enough to be one', 'the key of the tests'),
    }),
  )

/** Every management route, over the store, with three provider plugins running. */
export const routesUnderTest = async (store: Store): Promise<readonly AnyRoute[]> => {
  const records = createFold()
  const secretBox = await secretBoxUnderTest(store.db)
  return managementRoutes({
    clock: { now: () => Date.now() },
    now: () => Date.now(),
    idleMs: () => 3_600_000,
    randomId: () => crypto.randomUUID(),
    providers: () => [{ id: 'openai', models: [LISTED_MODEL] }, { id: 'azure-openai' }, { id: 'bedrock' }],
    checkCustomHost: (url) => url,
    pings: { send: async () => ({ status: 200, headers: new HeaderList(), body: fromPieces([]) }) },
    checks: checksUnderTest,
    ...createGuardrailDryRun({
      runtime: { checks: checksUnderTest, checkPowers: NO_POWERS, routes: [] },
      basePath: '',
      db: store.db,
      clock: systemClock,
    }),
    secretBox,
    secretMeans: () => ({ settings: SECRETS_UNDER_TEST, trusts: () => false }),
    dryRunRoute: async () => ({ steps: [] }),
    endpointTypes: () => [...builtInEndpoints.flatMap(({ requestTypes }) => requestTypes), 'render'],
    records,
    seals: { open: async () => [] },
    readersOf: () => 'workspace',
    alerts: { wake: () => undefined },
    invites: {
      publicUrl: (origin) => origin,
      news: { tell: () => undefined },
      needSignIn: false,
      attempts: { take: () => undefined, giveBack: () => undefined },
    },
    tail: { listen: async () => new Blob(['event: ready\ndata: {}\n\n']).stream() },
    exports: {
      files: createExportFiles(createDatabaseFiles(store.db), secretBox),
      links: createExportLinks(secretBox, Date.now),
      basePath: '',
      wake: () => undefined,
    },
    retentionDays: () => 30,
    bodyRules: KEEP_NO_BODIES,
    endpoints: () => builtInEndpoints,
    idAt: () => crypto.randomUUID(),
    recorder: createDirectRecorder(records),
    prices: createPrices({
      list: openPriceList(),
      file: {},
      storedPrices: NO_STORED_PRICES,
      log: { info: silent, warn: silent, error: silent },
    }),
    limits: {
      usage: async () => ({
        total: 1,
        groups: [{ group: { api_key: 'any', 'metadata.team': null }, used: 1, releaseMs: 1_000, resetMs: 60_000 }],
      }),
      ownedUsage: async (_workspaceId, { limits }) =>
        limits.map((limit) => ({ ...limit, used: 0, remaining: limit.value })),
      reset: async () => undefined,
      dryRunLimits: async () => EXPLANATION,
    },
    budgets: budgetsOfAnyone(),
    mcpProbe: {
      reach: async () => ({ success: true, statusCode: 200, responseTimeMs: 1 }),
      look: async () => ({
        info: { name: 'tools', version: '1.0.0', protocolVersion: '2025-11-25', capabilities: { tools: {} } },
        capabilities: [
          {
            type: 'tool',
            name: 'echo',
            definition: { description: 'Says it again.', inputSchema: { type: 'object' } },
          },
        ],
      }),
    },
    mcpBase: 'http://127.0.0.1:8787/mcp',
  })
}

/** The checks of the tests ask for none. */
const NO_POWERS: CheckPowersSource = {
  grant() {
    throw new Error('no check of the tests needs a power')
  },
}

const silent = (): void => undefined

/** Budgets of which one group has used something: a policy is half used up, and what belongs to an object is not used. */
const budgetsOfAnyone = (): BudgetUsage => {
  const counters = createFakeCounters()
  const usage = createBudgetUsage({ counters, now: Date.now })
  return {
    ...usage,
    usage(policy) {
      const { id, workspaceId, type, limit, schedule } = policy
      const { startMs, endMs } = periodAt(schedule, Date.now())
      const key = { workspaceId, budgetId: id, group: 'the group of anyone', startMs }
      const label = JSON.stringify([
        ['api_key', 'any'],
        ['metadata.team', null],
      ])
      const counter = counters.of(key, defined({ type, label, endMs }))
      const wanted = type === 'cost' ? BigInt(limit) * 500n : BigInt(limit) / 2n
      if (counters.total(counter) === 0n) counters.spentElsewhere(counter, wanted)
      return usage.usage(policy)
    },
  }
}

const EXPLANATION: LimitExplanation = {
  allowed: true,
  status: 200,
  targets: [
    {
      target: { provider: 'openai', virtualKey: 'team', model: LISTED_MODEL },
      allowed: true,
      status: 200,
      limits: [
        {
          id: 'a policy',
          name: null,
          owner: 'policy',
          type: 'tokens',
          unit: 'rpm',
          value: 1000,
          mode: 'enforce',
          matches: true,
          conditions: [{ key: 'api_key', value: '*', actual: 'any', holds: true, reason: 'has a value' }],
          group: { api_key: 'any', 'metadata.team': null },
          used: 1,
          remaining: 999,
          weight: 20,
          wouldRefuse: false,
        },
      ],
      budgets: [
        {
          id: 'a budget',
          name: null,
          owner: 'policy',
          type: 'cost',
          limit: 12.5,
          enforcement: 'reserve',
          mode: 'enforce',
          matches: true,
          conditions: [{ key: 'api_key', value: '*', actual: 'any', holds: true, reason: 'has a value' }],
          group: { api_key: 'any' },
          used: 1.25,
          remaining: 11.25,
          reserved: 0.5,
          wouldRefuse: false,
          startMs: 0,
          endMs: Date.UTC(2090, 0, 1),
        },
      ],
    },
  ],
}

/** Names a route in tests and in the table of samples. */
export const nameOf = (route: Pick<AnyRoute, 'method' | 'path' | 'roots'>): string =>
  `${route.method} ${namePath(route)}`
