import type { Session } from '../recorder.ts'

export const labels: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const { second, first } = world.ours
  await get('/labels')
  const { id } = await post('/labels', { name: 'checked', description: 'by people', color_code: '#3f9a1c' })
  await post('/labels', { name: 'checked' })
  await post('/labels', { name: 'bare', organisation_id: world.ours.organisationId, is_universal: false })
  await post('/labels', { name: 'bare', workspace_id: second.slug })
  await as('service').post('/labels', { name: 'of-a-service', workspace_id: first.id })
  await as('service').post('/labels', { name: 'elsewhere', workspace_id: second.id })
  await post('/labels', { name: 'elsewhere', workspace_id: 'ws-none' })
  await post('/labels', { name: 'elsewhere', organisation_id: world.theirs.organisationId })
  for (const name of ['latest', 'Default', '12']) await post('/labels', { name })
  await post('/labels', { name: 'everywhere', is_universal: true })

  await get(`/labels/${id}`)
  await get('/labels/checked')
  await get('/labels/production?workspace_id=ws-second')
  await as('user').get('/labels/checked')
  await as('second service').get('/labels/checked')
  await as('their admin').get(`/labels/${id}`)

  await get('/labels?page_size=2')
  await get('/labels?page_size=2&current_page=1')
  await get('/labels?pageSize=1&currentPage=9')
  await get('/labels?search=CHECK')
  await get('/labels?search=%25')
  await get('/labels?workspace_id=ws-second')
  await get('/labels?workspace_id=ws-none')

  await put('/labels/checked', { name: 'seen', description: null })
  await put('/labels/seen', { color_code: null })
  await put('/labels/seen', { name: 'bare' })
  await put('/labels/seen', { name: 'latest' })
  await put('/labels/seen', {})
  await put('/labels/production', { name: 'live' })
  await put('/labels/production', { description: 'what customers see' })
  await get('/labels/seen')

  await remove('/labels/production')
  await remove('/labels/seen')
  await remove('/labels/seen')
  await get('/labels/seen')
}
