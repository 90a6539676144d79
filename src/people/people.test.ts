import { beforeAll, expect, test } from 'bun:test'
import {
  ManagementConflict,
  ManagementForbidden,
  ManagementInvalid,
  ManagementNotFound,
} from '../errors/gateway-error.ts'
import { createApiKey } from '../store/key-material.ts'
import { createPeopleSnapshot } from '../store/memory/people-snapshot.ts'
import { apiKeyRows, revokeApiKeys } from '../store/objects/api-keys.ts'
import { inviteRows } from '../store/objects/invites.ts'
import { createOrganisation } from '../store/objects/tenancy.ts'
import { type User, userRows } from '../store/objects/users.ts'
import { findMember, membershipsOf } from '../store/objects/workspace-members.ts'
import { createWorkspace, type Workspace } from '../store/objects/workspaces.ts'
import { type OrganisationRole, sessions } from '../store/schema/people.ts'
import { WORKSPACE_USER_SCOPES } from '../store/scopes.ts'
import { describeOnBothStores, rejection } from '../store/testing.ts'
import type { Db } from '../store/types.ts'
import { actorOfUser } from './actor-of-user.ts'
import { acceptInvite, createInvite, INVITE_LIFETIME_MS, resendInvite } from './invites.ts'
import { changeMember, joinWorkspace, leaveWorkspace } from './members.ts'
import { keyScopesOf } from './roles.ts'
import { changeUser, createUser, holdPeople, removeUser } from './users.ts'

const ALL = { offset: 0, limit: 100 }

