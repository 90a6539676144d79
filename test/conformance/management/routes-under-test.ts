import { builtInEndpoints } from '../../../plugins/built-in.ts'
import type { LimitExplanation } from '../../../src/core/limits.ts'
import type { AnyRoute } from '../../../src/management/route.ts'
import { managementRoutes } from '../../../src/management/routes.ts'
import { parseMasterKey } from '../../../src/secrets/master-key.ts'
import { openSecretBox } from '../../../src/secrets/secret-box.ts'
import type { Store } from '../../../src/store/db.ts'

/** A model that the running provider `openai` lists. */
export const LISTED_MODEL = 'gpt-4o'

/** Every management route, over the store, with three provider plugins running. */
export const routesUnderTest = async (store: Store): Promise<readonly AnyRoute[]> =>
  managementRoutes({
    clock: { now: () => Date.now() },
    now: () => Date.now(),
    randomId: () => crypto.randomUUID(),
    providers: () => [{ id: 'openai', models: [LISTED_MODEL] }, { id: 'azure-openai' }, { id: 'bedrock' }],
    checkCustomHost: (url) => url,
    secretBox: await openSecretBox(store.db, {
      current: parseMasterKey('a passphrase for tests, long enough to be one', 'the key of the tests'),
    }),
    secretReferenceExists: async () => false,
    dryRunRoute: async () => ({ steps: [] }),
    endpointTypes: () => [...builtInEndpoints.flatMap(({ requestTypes }) => requestTypes), 'render'],
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
  })

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
    },
  ],
}

/** Names a route in tests and in the table of samples. */
export const nameOf = ({ method, path }: Pick<AnyRoute, 'method' | 'path'>): string => `${method} ${path}`
