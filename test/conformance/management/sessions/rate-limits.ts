import type { Session } from '../recorder.ts'

const POLICIES = '/policies/rate-limits'

export const rateLimits: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const { first, second, organisationId } = world.ours
  const policy = {
    name: 'Team blue',
    description: 'made by a test',
    conditions: [
      { key: 'api_key', value: '*' },
      { key: 'metadata.team', value: ['blue', 'red'], excludes: 'green' },
    ],
    group_by: [{ key: 'api_key' }, { key: 'metadata.team' }],
    type: 'tokens',
    unit: 'rpm',
    value: 1000,
    on_store_failure: 'closed',
    reservation: 'max',
    mode: 'shadow',
  }
  await get(POLICIES)
  const { id } = await post(POLICIES, { ...policy, organisation_id: organisationId, target: 'llm' })
  const bare = {
    conditions: [{ key: 'api_key', value: '*' }],
    group_by: [{ key: 'api_key' }],
    type: 'requests',
    unit: 'rpd',
    value: 1,
  }
  await post(POLICIES, bare)
  await post(POLICIES, { ...bare, name: null, workspace_id: second.slug })
  await post(POLICIES, { ...bare, target: 'mcp_tools', group_by: undefined })
  await post(POLICIES, { ...bare, group_by: undefined })
  await post(POLICIES, { ...bare, group_by: [{ key: 'nonsense' }] })
  await post(POLICIES, { ...bare, group_by: [{ key: 'api_key' }, { key: 'api_key' }] })
  await post(POLICIES, { ...bare, conditions: [{ key: 'nonsense', value: 'a' }] })
  await post(POLICIES, { ...bare, conditions: [{ key: 'model', value: [] }] })
  await post(POLICIES, { ...bare, organisation_id: world.theirs.organisationId })
  await post(POLICIES, { ...bare, workspace_id: 'ws-none' })
  await as('service').post(POLICIES, { ...bare, workspace_id: second.id })
  await as('service').post(POLICIES, { ...bare, name: 'of a service' })

  await get(`${POLICIES}/${id}`)
  await get(`${POLICIES}/${id}?status=archived`)
  await get(`${POLICIES}/${id}?workspace_id=${first.slug}`)
  await get(`${POLICIES}/${id}?workspace_id=${second.slug}`)
  await as('second service').get(`${POLICIES}/${id}`)

  for (const query of [
    'page_size=1&current_page=1',
    'page_size=0',
    'type=tokens',
    'unit=rpd',
    'target=mcp_tools',
    'search=BLUE',
  ]) {
    await get(`${POLICIES}?${query}`)
  }
  await get(`${POLICIES}?workspace_id=ws-second`)
  await as('user').get(POLICIES)

  await put(`${POLICIES}/${id}`, { name: null, description: null, value: 5, unit: 'rph', mode: 'enforce' })
  await put(`${POLICIES}/${id}`, {
    conditions: [{ key: 'model', value: 'a' }],
    on_store_failure: 'open',
    reservation: 'post',
  })
  await put(`${POLICIES}/${id}`, { conditions: [{ key: 'nonsense', value: 'a' }] })
  for (const field of ['type', 'target', 'group_by', 'workspace_id', 'organisation_id']) {
    await put(`${POLICIES}/${id}`, { [field]: 'any' })
  }
  await put(`${POLICIES}/${id}`, {})

  await get(`${POLICIES}/${id}/usage`)
  await get(`${POLICIES}/${id}/usage?page_size=1`)
  await put(`${POLICIES}/${id}/usage/reset`, { group: { api_key: 'any', 'metadata.team': null } })
  await put(`${POLICIES}/${id}/usage/reset`, { group: { api_key: 'any' } })
  await put(`${POLICIES}/${id}/usage/reset`, { group: { api_key: 'any', 'metadata.team': 'a', more: 'b' } })
  await post(`${POLICIES}/evaluate`, {
    headers: { 'x-gateway-provider': 'openai' },
    body: { model: 'm' },
    endpoint: 'chat',
  })
  await post(`${POLICIES}/evaluate`, { api_key_id: '0198c5d2-0000-7000-8000-0000000000ff' })
  await as('service').post(`${POLICIES}/evaluate`, { workspace_id: second.slug })

  await remove(`${POLICIES}/${id}`)
  await remove(`${POLICIES}/${id}`)
  await get(`${POLICIES}/${id}`)
  await get(`${POLICIES}/${id}?status=archived`)
  await get(`${POLICIES}?status=archived`)
  await put(`${POLICIES}/${id}`, { value: 9 })
  await put(`${POLICIES}/${id}`, { status: 'active', value: 9 })
  await put(`${POLICIES}/${id}`, { status: 'archived' })
  await get(`${POLICIES}/${id}?status=archived`)
}
