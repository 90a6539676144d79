import type { Session } from '../recorder.ts'

/** There is nothing in the store: what rows look like is tested beside the routes. */
export const logs: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const { second } = world.ours
  await get('/logs')
  await get(`/logs?workspace_slug=${second.slug}&search=words`)
  await get('/logs?workspace_slug=ws-none')
  await get('/logs?limit=0')
  await get('/logs?cursor=nonsense')
  await get('/logs?time_of_generation_min=2001-01-01T00:00:00Z')
  await get('/logs?cost_min=2&cost_max=1.5')
  await as('user').get('/logs')
  await get('/logs/stream')
  await get('/logs/stream?time_of_generation_min=2001-01-01T00:00:00Z')
  const wanted = { filters: { status_code: '200' }, requested_data: ['id', 'metadata'] }
  const { id } = await post('/logs/exports', wanted)
  await post('/logs/exports', { ...wanted, filters: { page_size: 100_000 } })
  await post('/logs/exports', { ...wanted, requested_data: ['id', 'id'] })
  await post('/logs/exports', { ...wanted, requested_data: ['colour'] })
  await post('/logs/exports', { ...wanted, filters: { total_units_min: 2, total_units_max: 1 } })
  await put(`/logs/exports/${id}`, { format: 'csv' })
  await get(`/logs/exports/${id}`)
  await get('/logs/exports')
  await get(`/logs/exports/${id}/download`)
  await post(`/logs/exports/${id}/cancel`, {})
  await post(`/logs/exports/${id}/start`, {})
  await put(`/logs/exports/${id}`, { format: 'jsonl' })
  await post(`/logs/exports/${id}/cancel`, {})
  await as('their admin').get(`/logs/exports/${id}`)
  await remove(`/logs/exports/${id}`)
  await get(`/logs/exports/${id}/file?expires=1&signature=nonsense`)
}
