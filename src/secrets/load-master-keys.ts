import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { findCanary } from '../store/data-keys.ts'
import { systemCode } from '../store/errors.ts'
import type { CommandStore } from '../store/types.ts'
import { MasterKeyRefused } from './errors.ts'
import { type MasterKey, type MasterKeys, parseMasterKey } from './master-key.ts'

export interface MasterKeyOptions {
  /** WEIR_MASTER_KEY. */
  readonly value?: string | undefined
  /** WEIR_MASTER_KEY_PREVIOUS: the one before, while it is being replaced. */
  readonly previousValue?: string | undefined
  /** The embedded database's folder, where a key is kept that nobody chose. */
  readonly dataDir: string
}

const FILE = 'master.key'

/**
 * The master keys of this process. With a Postgres server the operator must give one, or each process would make its
 * own. The embedded database makes one at its first start and keeps it in `<dataDir>/master.key`, for the owner alone;
 * an operator who sets WEIR_MASTER_KEY later replaces it, and until `rotate-master-key` has run the file is read too.
 * @throws MasterKeyRefused
 */
export const loadMasterKeys = async (store: CommandStore, options: MasterKeyOptions): Promise<MasterKeys> => {
  const previous = given(options.previousValue, 'WEIR_MASTER_KEY_PREVIOUS')
  const current = given(options.value, 'WEIR_MASTER_KEY')
  const file = join(options.dataDir, FILE)
  if (store.kind === 'pglite') {
    const kept = readKept(file)
    if (current === undefined) return together(kept ?? (await makeKept(store, options.dataDir, file)), previous)
    return together(current, previous ?? kept)
  }
  if (current === undefined) {
    throw new MasterKeyRefused(
      'WEIR_MASTER_KEY is not set. With DATABASE_URL it must be: it seals the secrets in the database. Make one with `openssl rand -base64 32`, keep it safe, and give it to every process of this database.',
    )
  }
  return together(current, previous)
}

const together = (current: MasterKey, previous: MasterKey | undefined): MasterKeys =>
  previous === undefined || previous.id === current.id ? { current } : { current, previous }

const given = (text: string | undefined, variable: string): MasterKey | undefined =>
  text === undefined || text === '' ? undefined : parseMasterKey(text, variable)

const readKept = (file: string): MasterKey | undefined => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw new MasterKeyRefused(`The master key "${file}" cannot be read (${systemCode(error)}).`)
  }
  return parseMasterKey(text, `The master key "${file}"`)
}

const makeKept = async (store: CommandStore, folder: string, file: string): Promise<MasterKey> => {
  if ((await findCanary(store.db)) !== undefined) {
    throw new MasterKeyRefused(
      `The master key "${file}" is missing, and the secrets in the database cannot be read without it. Put the file back, or set WEIR_MASTER_KEY to its content.`,
    )
  }
  const text = randomBytes(32).toString('base64')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeDurably(file, `${text}\n`)
  } catch (error) {
    throw new MasterKeyRefused(`The master key "${file}" cannot be written (${systemCode(error)}).`)
  }
  return parseMasterKey(text, file)
}

/** Complete and on the disk before anything is sealed with it: half a key would be worse than none. */
const writeDurably = (file: string, text: string): void => {
  const unfinished = `${file}.unfinished`
  rmSync(unfinished, { force: true })
  const handle = openSync(unfinished, 'wx', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(unfinished, file)
}
