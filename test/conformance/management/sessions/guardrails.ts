import type { Desk, Session } from '../recorder.ts'

const CHECKS = [{ id: 'acme.noWords', parameters: { words: ['secret'] } }]
const ACTIONS = { deny: true, stream_mode: 'window', on_success: null, on_fail: { feedback: { value: -2 } } }
const SERVER = '0198c5d2-0000-7000-8000-0000000000aa'

/** What both groups of routes do alike. */
const life = async ({ get, post, put, delete: remove }: Desk, root: string) => {
  const path = `${root}/guardrails`
  await get(path)
  const { slug, id } = await post(path, { name: 'No secrets', checks: CHECKS, actions: ACTIONS })
  await get(`${path}/${slug}`)
  await get(`${path}/${String(id).toUpperCase()}`)
  const { slug: usual } = await post(path, { name: '…', checks: CHECKS })
  await get(`${path}/${usual}`)
  const { slug: tools } = await post(path, { name: 'Of tools', target: 'mcp_tools' })
  await get(`${path}?page_size=1&current_page=1`)

  await post(path, { name: 'Wrong' })
  await post(path, { name: 'Wrong', checks: [] })
  await post(path, { name: 'Wrong', checks: [{ id: 'acme.noWord', parameters: { words: ['a'] } }] })
  await post(path, { name: 'Wrong', checks: [{ id: 'nothing' }] })
  await post(path, {
    name: 'Wrong',
    checks: [
      { id: 'acme.noWords', parameters: { words: [''], operator: 'some', nonsense: 1 } },
      { id: 'acme.evenNumber', parameters: { number: 3 }, is_enabled: false },
    ],
  })
  await post(path, { name: 'Wrong', checks: CHECKS, actions: { deny: 'yes', stream_window: 0, on_fail: {} } })

  await put(`${path}/${slug}`, { name: 'Renamed' })
  await put(`${path}/${slug}`, { actions: { async: true } })
  await put(`${path}/${slug}`, { checks: [{ id: 'acme.evenNumber', parameters: { number: 4 }, name: 'even' }] })
  await put(`${path}/${slug}`, { checks: [{ id: 'acme.evenNumber', parameters: { number: 5 } }] })
  await put(`${path}/${slug}`, {})
  await get(`${path}/${slug}`)

  await post(`${path}/${usual}/evaluate`, { text: 'a secret' })
  await post(`${path}/${usual}/evaluate`, { text: 'nothing', stage: 'output' })
  await post(`${path}/${usual}/evaluate`, {})
  await post(`${path}/${usual}/evaluate`, { text: 'a', request: { body: {} } })
  await post(`${path}/${usual}/evaluate`, { text: 'a', response: {} })
  await post(`${path}/${usual}/evaluate`, { stage: 'input', request: { body: {} } })
  await post(`${path}/${usual}/evaluate`, { request: { body: {}, headers: { 'bad name': 'a' } } })
  await post(`${path}/${usual}/evaluate`, { request: { body: {}, path: '/v1/nothing' } })

  await get(`${path}/${tools}/mcp-servers`)
  await put(`${path}/${tools}/mcp-servers`, { mcp_servers: { [SERVER]: {}, [String(id)]: { run_on: ['output'] } } })
  await put(`${path}/${tools}/mcp-servers`, {
    mcp_servers: { [SERVER]: { run_on: ['output', 'input'], mcp_integration_capability_ids: [SERVER] } },
  })
  await put(`${path}/${tools}/mcp-servers/${SERVER}`, { run_on: ['input'] })
  await put(`${path}/${tools}/mcp-servers/${SERVER}`)
  await put(`${path}/${tools}/mcp-servers`, { mcp_servers: { [SERVER]: {} } })
  await put(`${path}/${tools}/mcp-servers`, { mcp_servers: { [SERVER]: {}, [SERVER.toUpperCase()]: {} } })
  await put(`${path}/${tools}/mcp-servers`, { mcp_servers: { nonsense: {} } })
  await put(`${path}/${slug}/mcp-servers`, { mcp_servers: { [SERVER]: {} } })
  await put(`${path}/${slug}/mcp-servers/${SERVER}`, {})
  await get(`${path}/${tools}/mcp-servers`)
  await get(`${path}/${tools}`)
  await remove(`${path}/${tools}`)
  return { slug: String(slug), usual: String(usual), id: String(id) }
}

