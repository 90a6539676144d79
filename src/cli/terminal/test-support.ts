import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyEmbeddedDatabase } from '../../../test/support/embedded-database.ts'
import { type PrivateDatabase, privateDatabase } from '../../../test/support/services.ts'
import { bootstrap } from '../../store/bootstrap.ts'
import { type CommandStore, openStore, openStoreForCommand, type Store } from '../../store/db.ts'
import { SLOW_START_MS, temporaryFolder } from '../../store/testing.ts'
import type { Environment, ExitCode } from './environment.ts'

/** Where commands find their database. That of a stopped gateway is the same store, and opening it takes a second each time. */
export const PLACES = ['the embedded database of a running gateway', 'postgres'] as const

export interface CommandResult {
  readonly code: ExitCode
  readonly out: string
  readonly error: string
}

export interface TestPlace {
  readonly folder: string
  /** Opens what the commands open. */
  open(): Promise<CommandStore>
  /** What a first start of the gateway leaves there. */
  start(): Promise<void>
  /** Runs a command to its end. */
  run(command: (environment: Environment) => Promise<ExitCode>): Promise<CommandResult>
}

/** A folder with an empty database for the tests of one `describe`. */
export const testPlace = (
  kind: (typeof PLACES)[number],
  given: { readonly env?: Environment['env']; readonly input?: string } = {},
): TestPlace => {
  const { path, remove } = temporaryFolder()
  const dataDir = `${path}/.weir`
  let database: PrivateDatabase | undefined
  let owner: Store | undefined
  beforeAll(async () => {
    if (kind === 'postgres') {
      database = await privateDatabase()
      return
    }
    await copyEmbeddedDatabase(dataDir)
    const onUnshared = (reason: string): never => {
      throw new Error(reason)
    }
    owner = await openStore({ dataDir, onUnshared })
  }, SLOW_START_MS)
  afterAll(async () => {
    await owner?.close()
    await database?.drop()
    remove()
  }, SLOW_START_MS)
  const open: TestPlace['open'] = () => openStoreForCommand({ dataDir, ...(database && { databaseUrl: database.url }) })
  return {
    folder: path,
    open,
    async start() {
      const store = await open()
      await bootstrap(store.db, {})
      await store.close()
    },
    async run(command) {
      let [out, error] = ['', '']
      const code = await command({
        arguments: [],
        env: {
          USER: 'tester',
          ...(database && { DATABASE_URL: database.url, WEIR_MASTER_KEY: 'a passphrase of more than 32 characters' }),
          ...given.env,
        },
        folder: path,
        async out(text) {
          out += text
        },
        error(text) {
          error += text
        },
        readInput: async () => given.input ?? '',
        onSignal: () => undefined,
      })
      return { code, out, error }
    },
  }
}

/** The first test of a place: a command that needs a database finds none, and then one that was started. */
export const asksForFirstStart = (
  command: string,
  run: () => Promise<CommandResult>,
  start: TestPlace['start'],
): void =>
  test(
    'asks for a first start on an empty database',
    async () => {
      expect(await run()).toEqual({
        code: 1,
        out: '',
        error: `weir ${command}: The database is empty. Run \`weir start\` once: it makes the first keys.\n`,
      })
      await start()
    },
    SLOW_START_MS,
  )
