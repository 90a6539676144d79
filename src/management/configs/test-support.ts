import { Type as t } from '@sinclair/typebox'
import { createWorld, type TestAnswer, type World } from '../../../test/conformance/management/world.ts'
import { defined } from '../../core/defined.ts'
import { EgressRefused } from '../../errors/gateway-error.ts'
import { defineCheck } from '../../kit/check.ts'
import { parseMasterKey } from '../../secrets/master-key.ts'
import { openSecretBox, type SecretBox } from '../../secrets/secret-box.ts'
import type { Store } from '../../store/types.ts'
import { apiKeyRoutes } from '../api-keys/routes.ts'
import { createFakeLimits } from '../rate-limits/test-support.ts'
import type { Method } from '../route.ts'
import { createFakeBudgets } from '../test-support/fake-budgets.ts'
import { workspacesRoutes } from '../workspaces/routes.ts'
import type { RouteDryRun } from './deps.ts'
import { configEvaluationRoutes } from './evaluation.ts'
import { configsRoutes } from './routes.ts'

/** Host that calls may not reach. */
export const REFUSED_HOST = 'http://10.0.0.1'

/** The check that runs. */
const NO_WORDS = defineCheck({
  id: 'acme.noWords',
  summary: 'Passes for short texts.',
  parameters: t.Object({ most: t.Integer({ minimum: 0 }) }),
  stages: ['input', 'output'],
  run: ({ texts }, { most }) => ({ verdict: texts.every(({ length }) => length <= most) }),
})

export interface ConfigsScene {
  readonly world: World
  readonly secretBox: SecretBox
  /** Calls as the key of the organisation, or with another token. */
  send(method: Method, path: string, body?: unknown, token?: string): Promise<TestAnswer>
  /** Has the organisation make a config; a valid one unless said otherwise. */
  create(changes?: Readonly<Record<string, unknown>>): Promise<Receipt>
}

export interface Receipt {
  readonly id: string
  readonly slug: string
  readonly version_id: string
}

/** The routes of configs, keys and workspaces over a store with two organisations. */
export const setConfigsScene = async (
  store: Store,
  { dryRunRoute = async () => ({ steps: [] }) }: Partial<RouteDryRun> = {},
): Promise<ConfigsScene> => {
  const master = parseMasterKey('a passphrase for tests, long enough to be one', 'the key of the tests')
  const secretBox = await openSecretBox(store.db, { current: master })
  const randomId = (): string => crypto.randomUUID()
  const checkCustomHost = (url: string): string => {
    if (url.startsWith(REFUSED_HOST)) throw new EgressRefused('The host 10.0.0.1 is private.')
    return url
  }
  const providers = () => [{ id: 'openai' }, { id: 'azure-openai', settings: { resource_name: 'azure-resource-name' } }]
  const checks = { get: (id: string) => (id === NO_WORDS.id ? NO_WORDS : undefined), list: () => [NO_WORDS] }
  const world = await createWorld(store, [
    ...configsRoutes({ providers, checkCustomHost, checks, secretBox, randomId }),
    ...configEvaluationRoutes({ dryRunRoute }),
    ...apiKeyRoutes({
      clock: { now: () => Date.now() },
      limits: createFakeLimits().limits,
      ...createFakeBudgets(),
      secretBox,
    }),
    ...workspacesRoutes({ ...createFakeBudgets(), randomId, now: () => Date.now() }),
  ])
  const send: ConfigsScene['send'] = (method, path, body, token = world.ours.admin) =>
    world.call(defined({ method, path, token, body }))
  return {
    world,
    secretBox,
    send,
    async create(changes = {}) {
      const answer = await send('POST', '/configs', { name: 'A config', config: { provider: 'openai' }, ...changes })
      if (answer.status !== 200) throw new Error(`POST /configs answered ${answer.status}: ${answer.text}`)
      const { id, slug, version_id } = answer.body
      return { id: String(id), slug: String(slug), version_id: String(version_id) }
    },
  }
}
