import type { FilesConfig } from '../config/files.ts'
import type { Clock, Logger } from '../core/ports.ts'
import { clearFiles, keepClearing } from '../files/clearing.ts'
import { openFileBackend } from '../files/open-files.ts'
import { createOwnFiles } from '../files/own-files.ts'
import type { OwnFiles } from '../kit/own-files.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { Store } from '../store/types.ts'
import { dataDirOf, type Surroundings } from './own-store.ts'

export interface KeptFiles {
  readonly files: OwnFiles
  /** The part of `/readyz` about them. A gateway is ready without: calls to models need none. */
  readiness(): Promise<Readonly<Record<string, unknown>>>
  close(): Promise<void>
}

export interface KeptFilesOptions {
  readonly surroundings: Surroundings
  readonly store: Pick<Store, 'db'>
  readonly secretBox: SecretBox
  readonly bounds: FilesConfig
  readonly clock: Clock
  readonly log: Logger
  readonly randomId: () => string
}

/** Files in the place that the environment names. @throws ConfigError for one that cannot be */
export const openOwnFiles = (options: KeptFilesOptions): KeptFiles => {
  const { surroundings, store, clock, log } = options
  const backend = openFileBackend(surroundings.env, dataDirOf(surroundings))
  const clearing = keepClearing(() => clearFiles(store, backend, clock.now()), log)
  return {
    files: createOwnFiles({ ...options, backend }),
    readiness: async () => ({ files: { place: backend.kind, ok: await backend.isThere() } }),
    close: () => clearing.close(),
  }
}
