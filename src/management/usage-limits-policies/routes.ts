import { archived } from '../policies/fields.ts'
import type { AnyRoute } from '../route.ts'
import type { UsageLimitsPoliciesDeps } from './deps.ts'
import { entityOfValue, resetEntity, toUsageMap } from './entities.ts'
import { entityRoutes } from './entity-routes.ts'
import { NewPolicy, OneQuery, PolicyChange, PolicyQuery, PolicyReceipt, policyAnswers } from './model.ts'
import { policiesOf } from './policies.ts'
import { changePolicy, createPolicy } from './service.ts'

/** Usage limits policies of a workspace (interface contract, section 4.3). */
export const usageLimitsPoliciesRoutes = (deps: UsageLimitsPoliciesDeps): readonly AnyRoute[] => {
  const { budgets, now } = deps
  const answers = policyAnswers(now)
  const policies = policiesOf(answers)
  return [
    policies.list({
      summary: 'List the usage limits policies of a workspace',
      query: PolicyQuery,
      shown: answers.listed,
    }),
    policies.create({
      summary: 'Create a usage limits policy',
      body: NewPolicy,
      response: PolicyReceipt,
      run: ({ db, body }, place) => createPolicy(db, place, body, now()),
      receipt: ({ id }) => ({ id, object: 'policy_usage_limits' }),
    }),
    policies.read({
      summary: 'Show a usage limits policy, with what its groups have used',
      query: OneQuery,
      views: archived,
      async show({ db, query }, policy) {
        const shown = answers.one.of(policy)
        return query.include_usage === true
          ? { ...shown, value_key_usage_map: await toUsageMap(db, policy, budgets) }
          : shown
      },
    }),
    policies.update({
      summary: 'Change a usage limits policy, set the count of a group to 0, or restore an archived policy',
      body: PolicyChange,
      async run({ db, body }, policy, note) {
        const changed = await changePolicy(db, policy, body, now())
        const { reset_usage_for_value: valueKey } = body
        if (valueKey === undefined) return changed
        // Last: what could refuse the change has not.
        await resetEntity(entityOfValue(changed, valueKey, budgets), budgets, note)
        return changed
      },
    }),
    policies.delete({
      summary: 'Archive a usage limits policy: it limits nothing any more, and can be restored',
      run: ({ db }, policy) => changePolicy(db, policy, { status: 'archived' }, now()),
    }),
    ...entityRoutes(policies, deps),
  ]
}
