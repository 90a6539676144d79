import type { Session } from '../recorder.ts'

const BASE = '/scim/v2'

/** What a directory does, from its first look to the last of somebody; and the roles that its groups give. */
export const scim: Session = async ({ get, post, put, patch, delete: remove, as, world }) => {
  const { first, second } = world.ours
  await get(`${BASE}/ServiceProviderConfig`)
  await get(`${BASE}/ResourceTypes`)
  await get(`${BASE}/ResourceTypes/User`)
  await get(`${BASE}/Schemas`)
  await get(`${BASE}/Schemas/urn:ietf:params:scim:schemas:core:2.0:Group`)

  const user = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'Ann@Ours.example',
    externalId: 'directory-1',
    name: { givenName: 'Ann', familyName: 'Lee', formatted: 'Ann Lee' },
    phoneNumbers: [{ value: '+1' }],
    active: true,
  }
  const { id } = await post(`${BASE}/Users`, user)
  await post(`${BASE}/Users`, user)
  await post(`${BASE}/Users`, { userName: 'no address' })
  await get(`${BASE}/Users/${id}`)
  await get(`${BASE}/Users/${id}?attributes=userName,emails.value`)
  await get(`${BASE}/Users/${id}?excludedAttributes=emails,meta`)
  await get(`${BASE}/Users?filter=userName eq "ann@ours.example"`)
  await get(`${BASE}/Users?filter=userName like "ann"`)
  await get(`${BASE}/Users?count=0`)
  await put(`${BASE}/Users/${id}`, { ...user, name: { givenName: 'Anna' } })
  await patch(`${BASE}/Users/${id}`, { Operations: [{ op: 'Replace', path: 'name.familyName', value: 'Li' }] })
  await patch(`${BASE}/Users/${id}`, { Operations: [{ op: 'Replace', path: 'nonsense', value: 'x' }] })
  await as('their admin').get(`${BASE}/Users/${id}`)
  await as('service').get(`${BASE}/Users`)

  const group = await post(`${BASE}/Groups`, { displayName: 'Engineers', members: [{ value: id }] })
  await post(`${BASE}/Groups`, { displayName: 'Engineers' })
  await get(`${BASE}/Groups/${group.id}`)
  await get(`${BASE}/Groups?excludedAttributes=members`)
  await post(`${BASE}/.search`, { filter: 'meta.resourceType eq "Group" or active eq true' })
  await post(`${BASE}/Users/.search`, { sortBy: 'userName', sortOrder: 'descending', attributes: ['userName'] })
  await post(`${BASE}/Groups/.search`, { filter: `members eq "${id}"`, attributes: ['displayName'] })

  await get('/scim/workspaces')
  const mapping = await post('/scim/workspaces', {
    workspace_id: first.slug,
    role: 'manager',
    scim_group_name: 'Engineers',
  })
  await post('/scim/workspaces', { workspace_id: first.id, role: 'admin', scim_group_name: 'Engineers' })
  await post('/scim/workspaces', { workspace_id: second.id, role: 'member', scim_group_id: group.id })
  await post('/scim/workspaces', { workspace_id: second.id, role: 'member' })
  await get(`/scim/workspaces?workspace_id=${second.slug}`)
  await get('/scim/workspaces?scim_group_name=Engineers')

  await patch(`${BASE}/Groups/${group.id}`, { Operations: [{ op: 'add', path: 'members', value: [{ value: id }] }] })
  await patch(`${BASE}/Groups/${group.id}?attributes=displayName`, {
    Operations: [{ op: 'remove', path: `members[value eq "${id}"]` }],
  })
  await put(`${BASE}/Groups/${group.id}`, { displayName: 'Builders', members: [{ value: id }] })
  await remove(`/scim/workspaces/${mapping.id}`)
  await remove(`/scim/workspaces/${mapping.id}`)
  await remove(`${BASE}/Groups/${group.id}`)
  await patch(`${BASE}/Users/${id}`, { Operations: [{ op: 'replace', value: { active: false } }] })
  await remove(`${BASE}/Users/${id}`)
  await get(`${BASE}/Users/${id}`)
}
