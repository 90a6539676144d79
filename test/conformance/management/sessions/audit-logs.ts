import type { Session } from '../recorder.ts'

export const EVER = 'start_time=2001-01-01T00:00:00Z&end_time=2099-01-01T00:00:00Z'

export const auditLogs: Session = async ({ get, post, put, as, world }) => {
  const { first, second } = world.ours
  const { id } = await post('/labels', { name: 'one' })
  await post('/labels', { name: 'two', workspace_id: second.slug })
  await put(`/labels/${id}`, { name: 'three' })
  await as('user').post('/collections', { name: 'four' })
  await get(`/audit-logs?${EVER}`)
  const filters = [
    'method=PUT',
    'uri=/v2/labels',
    'request_id=none',
    'user_id=none',
    'user_type=user',
    'user_type=api_key',
    `workspace_id=${second.slug}`,
    `workspace_id=${first.id}`,
    'workspace_id=ws-none',
    'response_status_code=200',
    'response_status_code=404',
    'resource_type=collection',
    'action=labels.create',
    'client_ip=203.0.113.7',
    'client_ip=none',
    'country=de',
    'page_size=1&current_page=1',
  ]
  for (const filter of filters) await get(`/audit-logs?${EVER}&${filter}`)
  await get('/audit-logs?start_time=2099-01-01T00:00:00Z&end_time=2001-01-01T00:00:00Z')
  await get('/audit-logs?start_time=2001-02-31T00:00:00Z&end_time=2099-01-01T00:00:00Z')
  await get('/audit-logs?start_time=2098-01-01T00:00:00Z&end_time=2099-01-01T00:00:00Z')
  await as('service').get(`/audit-logs?${EVER}`)
  await as('their admin').get(`/audit-logs?${EVER}`)
}
