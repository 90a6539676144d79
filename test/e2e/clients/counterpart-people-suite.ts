import { expect, test } from 'bun:test'
import { ADMIN_KEY } from '../management/support/scene.ts'
import { type CounterpartScene, clientOfToday } from './support/counterpart.ts'

/** How people are managed with the counterpart's current client: `admin.users`, `admin.users.invites`, `admin.workspaces.users`. */
export const counterpartPeopleSuite = (open: () => CounterpartScene): void => {
  test('the client of the counterpart invites people, makes them members, changes and removes them', async () => {
    const { gateway } = open()
    const client = () => clientOfToday(gateway, { apiKey: ADMIN_KEY }).admin
    const email = 'someone@example.com'
    const made = await client().users.invites.create({
      email,
      role: 'member',
      workspaces: [{ id: 'ws-default', role: 'member' }],
      workspace_api_key_details: { scopes: ['logs.view'] },
    })
    const inviteId = made.id ?? ''
    expect(await client().users.invites.retrieve({ inviteId })).toMatchObject({
      email,
      status: 'pending',
      role: 'member',
    })
    expect(await client().users.invites.list({ status: 'pending', pageSize: 10, email })).toMatchObject({ total: 1 })
    const { invite_link: link } = await client().users.invites.resend({ inviteId })
    const token = new URL(String(link)).searchParams.get('invite')
    const accepted = await fetch(`${gateway.url}/v2/invites/accept`, {
      method: 'POST',
      body: JSON.stringify({ token }),
    })
    expect(accepted.status).toBe(200)
    const { data: [user] = [] } = await client().users.list({ email, pageSize: 10, currentPage: 0 })
    const userId = user?.id ?? ''
    expect(await client().users.retrieve({ userId })).toMatchObject({ email, role: 'member', object: 'user' })
    await client().users.update({ userId, role: 'admin' })
    expect(await client().users.retrieve({ userId })).toMatchObject({ role: 'admin' })

    const { slug: workspaceId = '' } = await client().workspaces.create({ name: 'people', users: [userId] })
    expect(await client().workspaces.users.list({ workspaceId, role: 'member' })).toMatchObject({ total: 1 })
    await client().workspaces.users.update({ workspaceId, userId, role: 'manager' })
    expect(await client().workspaces.users.retrieve({ workspaceId, userId })).toMatchObject({
      role: 'manager',
      org_role: 'admin',
      status: 'active',
    })
    await client().workspaces.users.delete({ workspaceId, userId })
    await client().workspaces.users.create({ workspaceId, users: [{ id: userId, role: 'member' }] })
    await client().users.delete({ userId })
    expect(await client().users.list({ email })).toMatchObject({ total: 0 })
    const other = await client().users.invites.create({ email, role: 'member', workspaces: [] })
    await client().users.invites.delete({ inviteId: other.id ?? '' })
    expect(await client().users.invites.list({ status: 'cancelled', email })).toMatchObject({ total: 1 })
  })
}
