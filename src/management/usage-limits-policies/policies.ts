import type { Static } from '@sinclair/typebox'
import { usagePolicyRows } from '../../store/objects/usage-limit-policies.ts'
import { inWorkspace } from '../resource/reach.ts'
import { entryOf, resource, scopesIn } from '../resource/resource.ts'
import type { ManagementCall } from '../route.ts'
import type { OneQuery, PolicyChangeBody, policyAnswers } from './model.ts'
import { usageLimits } from './service.ts'

/** What all routes of usage limits policies share. */
export const policiesOf = (answers: ReturnType<typeof policyAnswers>) =>
  resource({
    ...inWorkspace(usagePolicyRows, 'usage limits policy'),
    one(call, id, verb) {
      const { db, actor, query, body } = call as ManagementCall<PolicyChangeBody, Static<typeof OneQuery>>
      if (verb === 'update') return usageLimits.reachToChange(db, actor, id, body)
      const { status = 'active', workspace_id: workspace } = query
      return usageLimits.reach(db, actor, id, { status, workspace, isToChange: verb !== 'read' })
    },
    tag: 'Usage limits policies',
    path: '/policies/usage-limits/:policyUsageLimitsId',
    scopes: scopesIn('policies'),
    entry: entryOf('policies', 'policy_usage_limits'),
    answer: answers.one,
    record: answers.listed.of,
  })
export type PolicyResource = ReturnType<typeof policiesOf>
