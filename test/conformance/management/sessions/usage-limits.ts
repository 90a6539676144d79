import type { Session } from '../recorder.ts'

const POLICIES = '/policies/usage-limits'

export const usageLimits: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const { first, second, organisationId } = world.ours
  const policy = {
    name: 'Team blue',
    description: 'made by a test',
    conditions: [
      { key: 'api_key', value: '*' },
      { key: 'metadata.team', value: ['blue', 'red'], excludes: 'green' },
    ],
    group_by: [{ key: 'api_key' }, { key: 'metadata.team' }],
    type: 'cost',
    credit_limit: 12.5,
    alert_threshold: 10,
    next_usage_reset_at: '2090-01-01T12:00:00Z',
    enforcement: 'reserve',
    on_unknown_price: 'refuse',
    mode: 'shadow',
  }
  await get(POLICIES)
  const { id } = await post(POLICIES, { ...policy, organisation_id: organisationId })
  const bare = {
    conditions: [{ key: 'api_key', value: '*' }],
    group_by: [{ key: 'api_key' }],
    type: 'tokens',
    credit_limit: 100,
  }
  await post(POLICIES, bare)
  await post(POLICIES, { ...bare, type: 'requests', credit_limit: 0, name: null, workspace_id: second.slug })
  await post(POLICIES, { ...bare, credit_limit: 1.5 })
  await post(POLICIES, { ...bare, alert_threshold: 100 })
  await post(POLICIES, { ...bare, type: 'cost', credit_limit: 0.0000000001 })
  await post(POLICIES, { ...bare, type: 'cost', credit_limit: 9_000_001 })
  await post(POLICIES, { ...bare, periodic_reset: 'weekly', periodic_reset_days: 7 })
  await post(POLICIES, { ...bare, next_usage_reset_at: '2020-01-01T00:00:00Z' })
  await post(POLICIES, { ...bare, next_usage_reset_at: '2090-02-30T00:00:00Z' })
  await post(POLICIES, { ...bare, group_by: [{ key: 'endpoint_type' }] })
  await post(POLICIES, { ...bare, group_by: [{ key: 'api_key' }, { key: 'api_key' }] })
  await post(POLICIES, { ...bare, conditions: [{ key: 'nonsense', value: 'a' }] })
  await post(POLICIES, { ...bare, organisation_id: world.theirs.organisationId })
  await post(POLICIES, { ...bare, workspace_id: 'ws-none' })
  await as('service').post(POLICIES, { ...bare, workspace_id: second.id })
  await as('service').post(POLICIES, { ...bare, name: 'of a service' })

  await get(`${POLICIES}/${id}`)
  await get(`${POLICIES}/${id}?include_usage=true`)
  await get(`${POLICIES}/${id}?status=archived`)
  await get(`${POLICIES}/${id}?workspace_id=${first.slug}`)
  await get(`${POLICIES}/${id}?workspace_id=${second.slug}`)
  await as('second service').get(`${POLICIES}/${id}`)
  for (const query of ['page_size=1&current_page=1', 'page_size=0', 'type=tokens', 'search=BLUE']) {
    await get(`${POLICIES}?${query}`)
  }
  await get(`${POLICIES}?workspace_id=ws-second`)
  await as('user').get(POLICIES)

  await put(`${POLICIES}/${id}`, { name: null, description: null, credit_limit: 20, mode: 'enforce' })
  await put(`${POLICIES}/${id}`, { credit_limit: 10 })
  await put(`${POLICIES}/${id}`, { alert_threshold: 20 })
  await put(`${POLICIES}/${id}`, { periodic_reset_days: 30, alert_threshold: null, enforcement: 'soft' })
  await put(`${POLICIES}/${id}`, { periodic_reset: null, next_usage_reset_at: null, on_unknown_price: 'allow' })
  await put(`${POLICIES}/${id}`, { conditions: [{ key: 'model', value: 'a' }] })
  await put(`${POLICIES}/${id}`, { conditions: [{ key: 'endpoint_type', value: 'embed' }] })
  for (const field of ['type', 'group_by', 'workspace_id', 'organisation_id']) {
    await put(`${POLICIES}/${id}`, { [field]: 'any' })
  }
  await put(`${POLICIES}/${id}`, {})
  await put(`${POLICIES}/${id}`, { reset_usage_for_value: 'metadata.team:blue' })
  await put(`${POLICIES}/${id}`, { reset_usage_for_value: 'api_key:any-metadata.team:(absent)' })

  const { data } = await get(`${POLICIES}/${id}/entities`)
  const [entity] = data as readonly { readonly id: string }[]
  await get(`${POLICIES}/${id}/entities?status=exhausted`)
  await get(`${POLICIES}/${id}/entities?search=ANY&page_size=1&current_page=1`)
  await put(`${POLICIES}/${id}/entities/${entity?.id}/reset`)
  await as('second service').put(`${POLICIES}/${id}/entities/${entity?.id}/reset`)
  await post(`${POLICIES}/evaluate`, {
    headers: { 'x-gateway-provider': 'openai' },
    body: { model: 'm' },
    endpoint: 'chat',
  })
  await as('service').post(`${POLICIES}/evaluate`, { workspace_id: second.slug })

  await remove(`${POLICIES}/${id}`)
  await remove(`${POLICIES}/${id}`)
  await get(`${POLICIES}/${id}`)
  await get(`${POLICIES}/${id}?status=archived`)
  await get(`${POLICIES}?status=archived`)
  await put(`${POLICIES}/${id}`, { credit_limit: 9 })
  await put(`${POLICIES}/${id}`, { status: 'active', credit_limit: 9 })
  await put(`${POLICIES}/${id}`, { status: 'archived' })
  await get(`${POLICIES}/${id}?status=archived`)
}
