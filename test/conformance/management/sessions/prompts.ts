import type { Session } from '../recorder.ts'
import { LISTED_MODEL } from '../routes-under-test.ts'

const MESSAGES = JSON.stringify([{ role: 'user', content: 'Tell {{name}} about {{topic}}.' }])

const WHOLE = {
  string: MESSAGES,
  parameters: { temperature: 0.5, max_tokens: 100, stream: true },
  model: LISTED_MODEL,
  functions: [{ name: 'look_up', parameters: { type: 'object', properties: {} } }],
  tools: [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } }],
  tool_choice: 'auto',
  version_description: 'made by a test',
  template_metadata: { editor: 'test' },
  is_raw_template: 0,
  variables_schema: { type: 'object', properties: { name: { type: 'string' } } },
  strict: true,
}

export const prompts: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const { second } = world.ours
  const collection = await post('/collections', { name: 'Drafts' })
  await post('/virtual-keys', { name: 'Team', slug: 'team', provider: 'openai', key: 'sk-of-the-session-0123456789' })
  await get('/prompts')
  const made = await post('/prompts', {
    name: 'About topics',
    ...WHOLE,
    virtual_key: '@team',
    collection_id: collection.slug,
  })
  const { slug, id, version_id: version } = made
  const bare = { name: 'Bare', string: 'Hello', parameters: {} }
  const { slug: other } = await post('/prompts', bare)
  await post('/prompts', { ...bare, string: '{{#open}}' })
  await post('/prompts', { ...bare, string: '[{"role":"user"' })
  await post('/prompts', { ...bare, virtual_key: 'none' })
  await post('/prompts', { ...bare, collection_id: 'none' })
  await post('/prompts', { ...bare, variables_schema: { type: 'nonsense' } })
  await post('/prompts', { ...bare, workspace_id: second.slug })
  await post('/prompts', { ...bare, workspace_id: 'ws-none' })
  await as('service').post('/prompts', { ...bare, workspace_id: second.slug })

  await get(`/prompts/${slug}`)
  await get(`/prompts/${id}@1`)
  await get(`/prompts/${slug}@latest`)
  await get(`/prompts/${slug}@9`)
  await get(`/prompts/${slug}@production`)
  await get(`/prompts/${slug}@`)
  await as('second service').get(`/prompts/${slug}`)

  await put(`/prompts/${slug}`, { string: 'Hello', parameters: {} })
  await put(`/prompts/${slug}`, { string: 'Hello {{name}}', patch: true })
  await put(`/prompts/${slug}`, { ...WHOLE, virtual_key: null, is_raw_template: true })
  await put(`/prompts/${slug}`, { version_description: 'nothing else', patch: true })
  await put(`/prompts/${slug}`, { name: 'Renamed', status: 'archived' })
  await put(`/prompts/${slug}`, { status: 'active', collection_id: collection.id })
  await put(`/prompts/${slug}`, { collection_id: 'none' })
  await put(`/prompts/${slug}`, { string: '{{', patch: true })
  await put(`/prompts/${slug}`, { virtual_key: 'none', patch: true })
  await put(`/prompts/${slug}`, { variables_schema: { type: 5 }, patch: true })
  await put(`/prompts/${slug}`, {})
  await put(`/prompts/${slug}?workspace_id=ws-second`, { name: 'Elsewhere' })
  await get(`/prompts/${slug}@latest`)

  await get('/prompts?page_size=1&current_page=1')
  await get(`/prompts?collection_id=${collection.slug}`)
  await get('/prompts?collection_id=none')
  await get('/prompts?search=RENAME')
  await get('/prompts?label=production')
  await get('/prompts?label=none')
  await as('user').get('/prompts?workspace_id=ws-default')

  await get(`/prompts/${slug}/versions`)
  await get(`/prompts/${slug}/versions?page_size=1&current_page=1`)
  await get(`/prompts/${slug}/versions/${version}`)
  await get(`/prompts/${slug}/versions/2`)
  await get(`/prompts/${slug}/versions/9`)
  await get(`/prompts/${other}/versions/${version}`)

  const { id: label } = await post('/labels', { name: 'checked' })
  await put(`/prompts/${slug}/versions/2`, { label_id: 'production' })
  await put(`/prompts/${slug}/versions/${version}`, { label_id: label })
  await put(`/prompts/${slug}/versions/${version}`, { label_id: 'production' })
  await put(`/prompts/${slug}/versions/1`, { label_id: 'none' })
  await put(`/prompts/${slug}/versions/9`, { label_id: label })
  await get(`/prompts/${slug}@production`)
  await get(`/prompts/${slug}/versions/1`)
  await get('/prompts?label=checked')
  await get(`/prompts/${slug}/versions?page_size=2`)
  await put(`/prompts/${slug}/versions/1`, { label_id: null })
  await get(`/prompts/${slug}@checked`)

  await put(`/prompts/${slug}/makeDefault`, { version: 2 })
  await put(`/prompts/${slug}/makeDefault`, { version: 99 })
  await get(`/prompts/${slug}`)
  await get('/prompts?search=renamed')

  await as('second service').delete(`/prompts/${slug}`)
  await remove(`/prompts/${slug}`)
  await remove(`/prompts/${slug}`)
  await get(`/prompts/${slug}/versions`)
}

