import type { Static } from '@sinclair/typebox'
import { policyRows } from '../../store/objects/rate-limit-policies.ts'
import { archived } from '../policies/fields.ts'
import { inWorkspace } from '../resource/reach.ts'
import { entryOf, resource, scopesIn } from '../resource/resource.ts'
import type { AnyRoute, ManagementCall } from '../route.ts'
import type { RateLimitsDeps } from './deps.ts'
import {
  listedPolicy,
  NewPolicy,
  OneQuery,
  PolicyChange,
  type PolicyChangeBody,
  PolicyQuery,
  PolicyReceipt,
  policyAnswer,
} from './model.ts'
import { changePolicy, createPolicy, rateLimits } from './service.ts'

export const policies = resource({
  ...inWorkspace(policyRows, 'rate limits policy'),
  one(call, id, verb) {
    const { db, actor, query, body } = call as ManagementCall<PolicyChangeBody, Static<typeof OneQuery>>
    if (verb === 'update') return rateLimits.reachToChange(db, actor, id, body)
    const { status = 'active', workspace_id: workspace } = query
    return rateLimits.reach(db, actor, id, { status, workspace, isToChange: verb !== 'read' })
  },
  tag: 'Rate limits policies',
  path: '/policies/rate-limits/:rateLimitsPolicyId',
  scopes: scopesIn('policies'),
  entry: entryOf('policies', 'policy_rate_limits'),
  answer: policyAnswer,
  record: listedPolicy.of,
})

/** Rate limits policies of a workspace (specification, section 4.1). */
export const rateLimitsRoutes = (deps: Pick<RateLimitsDeps, 'endpointTypes'>): readonly AnyRoute[] => [
  policies.list({
    summary: 'List the rate limits policies of a workspace',
    query: PolicyQuery,
    shown: listedPolicy,
  }),
  policies.create({
    summary: 'Create a rate limits policy',
    body: NewPolicy,
    response: PolicyReceipt,
    run: ({ db, body }, place) => createPolicy(db, place, body, deps),
    receipt: ({ id }) => ({ id, object: 'policy_rate_limits' }),
  }),
  policies.read({ summary: 'Show a rate limits policy', query: OneQuery, views: archived }),
  policies.update({
    summary: 'Change a rate limits policy, or restore an archived one',
    body: PolicyChange,
    run: ({ db, body }, policy) => changePolicy(db, policy, body, deps),
  }),
  policies.delete({
    summary: 'Archive a rate limits policy: it limits nothing any more, and can be restored',
    run: ({ db }, policy) => changePolicy(db, policy, { status: 'archived' }, deps),
  }),
]
