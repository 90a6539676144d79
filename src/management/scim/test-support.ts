import { expect } from 'bun:test'
import { createWorld, type TestAnswer, type TestCall, type World } from '../../../test/conformance/management/world.ts'
import { ERROR, type Fields } from '../../people/scim/documents.ts'
import type { ScimType } from '../../people/scim/fault.ts'
import type { Store } from '../../store/db.ts'
import { SCIM_PATH } from './answer.ts'
import { SCIM_JSON } from './errors.ts'
import { scimRoutes } from './routes.ts'

/** Two organisations, and SCIM for both. */
export interface ScimScene {
  readonly world: World
  /** A call of the key of our organisation. @param path below the address of SCIM */
  send(method: TestCall['method'], path: string, body?: unknown, token?: string): Promise<TestAnswer>
  /** The same for what must go well. @returns the body */
  done(method: TestCall['method'], path: string, body?: unknown): Promise<Fields>
  /** @returns its id */
  addUser(name: string, fields?: Fields): Promise<string>
  addGroup(displayName: string, members?: readonly string[]): Promise<string>
  /** Changes the members of a group. */
  patch(path: string, ...operations: readonly Fields[]): Promise<TestAnswer>
  /** Makes a mapping. @returns its id */
  map(fields: Fields): Promise<string>
}

export const setScimScene = async (store: Store): Promise<ScimScene> => {
  const world = await createWorld(store, scimRoutes)
  const send: ScimScene['send'] = (method, path, body, token = world.ours.admin) =>
    world.call({ method, path: `${SCIM_PATH}${path}`, token, ...(body !== undefined && { body }) })
  const done: ScimScene['done'] = async (...call) => {
    const answer = await send(...call)
    if (answer.status >= 300) throw new Error(`${call[0]} ${call[1]} answered ${answer.status}: ${answer.text}`)
    return answer.body
  }
  const made = async (path: string, body: unknown): Promise<string> => String((await done('POST', path, body)).id)
  return {
    world,
    send,
    done,
    addUser: (name, fields = {}) =>
      made('/Users', { userName: name, emails: [{ value: `${name}@ours.example` }], ...fields }),
    addGroup: (displayName, members = []) =>
      made('/Groups', { displayName, members: members.map((value) => ({ value })) }),
    patch: (path, ...operations) => send('PATCH', path, { Operations: operations }),
    async map(fields) {
      const answer = await world.call({
        method: 'POST',
        path: '/scim/workspaces',
        token: world.ours.admin,
        body: fields,
      })
      if (answer.status !== 200) throw new Error(`the mapping was refused: ${answer.text}`)
      return String(answer.body.id)
    },
  }
}

/** Checks a refusal in SCIM's form. @param about for the message of the test */
export const expectFault = (answer: TestAnswer, status: number, scimType?: ScimType, about = ''): void => {
  const { detail, ...body } = answer.body
  expect({ about, status: answer.status, body }).toEqual({
    about,
    status,
    body: { schemas: [ERROR], status: String(status), ...(scimType !== undefined && { scimType }) },
  })
  expect(detail).toMatch(/^[A-Z`].*\.$/s)
  expect(answer.headers.get('content-type')).toBe(SCIM_JSON)
}
