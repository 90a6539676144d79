import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import type { KeyDirectory } from '../../../src/kit/plugin.ts'
import { type Door, openSocketDoor } from './support/door.ts'
import { all, failureOf, mockClient, openaiClient } from './support/openai-client.ts'

const NOW_MS = Date.UTC(2026, 10, 21)

type Entry = NonNullable<ReturnType<KeyDirectory['find']>>

const entry = (scopes: readonly string[], expiresAtMs?: number): Entry => ({
  principal: {
    keyId: 'key-1',
    keyName: 'test',
    kind: 'workspace-service',
    organisationId: 'organisation-1',
    workspaceId: 'workspace-1',
    scopes: new Set(scopes),
  },
  ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
})

const KEYS: Readonly<Record<string, Entry>> = {
  'expired-now': entry(['completions.write'], NOW_MS),
  'expires-soon': entry(['completions.write'], NOW_MS + 1),
  'only-models': entry(['models.list']),
  'no-scope': entry([]),
}

// Keys that cannot be made yet on a running gateway: there are no routes for them.
describe('keys of every state', () => {
  let door: Door
  beforeAll(async () => {
    door = await openSocketDoor({
      keys: { find: (key) => (Object.hasOwn(KEYS, key) ? KEYS[key] : undefined) },
      deps: { clock: { now: () => NOW_MS, monotonicMs: () => performance.now() } },
    })
  })
  afterAll(() => door.close())

  const chat = (bearer: string) =>
    mockClient(door, { bearer }).chat.completions.create({ model: 'mock', messages: [{ role: 'user', content: 'Hi' }] })

  test('a key that has expired is refused with a code of its own', async () => {
    const error = await failureOf(chat('expired-now'))
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(error).toMatchObject({ status: 401, code: '01' })
  })

  test('until then it is good', async () => {
    expect((await chat('expires-soon')).choices[0]?.message.content).toBe('Mock answer to: Hi')
  })

  test('an unknown key is refused', async () => {
    expect(await failureOf(chat('constructor'))).toMatchObject({ status: 401, code: '03' })
  })

  test('a key is good for what its scopes say', async () => {
    expect((await all(await openaiClient(door, { bearer: 'only-models' }).models.list())).length).toBeGreaterThan(0)
    const error = await failureOf(chat('only-models'))
    expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError)
    expect(error).toMatchObject({ status: 403, code: '033', message: expect.stringContaining('completions.write') })
    const none = openaiClient(door, { bearer: 'no-scope' })
    expect(await failureOf(none.models.list())).toMatchObject({ status: 403, code: '033' })
  })
})