describeOnBothStores('people', (store) => {
  let organisationId = ''
  let workspace: Workspace
  let other: Workspace
  let count = 0

  const inTransaction = <Result>(work: (db: Db) => Promise<Result>): Promise<Result> => store().db.transaction(work)
  const newOrganisation = async (): Promise<void> => {
    organisationId = (await createOrganisation(store().db, { name: 'o' })).id
    workspace = await createWorkspace(store().db, { organisationId, name: 'one', slug: 'ws-one' })
    other = await createWorkspace(store().db, { organisationId, name: 'two', slug: 'ws-two' })
  }
  const create = (role: OrganisationRole, email = `p${++count}@example.com`): Promise<User> =>
    inTransaction((db) => createUser(db, { organisationId, email, role, source: 'invite' }))
  const giveKey = async (
    user: User,
    { id: workspaceId }: Workspace,
    scopes: readonly string[] = WORKSPACE_USER_SCOPES,
  ) => {
    const { publicId, hash, masked: maskedKey } = createApiKey()
    const owner = { organisationId, workspaceId, userId: user.id, kind: 'workspace-user' as const }
    return (
      await apiKeyRows.insert(store().db, { ...owner, publicId, hash, maskedKey, name: 'k', scopes: [...scopes] })
    ).id
  }
  const scopesOf = async (id: string): Promise<readonly string[] | undefined> =>
    (await apiKeyRows.find(store().db, { organisationId, reference: id }))?.scopes

  beforeAll(newOrganisation)

  test('an address is kept in lower case, once in an organisation, and in no odd form', async () => {
    expect(await create('member', 'Anna.B+x@Example.COM')).toMatchObject({
      email: 'anna.b+x@example.com',
      userName: 'anna.b+x@example.com',
      status: 'active',
    })
    expect(await rejection(create('member', 'anna.b+x@example.com'))).toBeInstanceOf(ManagementConflict)
    for (const odd of [
      '',
      'anna',
      'anna@',
      '@example.com',
      'a@b@example.com',
      'anna @example.com',
      'anna@example.com\n',
      'anna\u0000@example.com',
      'ａnna@example.com',
      'anna＠example.com',
      'аnna@example.com', // the first letter is Cyrillic
      'anna@exämple.com',
      'anna\u202e@example.com',
      '"anna"@example.com',
      `${'a'.repeat(65)}@example.com`,
      `a@${'b.'.repeat(200)}com`,
      'a'.repeat(1_000_000),
    ]) {
      expect(await rejection(create('member', odd))).toBeInstanceOf(ManagementInvalid)
    }
  })

  test('one address created twice at once is there once', async () => {
    const results = await Promise.allSettled([1, 2].map(() => create('member', 'twice@example.com')))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await userRows.list(store().db, { organisationId, email: 'TWICE@example.com' }, ALL)).total).toBe(1)
  })

  test('the last owner stays, also where two go at the same time', async () => {
    await newOrganisation()
    const [one, two] = [await create('owner'), await create('owner')]
    await create('owner').then((user) => inTransaction((db) => changeUser(db, user, { status: 'inactive' })))
    const ways = [
      (db: Db, user: User) => changeUser(db, user, { role: 'admin' }),
      (db: Db, user: User) => removeUser(db, user),
    ]
    const results = await Promise.allSettled(
      [one, two].map((user, index) => inTransaction(async (db) => ways[index]?.(db, user))),
    )
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const { rows } = await userRows.list(store().db, { organisationId, role: 'owner', status: 'active' }, ALL)
    const [last] = rows
    expect(rows).toHaveLength(1)
    for (const way of [...ways, (db: Db, user: User) => changeUser(db, user, { status: 'inactive' })]) {
      const thrown = await rejection(inTransaction(async (db) => last && way(db, last)))
      expect(thrown).toBeInstanceOf(ManagementConflict)
    }
  })

  test('who is removed or inactive has no key, session, invite or membership left', async () => {
    await newOrganisation()
    for (const way of ['remove', 'deactivate'] as const) {
      const user = await create('admin')
      const stays = await create('member')
      await inTransaction((db) => joinWorkspace(db, { user, workspace, role: 'member' }))
      const keys = [await giveKey(user, workspace), await giveKey(user, other)]
      const foreign = await giveKey(stays, workspace)
      const later = { tokenHash: user.id, endsAt: new Date(Date.now() + 1e6), id: crypto.randomUUID() }
      await store()
        .db.insert(sessions)
        .values({ organisationId, userId: user.id, ...later })
      const invite = {
        organisationId,
        role: 'admin',
        workspaces: [],
        invitedBy: user.id,
        email: `me-${way}@example.com`,
      } as const
      const { token, invite: pending } = await inTransaction((db) => createInvite(db, invite, Date.now()))
      await inTransaction(async (db) => {
        if (way === 'remove') await removeUser(db, user)
        else await changeUser(db, user, { status: 'inactive' })
      })
      for (const id of keys) expect(await scopesOf(id)).toBeUndefined()
      expect(await scopesOf(foreign)).toBeDefined()
      expect(await store().db.select().from(sessions)).toEqual([])
      expect(await membershipsOf(store().db, user.id)).toHaveLength(way === 'remove' ? 0 : 1)
      expect(await inviteRows.find(store().db, { organisationId, reference: pending.id })).toMatchObject({
        status: 'cancelled',
      })
      const accepted = inTransaction((db) => acceptInvite(db, { token, nowMs: Date.now() }))
      expect(await rejection(accepted)).toBeInstanceOf(ManagementNotFound)
    }
  })

  test('keys lose what a lesser role may not, and end with the membership', async () => {
    const user = await create('owner')
    await create('owner')
    const { member } = await inTransaction((db) => joinWorkspace(db, { user, workspace, role: 'manager' }))
    const [own, elsewhere] = [await giveKey(user, workspace), await giveKey(user, other)]
    const bare = await giveKey(user, workspace, ['workspace_users.create'])
    await inTransaction((db) => changeUser(db, user, { role: 'member' }))
    expect(await scopesOf(own)).toEqual(WORKSPACE_USER_SCOPES.filter((scope) => keyScopesOf('manager').includes(scope)))
    expect(await scopesOf(elsewhere)).toBeUndefined()
    await inTransaction((db) => changeMember(db, member, { role: 'member' }))
    expect(await scopesOf(own)).toEqual([...keyScopesOf('member')])
    expect(await scopesOf(own)).not.toContain('workspace_users.create')
    expect(await scopesOf(bare)).toBeUndefined()
    await inTransaction((db) => changeMember(db, member, { role: 'admin' }))
    expect(await scopesOf(own)).toEqual([...keyScopesOf('member')])
    await inTransaction((db) => leaveWorkspace(db, member))
    expect(await scopesOf(own)).toBeUndefined()
  })

  test('a member gets a key without asking where the workspace says so, and one alone', async () => {
    const automatic = {
      ...workspace,
      userKeyConfig: { isAutomatic: true, scopes: ['completions.write', 'providers.create'] },
    }
    const user = await create('member')
    const { key, member } = await inTransaction((db) =>
      joinWorkspace(db, { user, workspace: automatic, role: 'member' }),
    )
    expect(key).toMatchObject({
      kind: 'workspace-user',
      creationMode: 'auto',
      userId: user.id,
      workspaceId: workspace.id,
      name: user.email,
      scopes: ['completions.write'],
    })
    const again = inTransaction((db) => joinWorkspace(db, { user, workspace: automatic, role: 'member' }))
    expect(await rejection(again)).toBeInstanceOf(ManagementConflict)
    await inTransaction((db) => leaveWorkspace(db, member))
    const back = await inTransaction((db) => joinWorkspace(db, { user, workspace: automatic, role: 'member' }))
    expect(back.key?.id).not.toBe(key?.id)
    await revokeApiKeys(store().db, [back.key?.id ?? ''])
  })

  test('an invite is accepted once, in time, by its newest link, for its address', async () => {
    await newOrganisation()
    const nowMs = Date.now()
    const workspaces = [
      { id: workspace.id, role: 'manager' as const },
      { id: crypto.randomUUID(), role: 'admin' as const },
    ]
    const input = { organisationId, email: 'New@example.com', role: 'member' as const, workspaces, invitedBy: 'key' }
    const apiKey = { scopes: ['completions.write'], name: 'Mine', metadata: { team: 'a' } }
    const first = await inTransaction((db) => createInvite(db, { ...input, apiKey }, nowMs))
    expect(JSON.stringify(first.invite)).not.toContain(first.token)
    const accept = (token: string, at = nowMs, verifiedEmail?: string) =>
      inTransaction((db) => acceptInvite(db, { token, nowMs: at, firstName: 'Nell', verifiedEmail }))
    expect(await rejection(inTransaction((db) => createInvite(db, input, nowMs)))).toBeInstanceOf(ManagementConflict)
    const resent = await inTransaction((db) => resendInvite(db, first.invite, nowMs))
    for (const dead of [first.token, '', 'x'.repeat(200), `${resent.token}x`]) {
      expect(await rejection(accept(dead))).toBeInstanceOf(ManagementNotFound)
    }
    expect(await rejection(accept(resent.token, nowMs + INVITE_LIFETIME_MS))).toBeInstanceOf(ManagementNotFound)
    expect(await rejection(accept(resent.token, nowMs, 'else@example.com'))).toBeInstanceOf(ManagementForbidden)
    const results = await Promise.allSettled([1, 2].map(() => accept(resent.token, nowMs, 'NEW@example.com')))
    const [done] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(done?.user).toMatchObject({ email: 'new@example.com', role: 'member', source: 'invite', firstName: 'Nell' })
    expect(done?.invite).toMatchObject({ status: 'accepted', acceptedBy: done?.user.id })
    expect(done?.keys).toMatchObject([
      { workspaceId: workspace.id, name: 'Mine', defaults: { metadata: { team: 'a' } }, scopes: ['completions.write'] },
    ])
    const userId = done?.user.id ?? ''
    expect(await findMember(store().db, { workspaceId: workspace.id, userId })).toMatchObject({ role: 'manager' })
    expect(await rejection(accept(resent.token))).toBeInstanceOf(ManagementNotFound)
    expect(await rejection(inTransaction((db) => createInvite(db, input, nowMs)))).toBeInstanceOf(ManagementConflict)
    expect(
      await rejection(inTransaction((db) => resendInvite(db, done?.invite ?? first.invite, nowMs))),
    ).toBeInstanceOf(ManagementConflict)
  })

  test('an invite that has expired makes room for another; a user of before gets what it gives besides', async () => {
    const nowMs = Date.now()
    const email = 'late@example.com'
    const workspaces = [{ id: workspace.id, role: 'manager' as const }]
    const invite = { organisationId, email, role: 'admin' as const, workspaces, invitedBy: 'key' }
    await inTransaction((db) => createInvite(db, invite, nowMs - INVITE_LIFETIME_MS - 1))
    const { token } = await inTransaction((db) => createInvite(db, invite, nowMs))
    const list = async (status: 'pending' | 'expired') =>
      (await inviteRows.list(store().db, { organisationId, status, email }, ALL)).total
    expect([await list('pending'), await list('expired')]).toEqual([1, 1])
    const user = await create('member', email)
    await inTransaction((db) => joinWorkspace(db, { user, workspace, role: 'member' }))
    const accepted = await inTransaction((db) => acceptInvite(db, { token, nowMs }))
    expect(accepted).toMatchObject({ user: { id: user.id, role: 'admin' }, keys: [] })
    expect(await findMember(store().db, { workspaceId: workspace.id, userId: user.id })).toMatchObject({
      role: 'manager',
    })
  })

  test('what people may do is in memory, and moves with them', async () => {
    await newOrganisation()
    const [owner, member] = [await create('owner'), await create('member')]
    await inTransaction((db) => joinWorkspace(db, { user: member, workspace, role: 'manager' }))
    const people = await createPeopleSnapshot(store())
    try {
      const acting = (user: User, workspaceId?: string) => {
        const person = people.find(user.id)
        return person && actorOfUser(person, workspaceId)
      }
      expect(acting(owner)).toMatchObject({ kind: 'user', id: owner.id, userId: owner.id, name: owner.email })
      expect(acting(owner)?.workspaceId).toBeUndefined()
      expect(acting(owner)?.scopes.has('organisation_owners.update')).toBe(true)
      expect(acting(owner, other.id)?.scopes.has('organisation_users.list')).toBe(false)
      expect(acting(member)).toMatchObject({ workspaceId: workspace.id })
      expect(acting(member)?.scopes).toEqual(new Set(acting(member, workspace.id)?.scopes))
      expect(acting(member)?.scopes.has('workspaces.update')).toBe(false)
      expect(acting(member, other.id)).toBeUndefined()
      await inTransaction((db) => joinWorkspace(db, { user: member, workspace: other, role: 'member' }))
      await inTransaction((db) => changeUser(db, member, { role: 'owner' }))
      while (acting(member, other.id) === undefined || acting(member)?.workspaceId !== undefined) await Bun.sleep(5)
      await inTransaction(async (db) => {
        await holdPeople(db, organisationId)
        await removeUser(db, owner)
      })
      while (acting(owner) !== undefined) await Bun.sleep(5)
    } finally {
      await people.close()
    }
  })
})