export const guardrails: Session = async (desk) => {
  const { get, post, put, delete: remove, as, world } = desk
  const { slug, id } = await life(desk, '')
  const { slug: there } = await post('/guardrails', { name: 'There', checks: CHECKS, workspace_id: 'ws-second' })
  await get(`/guardrails/${there}`)
  await get(`/guardrails/${there}?workspace_id=ws-second`)
  await put(`/guardrails/${there}`, { name: 'Yonder', workspace_id: world.ours.second.id })
  await post('/guardrails', { name: 'There', checks: CHECKS, workspace_id: 'ws-none' })
  await post('/guardrails', { name: 'There', checks: CHECKS, organisation_id: world.theirs.organisationId })
  await as('service').post('/guardrails', { name: 'There', checks: CHECKS, workspace_id: 'ws-second' })
  await as('user').post('/guardrails', { name: 'Of a user', checks: CHECKS })
  await as('user').get('/guardrails')
  await as('second service').get(`/guardrails/${slug}`)
  await as('second service').get('/guardrails')

  await put('/workspaces/ws-default', { defaults: { input_guardrails: [slug], output_guardrails: [] } })
  await put(`/guardrails/${slug}`, { status: 'archived' })
  await remove(`/guardrails/${slug}`)
  await put('/workspaces/ws-default', { defaults: null })
  await post('/configs', { name: 'Guarded', config: { provider: 'openai', input_guardrails: [id] } })
  await remove(`/guardrails/${slug}`)
  await put(`/guardrails/${slug}`, { status: 'archived' })
  await remove(`/guardrails/${there}?workspace_id=ws-second`)
}

export const organisationGuardrails: Session = async (desk) => {
  const { get, post, put, delete: remove, as } = desk
  const { slug, usual, id } = await life(desk, '/admin/v2')
  const { slug: own } = await post('/guardrails', { name: 'Own', checks: CHECKS })
  const { slug: tools } = await post('/admin/v2/guardrails', { name: 'Of tools', target: 'mcp_tools' })
  await get(`/guardrails/${slug}`)
  await get(`/admin/v2/guardrails/${own}`)
  await get(`/admin/v2/guardrails/${own}?workspace_id=ws-default`)
  await get('/admin/v2/guardrails?workspace_id=ws-default')
  await as('service').get('/admin/v2/guardrails')
  await as('their admin').get(`/admin/v2/guardrails/${slug}`)

  await get('/organisation/defaults')
  await put('/organisation/defaults', { input_guardrails: [usual, id], output_guardrails: [slug, slug] })
  await put('/organisation/defaults', { output_guardrails: null })
  await put('/organisation/defaults', { input_guardrails: [slug, own] })
  await put('/organisation/defaults', { input_guardrails: [tools] })
  await put('/organisation/defaults', {})
  await put('/workspaces/ws-default', { defaults: { input_guardrails: [own, slug], output_guardrails: [tools] } })
  await put('/workspaces/ws-default', { defaults: { input_guardrails: [own, slug], metadata: { team: 'blue' } } })
  await put('/workspaces/ws-second', { defaults: { output_guardrails: [own] } })
  await post('/workspaces', { name: 'New', defaults: { output_guardrails: [slug] } })
  await get('/workspaces')
  await get('/organisation/defaults')
  await remove(`/admin/v2/guardrails/${slug}`)
  await put('/workspaces/ws-default', { defaults: { metadata: {} } })
  await put('/workspaces/ws-default', { defaults: { input_guardrails: null } })

  for (const stage of ['input', 'output']) {
    const path = `/workspace-exclusions/${stage}-guardrails`
    await get(path)
    await put(path, { workspaces: [{ workspace_id: 'ws-second', excluded: true }] })
    await put(path, { workspaces: [{ workspace_id: 'ws-default', excluded: true }] })
    await put(path, { workspaces: [{ workspace_id: 'ws-default', excluded: false }], override_existing: true })
    await put(path, { workspaces: [{ workspace_id: 'ws-none', excluded: true }] })
    await put(path, {
      workspaces: [
        { workspace_id: 'ws-default', excluded: true },
        { workspace_id: desk.world.ours.first.id, excluded: false },
      ],
    })
    await get(path)
  }
}
