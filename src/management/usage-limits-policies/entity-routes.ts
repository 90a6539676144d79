import { ManagementNotFound } from '../../errors/gateway-error.ts'
import { toDryRunCall } from '../dry-run-call.ts'
import { Empty } from '../fields.ts'
import { toList, toPage } from '../list.ts'
import { dryRun } from '../policies/dry-run.ts'
import { Evaluation, Explanation } from '../policies/evaluation-model.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import type { UsageLimitsPoliciesDeps } from './deps.ts'
import { entitiesOf, resetEntity, statusOf } from './entities.ts'
import type { PolicyResource } from './policies.ts'
import { usageLimits } from './service.ts'
import { EntitiesQuery, EntityList } from './usage-model.ts'

const shared = { tag: 'Usage limits policies', plane: 'workspace' } as const

/** What usage limits policies count, and what they would say to a call. */
export const entityRoutes = (
  policies: PolicyResource,
  { budgets, limits }: UsageLimitsPoliciesDeps,
): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/policies/usage-limits/:policyUsageLimitsId/entities',
    summary: 'List the groups of calls that a usage limits policy has counted in the period that runs',
    scopes: ['policies.read'],
    changes: false,
    query: EntitiesQuery,
    response: EntityList,
    async handle({ db, actor, query, params }) {
      const policy = await usageLimits.reach(db, actor, params.policyUsageLimitsId ?? '', { status: 'active' })
      const { status, search = '' } = query
      const wanted = entitiesOf(policy, budgets).filter(
        (entity) =>
          (status === undefined || statusOf(entity) === status) &&
          entity.valueKey.toLowerCase().includes(search.toLowerCase()),
      )
      const { offset, limit } = toPage(query)
      return toList(
        wanted
          .slice(offset, offset + limit)
          .map(({ id, valueKey, use }) => ({ id, value_key: valueKey, current_usage: use.used })),
        wanted.length,
      )
    },
  }),
  policies.act({
    verb: 'update',
    method: 'PUT',
    path: '/entities/:entityId/reset',
    summary: 'Set the count of a group of calls to 0',
    body: Empty,
    bodyOptional: true,
    async run({ params }, policy, note) {
      const id = params.entityId ?? ''
      const entity = entitiesOf(policy, budgets).find((each) => each.id === id.toLowerCase())
      if (entity === undefined) throw new ManagementNotFound(`The usage limits policy has counted no entity '${id}'.`)
      await resetEntity(entity, budgets, note)
      return policy
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/policies/usage-limits/evaluate',
    summary: 'Say what budgets and rate limits would do with a call, without making it',
    scopes: ['policies.read'],
    changes: false,
    body: Evaluation,
    response: Explanation,
    handle: async ({ db, actor, body }) => dryRun(limits, await toDryRunCall(db, actor, body)),
  }),
]
