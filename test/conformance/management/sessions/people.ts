import { addPerson } from '../../../../src/management/test-support/add-person.ts'
import type { Session } from '../recorder.ts'

/** The secret of the link of an invite. */
const tokenOf = ({ invite_link: link }: Readonly<Record<string, unknown>>): string =>
  new URL(String(link)).searchParams.get('invite') ?? ''

export const users: Session = async ({ get, put, delete: remove, as, world }) => {
  const { organisationId, userId, first } = world.ours
  const owner = await addPerson(world.db, { organisationId, email: 'owner@example.com', role: 'owner' })
  const person = await addPerson(world.db, { organisationId, email: 'person@example.com', workspaces: [first.id] })
  await get('/users')
  await get('/admin/users?pageSize=1&currentPage=1')
  await get('/users?role=owner')
  await get('/users?email=ANNA@example.com')
  await get('/users?status=inactive')
  await get(`/users/${userId}`)
  await get('/users/anna@example.com')
  await as('their admin').get(`/users/${userId}`)
  await as('service').get('/users')

  await put(`/users/${person}`, { role: 'admin', first_name: 'Per', last_name: 'Son' })
  await put(`/users/${person}`, { first_name: null })
  await put(`/users/${person}`, { userId: owner, role: 'member' })
  await put(`/users/${person}`, {})
  await put(`/users/${owner}`, { role: 'admin' })
  await put(`/users/${owner}`, { status: 'inactive' })
  await put(`/users/${person}`, { status: 'inactive' })
  await get(`/users/${person}`)
  await remove(`/users/${owner}`)
  await remove(`/users/${person}`)
  await remove(`/users/${person}`)
}

export const invites: Session = async ({ get, post, delete: remove, as, world }) => {
  const { first, second } = world.ours
  const invite = await post('/users/invites', {
    email: 'New@example.com',
    role: 'member',
    workspaces: [
      { id: first.slug, role: 'manager' },
      { id: second.id, role: 'member' },
    ],
    workspace_api_key_details: { scopes: ['completions.write'], name: 'Mine', metadata: { team: 'blue' } },
  })
  const { id } = invite
  await post('/users/invites', { email: 'new@example.com', role: 'admin' })
  await post('/users/invites', { email: 'anna@example.com', role: 'member', workspaces: [] })
  await post('/users/invites', { email: 'no address', role: 'member' })
  const other = { email: 'other@example.com', role: 'member' }
  const { id: cancelled } = await post('/users/invites', other)
  await post('/users/invites', { ...other, email: 'x@example.com', workspaces: [{ id: 'ws-none', role: 'member' }] })
  const twice = [first.id, first.slug].map((workspace) => ({ id: workspace, role: 'member' }))
  await post('/users/invites', { ...other, email: 'x@example.com', workspaces: twice })
  const keyed = { ...other, email: 'x@example.com', workspaces: [{ id: first.id, role: 'member' }] }
  await post('/users/invites', { ...keyed, workspace_api_key_details: { scopes: ['providers.create'] } })
  await post('/users/invites', { ...keyed, workspace_api_key_details: { scopes: ['nonsense'] } })
  await post('/users/invites', { ...other, workspace_api_key_details: { scopes: ['logs.view'] } })
  await as('service').post('/users/invites', other)

  await get('/users/invites')
  await get('/admin/users/invites?status=pending&pageSize=1')
  await get('/users/invites?status=expired')
  await get('/users/invites?email=NEW@example.com&role=member')
  await get(`/users/invites/${id}`)
  await as('their admin').get(`/users/invites/${id}`)
  await as('their admin').post(`/users/invites/${id}/resend`)

  const resent = await post(`/users/invites/${id}/resend`)
  await post('/invites/accept', { token: tokenOf(invite) })
  await post('/invites/accept', { token: tokenOf(resent), first_name: 'Nell', last_name: 'Ew' })
  await post('/invites/accept', { token: tokenOf(resent) })
  await post(`/users/invites/${id}/resend`)
  await get(`/users/invites/${id}`)
  await remove(`/users/invites/${id}`)
  await remove(`/users/invites/${cancelled}`)
  await get(`/users/invites/${cancelled}`)
}

export const members: Session = async ({ get, post, put, delete: remove, as, world }) => {
  const { organisationId, first, second, userId } = world.ours
  const path = `/workspaces/${first.slug}/users`
  const person = await addPerson(world.db, { organisationId, email: 'person@example.com' })
  await post(path, { users: [{ id: person, role: 'member' }] })
  await post(path, { users: [{ id: person, role: 'member' }] })
  await post(path, { users: [{ id: 'nobody@example.com', role: 'member' }] })
  await post(path, { users: [{ id: person, role: 'owner' }] })
  await post(path, { users: [] })
  const both = ['person@example.com', person].map((id) => ({ id, role: 'manager' }))
  await post(`/workspaces/${second.slug}/users`, { users: both })
  await post(`/admin/workspaces/${second.id}/users`, { workspaceId: second.id, users: both.slice(1) })
  await as('service').post(`/workspaces/${second.slug}/users`, { users: both })

  await get(path)
  await get(`${path}?role=member`)
  await get(`${path}?email=PERSON@example.com&page_size=1`)
  await get(`${path}/${userId}`)
  await as('user').get(`${path}/${person}`)
  await as('their admin').get(`${path}/${person}`)
  await as('second service').get(`${path}/${person}`)

  await put(`${path}/${person}`, { role: 'manager', userId: person })
  await put(`${path}/${person}`, { role: 'owner' })
  await put(`${path}/${person}`, { role: 'member', userId })
  await get(`${path}/${person}`)
  await remove(`${path}/${person}`)
  await remove(`${path}/${person}`)
  await remove(`/admin/workspaces/${second.slug}/users/${person}`)
}
