import { listRateLimitPolicies } from '../../store/rate-limit-policies.ts'
import { Empty } from '../fields.ts'
import { toList, toPage } from '../list.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { entryFor } from './audit-entry.ts'
import { NewPolicy, OneQuery, PolicyChange, PolicyDetail, PolicyList, PolicyQuery, PolicyReceipt } from './model.ts'
import { changePolicy, createPolicy, reachPolicy, reachPolicyToChange } from './service.ts'
import { toPolicyAnswer, toPolicyRow } from './view.ts'

const shared = { tag: 'Rate limits policies', plane: 'workspace' } as const
const ONE = '/policies/rate-limits/:rateLimitsPolicyId'

/** Rate limits policies of a workspace (specification, section 4.1). */
export const rateLimitsRoutes = (): readonly AnyRoute[] => [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/policies/rate-limits',
    summary: 'List the rate limits policies of a workspace',
    scopes: ['policies.list'],
    changes: false,
    query: PolicyQuery,
    response: PolicyList,
    async handle({ db, actor, query }) {
      const { workspace_id: reference, status = 'active', type, unit, target, search } = query
      const { id: workspaceId } = await resolveWorkspace(db, actor, reference)
      const filter = {
        workspaceId,
        status,
        ...(type === undefined ? {} : { type }),
        ...(unit === undefined ? {} : { unit }),
        ...(target === undefined ? {} : { target }),
        ...(search === undefined ? {} : { name: search }),
      }
      const { rows, total } = await listRateLimitPolicies(db, filter, toPage(query))
      return toList(rows.map(toPolicyRow), total)
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/policies/rate-limits',
    summary: 'Create a rate limits policy',
    scopes: ['policies.create'],
    changes: true,
    body: NewPolicy,
    response: PolicyReceipt,
    async handle({ db, actor, body, audit }) {
      const policy = await createPolicy(db, actor, body)
      audit(entryFor('create', policy, { after: toPolicyRow(policy) }))
      return { id: policy.id, object: 'policy_rate_limits' }
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: ONE,
    summary: 'Show a rate limits policy',
    scopes: ['policies.read'],
    changes: false,
    query: OneQuery,
    response: PolicyDetail,
    async handle({ db, actor, query: { status = 'active', workspace_id: workspace }, params }) {
      const asked = { status, ...(workspace === undefined ? {} : { workspace }) }
      return toPolicyAnswer(await reachPolicy(db, actor, params.rateLimitsPolicyId ?? '', asked))
    },
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    path: ONE,
    summary: 'Change a rate limits policy, or restore an archived one',
    scopes: ['policies.update'],
    changes: true,
    body: PolicyChange,
    response: Empty,
    async handle({ db, actor, params, body, audit }) {
      const before = await reachPolicyToChange(db, actor, params.rateLimitsPolicyId ?? '', body)
      const after = await changePolicy(db, before, body)
      audit(entryFor('update', before, { before: toPolicyRow(before), after: toPolicyRow(after) }))
      return {}
    },
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: ONE,
    summary: 'Archive a rate limits policy: it limits nothing any more, and can be restored',
    scopes: ['policies.delete'],
    changes: true,
    response: Empty,
    async handle({ db, actor, params, audit }) {
      const asked = { status: 'active', isToChange: true } as const
      const before = await reachPolicy(db, actor, params.rateLimitsPolicyId ?? '', asked)
      await changePolicy(db, before, { status: 'archived' })
      audit(entryFor('delete', before, { before: toPolicyRow(before) }))
      return {}
    },
  }),
]
