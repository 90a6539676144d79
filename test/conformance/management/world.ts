import { Elysia } from 'elysia'
import type { Actors } from '../../../src/management/actor.ts'
import { mountManagement } from '../../../src/management/mount.ts'
import type { AnyRoute, Method } from '../../../src/management/route.ts'
import { addTo } from '../../../src/management/test-support/add-to.ts'
import { arrivesFrom } from '../../../src/management/test-support/arrives-from.ts'
import type { Store } from '../../../src/store/db.ts'
import type { Db } from '../../../src/store/types.ts'
import { actorsOf, createTenant, type Tenant } from './tenants.ts'

/** Where the calls of the tests are said to come from. */
export const SOURCE_ADDRESS = '203.0.113.7'

/** One management call of a test. */
export interface TestCall {
  readonly method: Method
  /** Below the root, with its query. */
  readonly path: string
  readonly token?: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
  /** Default: `/v2`, unless the path begins with a root of its own. */
  readonly root?: string
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, read as JSON. */
  readonly body: Readonly<Record<string, unknown>>
}

/** Management routes in an application without a socket, over a store with two organisations. */
export interface World {
  readonly db: Db
  readonly ours: Tenant
  /** Another organisation. */
  readonly theirs: Tenant
  /** Lines of the operator's log. */
  readonly lines: string[]
  call(call: TestCall): Promise<TestAnswer>
}

export interface WorldOptions {
  /** What the routes see instead of the store's own. */
  readonly db?: Db
  readonly actors?: Actors
}

/** Adds two organisations of its own to the store. */
export const createWorld = async (
  store: Store,
  routes: readonly AnyRoute[],
  options: WorldOptions = {},
): Promise<World> => {
  const [ours, theirs] = [await createTenant(store.db, 'ours'), await createTenant(store.db, 'theirs')]
  const lines: string[] = []
  return { db: store.db, ours, theirs, lines, call: caller(store, routes, lines, options) }
}

/** Calls routes as they are mounted; a world of its own is not needed where the routes meet a broken store. */
export const caller = (
  store: Store,
  routes: readonly AnyRoute[],
  lines: string[],
  { db = store.db, actors = actorsOf(store.db) }: WorldOptions,
): World['call'] => {
  const log = (message: string, fields: unknown = {}): void => {
    lines.push(`${message} ${JSON.stringify(fields)}`)
  }
  const app = new Elysia({ normalize: false })
  mountManagement(addTo(app), routes, '', {
    db,
    actors,
    log: { info: log, warn: log, error: log },
    randomId: () => crypto.randomUUID(),
    arrivalOf: arrivesFrom(SOURCE_ADDRESS),
  })
  return async ({ method, path, token, body, raw, headers = {}, root = rootOf(path) }) => {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const request = new Request(`http://gateway.test${root}${path}`, {
      method,
      headers: {
        ...headers,
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(content === undefined ? {} : { body: content }),
    })
    const response = await app.handle(request)
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parse(text) }
  }
}

/** Paths that have their root in them. */
const WHOLE = /^\/(?:(?:admin|scim)\/v2|\.well-known|v0\.1)\//

/** What a path of a test stands below. */
export const rootOf = (path: string): string => (WHOLE.test(path) ? '' : '/v2')

const parse = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    // A list stays one: a few answers are nothing else.
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}