export const promptPartials: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const { first, second } = world.ours
  await get('/prompts/partials')
  const { slug, id } = await post('/prompts/partials', {
    name: 'House rules',
    string: 'Answer {{#formal}}formally{{/formal}}, {{name}}.',
    version_description: 'made by a test',
  })
  await post('/prompts/partials', { name: 'Empty', string: '' })
  await post('/prompts/partials', { name: 'Wrong', string: '{{#open}}\n{{/other}}' })
  await post('/prompts/partials', { name: 'There', string: 'text', workspace_id: second.slug })
  await post('/prompts/partials', { name: 'There', string: 'text', workspace_id: 'ws-none' })
  await as('service').post('/prompts/partials', { name: 'There', string: 'text', workspace_id: second.id })

  await get(`/prompts/partials/${slug}`)
  await get(`/prompts/partials/${id}?version=1`)
  await get(`/prompts/partials/${slug}?version=latest`)
  await get(`/prompts/partials/${slug}?version=9`)
  await get(`/prompts/partials/${slug}?workspace_id=ws-second`)
  await as('second service').get(`/prompts/partials/${slug}`)

  await put(`/prompts/partials/${slug}`, { string: 'Answer shortly.', description: 'shorter' })
  await put(`/prompts/partials/${slug}`, { version_description: 'said again' })
  await put(`/prompts/partials/${slug}`, { description: 'a', version_description: 'b' })
  await put(`/prompts/partials/${slug}`, { name: 'Rules', status: 'archived' })
  await put(`/prompts/partials/${slug}`, { status: 'active', workspace_id: first.slug })
  await put(`/prompts/partials/${slug}`, { string: '{{' })
  await put(`/prompts/partials/${slug}`, {})
  await put(`/prompts/partials/${slug}`, { name: 'Elsewhere', workspace_id: second.id })
  await get(`/prompts/partials/${slug}`)

  await get('/prompts/partials?page_size=1&current_page=1')
  await get('/prompts/partials?search=RULES&collection_id=any')
  await get('/prompts/partials?search=nothing')
  await as('user').get('/prompts/partials')

  await get(`/prompts/partials/${slug}/versions`)
  await get(`/prompts/partials/${slug}/versions?page_size=1&current_page=1`)
  await put(`/prompts/partials/${slug}/makeDefault`, { version: 2 })
  await put(`/prompts/partials/${slug}/makeDefault`, { version: 99 })
  await put(`/prompts/partials/${slug}/makeDefault`, { version: 3, workspace_id: first.id })
  await get(`/prompts/partials/${slug}`)
  await get(`/prompts/partials/${slug}/versions?page_size=2`)

  await post('/prompts', { name: 'Uses it', string: `{{>${slug}}}`, parameters: {} })
  await as('second service').delete(`/prompts/partials/${slug}`)
  await remove(`/prompts/partials/${slug}`)
  await remove(`/prompts/partials/${slug}`)
  await get(`/prompts/partials/${slug}/versions`)
}
