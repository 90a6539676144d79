import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataDirOf } from '../../compose/own-store.ts'
import type { CreatedKeys } from '../../store/bootstrap.ts'
import { FirstKeysLost, systemCode } from '../../store/errors.ts'
import type { Environment } from '../terminal/environment.ts'

/** File of the first keys when nobody looks at the start: lines that a shell reads, for its owner alone. */
export const firstKeysFile = (environment: Environment): string => join(dataDirOf(environment), 'first-keys.env')

/**
 * Writes keys that were made just now and cannot be shown later. A log is no place for them: it is kept, copied and read by
 * many.
 * @throws FirstKeysLost when the file cannot be written; the keys must not be stored then
 */
export const writeFirstKeys = (file: string, { adminKey, apiKey }: CreatedKeys): void => {
  const lines = [
    ...(adminKey === undefined ? [] : [`WEIR_ADMIN_KEY=${adminKey}`]),
    ...(apiKey === undefined ? [] : [`WEIR_API_KEY=${apiKey}`]),
  ]
  const unfinished = `${file}.unfinished`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    rmSync(unfinished, { force: true })
    writeFileSync(unfinished, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(unfinished, file)
  } catch (error) {
    throw new FirstKeysLost(
      `The first keys cannot be written to "${file}" (${systemCode(error)}), and a log is no place for them. Set WEIR_ADMIN_KEY and WEIR_API_KEY to keys of your own, or WEIR_DATA_DIR to a folder that can be written.`,
    )
  }
}
