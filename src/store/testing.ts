import { afterAll, beforeAll, describe } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyEmbeddedDatabase } from '../../test/support/embedded-database.ts'
import { type PrivateDatabase, privateDatabase } from '../../test/support/services.ts'
import { openStore, type Store } from './db.ts'
import { StoreUnavailable } from './errors.ts'
import type { PromptContent } from './objects/prompts.ts'
import { apiKeys } from './schema/api-keys.ts'
import { deployments } from './schema/deployments.ts'
import { guardrailDefaults, guardrails } from './schema/guardrails.ts'
import { integrations } from './schema/integrations.ts'
import { invites, users } from './schema/people.ts'
import { providers } from './schema/providers.ts'
import { dataKeys, secretCanary } from './schema/secrets.ts'
import { organisations, workspaces } from './schema/tenancy.ts'

/** A first start makes a whole database cluster: seconds, more on a busy machine. */
export const SLOW_START_MS = 60_000

/** An empty folder, and how to remove it. */
export const temporaryFolder = (): { readonly path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'weir-store-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Runs the same tests on the embedded database and on Postgres, each with a database of its own. */
export const describeOnBothStores = (title: string, tests: (store: () => Store) => void): void => {
  describe.each(['pglite', 'postgres'] as const)(`${title} on %s`, (kind) => {
    const folder = temporaryFolder()
    let store: Store | undefined
    let database: PrivateDatabase | undefined

    beforeAll(async () => {
      if (kind === 'postgres') database = await privateDatabase()
      else await copyEmbeddedDatabase(folder.path)
      store = await openStore({ dataDir: folder.path, ...(database && { databaseUrl: database.url }) })
    }, SLOW_START_MS)
    afterAll(async () => {
      await store?.close()
      await database?.drop()
      folder.remove()
    }, SLOW_START_MS)

    tests(() => {
      if (store === undefined) throw new Error('The store is open only inside a test.')
      return store
    })
  })
}

/** A store of which a test can cut off each part, and count how often its database was asked for. */
export const breakable = (store: Store) => {
  const broken = { queries: false, listening: false, answers: false }
  let queries = 0
  const unavailable = () => new StoreUnavailable('cut off by the test')
  const silent = new Promise<never>(() => undefined)
  const double: Store = {
    ...store,
    get db() {
      queries++
      if (broken.queries) throw unavailable()
      return broken.answers ? unanswering(store.db, silent) : store.db
    },
    onChange: (listener) => (broken.listening ? Promise.reject(unavailable()) : store.onChange(listener)),
  }
  return { double, broken, queries: () => queries }
}

/** Whatever is called on it, in whatever chain: awaiting it never ends. */
const unanswering = <Target extends object>(target: Target, silent: Promise<never>): Target =>
  new Proxy(target, {
    get: (_, name) => (name === 'then' ? silent.then.bind(silent) : () => unanswering(target, silent)),
  })

/** Back to a database without a row of ours but those of the audit log, which nothing can delete. */
export const emptyStore = async ({ db }: Store): Promise<void> => {
  const tables = [
    ...[deployments, users, invites, providers, integrations, apiKeys, guardrailDefaults, guardrails],
    ...[workspaces, dataKeys, secretCanary, organisations],
  ]
  for (const table of tables) await db.delete(table)
}

/** Waits, at most 5 s, until the condition holds. */
export const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  const deadlineMs = performance.now() + 30_000
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error('The condition did not come true in 30 s.')
    await Bun.sleep(5)
  }
}

/** What a promise was rejected with. */
export const rejection = async (work: Promise<unknown>): Promise<Error> => {
  try {
    await work
  } catch (error) {
    if (error instanceof Error) return error
    throw new Error('It was rejected with something that is not an Error.')
  }
  throw new Error('It was not rejected.')
}

/** What a version of a prompt says: a template and nothing else, unless changed. */
export const promptContent = (template: string, changes: Partial<PromptContent> = {}): PromptContent => ({
  template,
  isRawTemplate: false,
  parameters: {},
  virtualKey: null,
  model: null,
  functions: null,
  tools: null,
  toolChoice: null,
  templateMetadata: null,
  variablesSchema: null,
  strict: false,
  description: null,
  ...changes,
})
