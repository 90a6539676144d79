import type { Session } from '../recorder.ts'

export const configs: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const { first, second } = world.ours
  const config = {
    strategy: { mode: 'fallback' },
    retry: { attempts: 2 },
    targets: [{ provider: 'openai', api_key: 'sk-of-the-session-0123456789' }, { virtual_key: 'any' }],
  }
  await get('/configs')
  const { slug, id, version_id: version } = await post('/configs', { name: 'Main fallback', config })
  await post('/configs', { name: 'Text', config: JSON.stringify({ provider: 'openai', cache: { mode: 'simple' } }) })
  await post('/configs', {
    name: 'Older',
    config: { mode: 'single', options: [{ provider: 'openai', apiKey: 'sk-0123456789abcdef' }] },
  })
  await post('/configs', { name: 'Wrong', config: '{"a":' })
  await post('/configs', { name: 'Wrong', config: '[]' })
  await post('/configs', { name: 'Wrong', config: { strategy: { mode: 'nonsense' }, targets: [] } })
  await post('/configs', { name: 'Wrong', config: { provider: 'openai', api_key: 'sk*****789' } })
  await post('/configs', { name: 'Wrong', config: { provider: 'openai', nonsense: 1 } })
  const { slug: usual } = await post('/configs', { name: 'Usual', config: { provider: 'openai' }, isDefault: true })
  await post('/configs', { name: 'Two words', config: { provider: 'openai' }, isDefault: true, is_default: 0 })
  await post('/configs', { name: 'There', config: { provider: 'openai' }, workspace_id: second.slug, is_default: 1 })
  await post('/configs', { name: 'There', config: { provider: 'openai' }, workspace_id: 'ws-none' })
  await as('service').post('/configs', { name: 'There', config: { provider: 'openai' }, workspace_id: second.id })
  await as('user').post('/configs', { name: 'Of a user', config: { provider: 'openai' } })

  await get(`/configs/${slug}`)
  await get(`/configs/${String(id).toUpperCase()}`)
  await get(`/configs/${slug}?workspace_id=ws-second`)
  await as('second service').get(`/configs/${slug}`)
  await get('/configs?page_size=2')
  await get('/configs?page_size=2&current_page=1')
  await get('/configs?workspace_id=ws-second')
  await as('user').get('/configs')

  await put(`/configs/${slug}`, { name: 'Renamed', slug: String(slug) })
  await put(`/configs/${slug}`, { name: 'Renamed', slug: String(usual) })
  const masked = { ...config, targets: [{ virtual_key: 'any' }, { provider: 'openai', api_key: 'sk*****89' }] }
  await put(`/configs/${slug}`, { config: masked })
  await put(`/configs/${slug}`, {
    config: { provider: 'openai', api_key: 'sk*****89', custom_host: 'https://b.example' },
  })
  await put(`/configs/${slug}`, { config: { provider: 'openai', api_key: 'xx*****xx' } })
  await put(`/configs/${slug}`, {
    config: JSON.stringify({ mode: 'single', options: [{ provider: 'openai' }] }),
    is_default: 1,
  })
  await put(`/configs/${slug}`, { status: 'archived' })
  await put(`/configs/${slug}`, { status: 'archived', isDefault: false, workspace_id: first.id })
  await put(`/configs/${slug}`, { isDefault: true })
  await put(`/configs/${slug}`, { status: 'active' })
  await put(`/configs/${slug}`, {})
  await put(`/configs/${slug}?workspace_id=ws-second`, { name: 'Elsewhere' })
  await get(`/configs/${slug}`)

  await get(`/configs/${slug}/versions`)
  await get(`/configs/${slug}/versions?page_size=1&current_page=1`)
  await get(`/configs/${slug}/versions/${version}`)
  await get(`/configs/${slug}/versions/1`)
  await get(`/configs/${usual}/versions/${version}`)
  await as('second service').get(`/configs/${slug}/versions`)

  await post('/configs/evaluate', {
    config,
    headers: { 'x-gateway-metadata': '{"team":"blue"}' },
    body: { model: 'm' },
  })
  await post('/configs/evaluate', { config: slug, headers: { 'x-gateway-config': 'pc' } })
  await post('/configs/evaluate', { headers: { 'bad name': 'a' } })
  await post('/configs/evaluate', { api_key_id: '0198c5d2-0000-7000-8000-0000000000ff' })
  await post('/configs/evaluate', { workspace_id: 'ws-none' })

  await put(`/configs/${usual}`, { isDefault: true })
  await remove(`/configs/${usual}`)
  await post('/api-keys/service', { name: 'Taker', scopes: ['logs.view'], defaults: { config_id: usual } })
  await put(`/configs/${usual}`, { isDefault: false })
  await put(`/configs/${usual}`, { status: 'archived' })
  await remove(`/configs/${usual}`)
  await remove(`/configs/${slug}`)
  await remove(`/configs/${slug}`)
  await get(`/configs/${slug}/versions`)
}
