import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Extensions, PGlite } from '@electric-sql/pglite'
// The package finds these beside its own code, and in a single-file executable there is no beside.
import initdbWasmPath from '@electric-sql/pglite/initdb.wasm' with { type: 'file' }
import fileSystemPath from '@electric-sql/pglite/pglite.data' with { type: 'file' }
import postgresWasmPath from '@electric-sql/pglite/pglite.wasm' with { type: 'file' }
import { vector } from '@electric-sql/pglite-pgvector'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import { StoreUnavailable, systemCode } from '../errors.ts'
import { migrate } from '../migrate.ts'
import { type Store, schema } from '../types.ts'
import { toStoreError } from './driver-error.ts'
import { lockFolder } from './folder-lock.ts'
import { restrictFolder } from './folder-modes.ts'
import { type Guarded, guard } from './guard.ts'
import { socketIn } from './socket-messages.ts'
import { serveSocket } from './socket-server.ts'

export interface PgliteOptions {
  /** The database is in its `pgdata`; the folder is taken for this process alone. */
  readonly dataDir: string
  readonly queryTimeoutMs: number
  /** Hears that the database is made now. */
  readonly onCreate?: (folder: string) => void
  /** Lets commands of the same user use the database beside this process. Hears why they cannot. */
  readonly onUnshared?: (reason: string) => void
}

/**
 * Opens the database inside this process. A committed change outlives the death of the process, however sudden; it may
 * not outlive the machine losing power, because the embedded database does not wait for the disk.
 * @throws StoreUnavailable
 */
export const openPglite = async (options: PgliteOptions): Promise<Store> => {
  const { dataDir, queryTimeoutMs, onCreate, onUnshared } = options
  const unlock = lockFolder(dataDir)
  let client: PGlite | undefined
  try {
    client = await openDatabase(dataDir, onCreate)
    const db = drizzle(client, { schema, casing: 'snake_case' })
    await migrate(db)
    const guarded = guard(db, { deadlineMs: queryTimeoutMs, database: `"${dataDir}"` })
    const unshare = onUnshared && (await share(client, options, onUnshared))
    return toStore(client, db, guarded, unshare, () => {
      // What was made meanwhile: the folder alone has kept others from it.
      restrictFolder(dataDir)
      unlock()
    })
  } catch (error) {
    await client?.close()
    unlock()
    throw openError(error, dataDir)
  }
}

/** @returns ends it */
const share = async (
  client: PGlite,
  { dataDir, queryTimeoutMs }: PgliteOptions,
  onUnshared: (reason: string) => void,
): Promise<(() => Promise<void>) | undefined> => {
  try {
    return await serveSocket(client, { path: socketIn(dataDir), deadlineMs: queryTimeoutMs })
  } catch (error) {
    onUnshared(systemCode(error))
    return undefined
  }
}

const toStore = (
  client: PGlite,
  db: Store['db'],
  { isFull }: Guarded,
  unshare: (() => Promise<void>) | undefined,
  unlock: () => void,
): Store => ({
  db,
  kind: 'pglite',
  isFull,
  async ping() {
    await db.execute(sql`select 1`)
  },
  async onChange(listener) {
    const stop = await client.listen('weir_changed', listener)
    return async () => {
      if (!client.closed) await stop()
    }
  },
  async close() {
    if (client.closed) return
    await unshare?.()
    await client.close()
    unlock()
  },
})

/** Opens the database, and makes it where there is none. A start that was killed while it made one leaves a mark: the next begins anew. */
const openDatabase = async (dataDir: string, onCreate: PgliteOptions['onCreate']): Promise<PGlite> => {
  const folder = join(dataDir, 'pgdata')
  const unfinished = `${folder}.unfinished`
  const parts = { ...(await loadParts()), dataDir: folder, startParams: START }
  if (existsSync(unfinished)) {
    rmSync(folder, { recursive: true, force: true })
    // Earlier versions made the whole database there.
    rmSync(unfinished, { recursive: true })
  }
  if (existsSync(folder)) return PGlite.create(parts)
  onCreate?.(dataDir)
  writeFileSync(unfinished, '', { mode: 0o600 })
  // Smaller log segments than the usual 16 MB: writing those full of zeros doubles the time of a first start.
  const client = await PGlite.create({ ...parts, initDbStartParams: ['--wal-segsize=1'] })
  // The embedded database makes its files readable for all.
  restrictFolder(folder)
  rmSync(unfinished)
  return client
}

/**
 * Its memory is taken whole at the start: by default 160 MB for pages that the file system has in memory too, and room for a
 * hundred connections, of which there is one.
 */
const START: string[] = [
  ...PGlite.defaultStartParams,
  ...['shared_buffers=16MB', 'wal_buffers=512kB', 'max_connections=8'].flatMap((setting) => ['-c', setting]),
]

let parts: ReturnType<typeof compileParts> | undefined

/** Compiled once for the process: opening again is half the work then. */
const loadParts = (): ReturnType<typeof compileParts> => {
  parts ??= compileParts()
  return parts
}

const compileParts = async () => {
  const compile = async (path: string) => WebAssembly.compile(await Bun.file(path).arrayBuffer())
  const [pgliteWasmModule, initdbWasmModule] = await Promise.all([compile(postgresWasmPath), compile(initdbWasmPath)])
  return { pgliteWasmModule, initdbWasmModule, fsBundle: Bun.file(fileSystemPath), extensions: extensions() }
}

/** pgvector lies beside the code of its package, so the single-file executable goes without: vectors are compared there by us. */
const extensions = (): Extensions => {
  try {
    const bundle = new URL('./vector.tar.gz', import.meta.resolve('@electric-sql/pglite-pgvector'))
    return existsSync(fileURLToPath(bundle)) ? { vector } : {}
  } catch {
    return {}
  }
}

const openError = (error: unknown, dataDir: string): Error => {
  const known = toStoreError(error, `"${dataDir}"`)
  if (known instanceof StoreUnavailable) return known
  const reason = known instanceof Error ? known.message : 'unknown reason'
  return new StoreUnavailable(`The database in the data folder "${dataDir}" cannot be opened: ${reason}`)
}
