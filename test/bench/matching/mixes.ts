import type { Facts } from '../../../src/limits/match/compile.ts'
import type { Condition, LimitPolicy } from '../../../src/limits/match/policy.ts'

/** Policies of one workspace, and calls that meet them. */
export interface Mix {
  readonly name: string
  readonly policies: readonly LimitPolicy[]
  readonly calls: readonly Facts[]
}

const USERS = 1_000
const FEW_USERS = 10

const policyOf = (number: number, conditions: readonly Condition[], groupBy: readonly string[]): LimitPolicy => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  organisationId: 'organisation-1',
  workspaceId: 'workspace-1',
  name: null,
  target: 'llm',
  conditions,
  groupBy,
  type: 'requests',
  unit: 'rpm',
  value: 100,
  onStoreFailure: 'local',
  reservation: 'bounded',
  mode: 'enforce',
})

const callOf = (user: number, metadata: Readonly<Record<string, string>> = {}): Facts => ({
  organisationId: 'organisation-1',
  workspaceId: 'workspace-1',
  apiKeyId: 'key-0',
  metadata: { _user: `user-${user}`, environment: 'production', ...metadata },
  config: 'pc-first-0a1b2c',
  endpointType: 'chatComplete',
  model: 'gpt-4o',
  target: { provider: 'openai', virtualKey: 'openai-main', model: 'gpt-4o' },
})

const mixOf = (
  name: string,
  count: number,
  at: (number: number) => LimitPolicy,
  metadata: Readonly<Record<string, string>> = {},
  users = USERS,
): Mix => ({
  name,
  policies: Array.from({ length: count }, (_, number) => at(number)),
  calls: Array.from({ length: users }, (_, user) => callOf(user, metadata)),
})

/** Of the first kinds one policy matches, at most, and the others cannot. */
export const mixesOf = (count: number): readonly Mix[] => [
  mixOf('one key each, by user', count, (number) =>
    policyOf(number, [{ key: 'api_key', value: `key-${number}` }], ['metadata._user']),
  ),
  mixOf(
    'one metadata key, 100 values',
    count,
    (number) =>
      number < 100
        ? policyOf(number, [{ key: 'metadata.team', value: `team-${number}` }], ['metadata.team'])
        : policyOf(number, [{ key: 'api_key', value: `key-${number}` }], ['api_key']),
    { team: 'team-0' },
  ),
  mixOf(
    'one metadata key each',
    count,
    (number) => policyOf(number, [{ key: `metadata.label-${number}`, value: '*' }], ['api_key']),
    { 'label-0': 'set' },
  ),
  mixOf('one provider each, any model', count, (number) =>
    policyOf(number, [{ key: 'model', value: `@${number === 0 ? 'openai' : `provider-${number}`}/*` }], ['model']),
  ),
  mixOf('one beginning of models each', count, (number) =>
    policyOf(number, [{ key: 'model', value: number === 0 ? 'gpt-4*' : `family-${number}-*` }], ['api_key']),
  ),
  mixOf('shared key, one metadata value each', count, (number) =>
    policyOf(
      number,
      [
        { key: 'api_key', value: 'key-0' },
        { key: 'metadata._user', value: `user-${number}` },
      ],
      ['api_key', 'model'],
    ),
  ),
  ...[FEW_USERS, USERS].map((users) =>
    mixOf(
      `all match, ${users} users`,
      count,
      (number) => policyOf(number, [{ key: 'workspace_id', value: 'workspace-1' }], ['api_key', 'metadata._user']),
      {},
      users,
    ),
  ),
]
