import type { Session } from '../recorder.ts'

export const collections: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const { second } = world.ours
  await get('/collections')
  const { id, slug } = await post('/collections', { name: 'Team blue: drafts' })
  await post('/collections', { name: '***' })
  const inner = await post('/collections', { name: 'Inner', parent_collection_id: slug })
  await post('/collections', { name: 'Lost', parent_collection_id: 'none' })
  await post('/collections', { name: 'Far', workspace_id: second.id })
  await post('/collections', { name: 'Far', workspace_id: second.id, parent_collection_id: id })
  await as('service').post('/collections', { name: 'Elsewhere', workspace_id: second.slug })
  await as('user').post('/collections', { name: 'Of a user' })

  await get(`/collections/${slug}`)
  await get(`/collections/${inner.id}`)
  await get(`/collections/${id}?workspace_id=ws-second`)
  await as('second service').get(`/collections/${id}`)

  await get('/collections?page_size=2')
  await get('/collections?page_size=2&current_page=1')
  await get('/collections?search=BLUE')
  await get('/collections?search=nothing')
  await as('second service').get('/collections')

  await put(`/collections/${slug}`, { name: 'Team red' })
  await put(`/collections/${slug}`, { name: 'Team red', workspace_id: second.slug })
  await get(`/collections/${slug}`)

  await remove(`/collections/${slug}`)
  await post('/prompts', { name: 'Held', string: 'Hello', parameters: {}, collection_id: inner.slug })
  await remove(`/collections/${inner.slug}`)
  const { data } = await get('/collections?search=default')
  const [first] = data as readonly { readonly slug: string }[]
  await remove(`/collections/${first?.slug}`)
  const { slug: empty } = await post('/collections', { name: 'Empty' })
  await remove(`/collections/${empty}`)
  await get(`/collections/${empty}`)
}
