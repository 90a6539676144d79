import type { Session } from '../recorder.ts'

export const alerts: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const { second } = world.ours
  const url = 'https://hooks.example.com/weir'
  await get('/alerts')
  await get('/alerts?kind=everything')
  await get('/alerts/webhooks')
  const { id } = await post('/alerts/webhooks', { url, secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3' })
  await post('/alerts/webhooks', {})
  await post('/alerts/webhooks', { url: 'hooks.example.com' })
  await post('/alerts/webhooks', { url, secret: 'a secret' })
  await post('/alerts/webhooks', { url, kinds: ['everything'] })
  await post('/alerts/webhooks', { url, workspace_id: 'ws-none' })
  await as('service').post('/alerts/webhooks', { url, workspace_id: second.id })
  await as('user').post('/alerts/webhooks', { url })

  await get(`/alerts/webhooks/${id}`)
  await as('second service').get(`/alerts/webhooks/${id}`)
  await as('their admin').get(`/alerts/webhooks/${id}`)
  await put(`/alerts/webhooks/${id}`, { name: 'people', kinds: ['budget.exhausted', 'api_key.rotated'] })
  await put(`/alerts/webhooks/${id}`, { kinds: null, is_enabled: false })
  await put(`/alerts/webhooks/${id}`, {})
  await get('/alerts/webhooks?page_size=1')

  await post(`/alerts/webhooks/${id}/test`, {})
  await get('/alerts?kind=test')
  await as('second service').get('/alerts')
  await remove(`/alerts/webhooks/${id}`)
  await remove(`/alerts/webhooks/${id}`)
  await post(`/alerts/webhooks/${id}/test`, {})
  await get('/alerts')
}
