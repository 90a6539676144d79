import { toDryRunCall } from '../dry-run-call.ts'
import { toList, toPage } from '../list.ts'
import { whileCounted } from '../policies/counted.ts'
import { dryRun } from '../policies/dry-run.ts'
import { Evaluation, Explanation } from '../policies/evaluation-model.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import type { RateLimitsDeps } from './deps.ts'
import { policies } from './routes.ts'
import { rateLimits } from './service.ts'
import { ResetUsage, UsageList, UsageQuery } from './usage-model.ts'
import { checkGroup, toUsageRow } from './usage-service.ts'

const shared = { tag: 'Rate limits policies', plane: 'workspace' } as const

/** What policies count, and what they would say to a call. Ours: the specification has no such routes. */
export const rateLimitsUsageRoutes = ({ limits, now }: RateLimitsDeps): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/policies/rate-limits/:rateLimitsPolicyId/usage',
    summary: 'List what each group of a rate limits policy has used',
    scopes: ['policies.read'],
    changes: false,
    query: UsageQuery,
    response: UsageList,
    async handle({ db, actor, query, params }) {
      const policy = await rateLimits.reach(db, actor, params.rateLimitsPolicyId ?? '', { status: 'active' })
      const { groups, total } = await whileCounted('rate limits', limits.usage(policy, toPage(query)))
      const nowMs = now()
      return toList(
        groups.map((group) => toUsageRow(group, policy.value, nowMs)),
        total,
      )
    },
  }),
  policies.act({
    verb: 'update',
    method: 'PUT',
    path: '/usage/reset',
    summary: 'Forget what a group of a rate limits policy has used',
    body: ResetUsage,
    async run({ body: { group } }, policy, note) {
      checkGroup(policy, group)
      await whileCounted('rate limits', limits.reset(policy, group))
      note({ reset_group: group })
      return policy
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/policies/rate-limits/evaluate',
    summary: 'Say what the rate limits would do with a call, without making it',
    scopes: ['policies.read'],
    changes: false,
    body: Evaluation,
    response: Explanation,
    handle: async ({ db, actor, body }) => dryRun(limits, await toDryRunCall(db, actor, body)),
  }),
]
