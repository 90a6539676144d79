import { eq } from 'drizzle-orm'
import { routesUnderTest } from '../../../test/conformance/management/routes-under-test.ts'
import { actorsOf } from '../../../test/conformance/management/tenants.ts'
import { createWorld, type TestAnswer, type World } from '../../../test/conformance/management/world.ts'
import { actorOfUser } from '../../people/actor-of-user.ts'
import type { Store } from '../../store/db.ts'
import { membershipsOf } from '../../store/objects/workspace-members.ts'
import { users } from '../../store/schema/people.ts'
import type { Db } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import type { Method } from '../route.ts'
import { addPerson, type NewPerson } from '../test-support/add-person.ts'

export interface PeopleScene {
  readonly world: World
  /** Adds somebody to our organisation. @returns a token that stands for them as a session does, and their id */
  person(
    person?: Partial<NewPerson>,
  ): Promise<{ readonly id: string; readonly token: string; in(workspaceId: string): string }>
  /** A call with our key of the organisation, unless another token is given. */
  send(method: Method, path: string, body?: unknown, token?: string): Promise<TestAnswer>
}

/** Two organisations, with people who act for themselves. Nothing is kept between a change and the next call. */
export const setPeopleScene = async (store: Store): Promise<PeopleScene> => {
  const keys = actorsOf(store.db)
  const actors = { find: (token: string) => (token.startsWith(PREFIX) ? actorOf(store.db, token) : keys.find(token)) }
  const world = await createWorld(store, await routesUnderTest(store), { actors })
  let count = 0
  return {
    world,
    async person(person = {}) {
      const email = `person-${++count}@example.com`
      const id = await addPerson(world.db, { organisationId: world.ours.organisationId, email, ...person })
      return { id, token: `${PREFIX}${id}`, in: (workspaceId) => `${PREFIX}${id}:${workspaceId}` }
    },
    send: (method, path, body, token = world.ours.admin) => world.call({ method, path, body, token }),
  }
}

const PREFIX = 'person:'

const actorOf = async (db: Db, token: string): Promise<Actor | undefined> => {
  const [, id = '', workspaceId] = token.split(':')
  const [user] = await db.select().from(users).where(eq(users.id, id))
  if (user?.status !== 'active') return undefined
  const workspaces = new Map((await membershipsOf(db, id)).map((member) => [member.workspaceId, member.role]))
  return actorOfUser({ ...user, workspaces }, workspaceId)
}
