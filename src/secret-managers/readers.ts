import type { Clock, Logger } from '../core/ports.ts'
import type { SecretManagerType } from '../store/schema/secret-references.ts'
import { within } from '../timing/within.ts'
import { toFailure } from './answer.ts'
import { createAwsReader } from './aws.ts'
import { createAzureReader } from './azure.ts'
import { createEnvironmentReader, createFileReader } from './machine.ts'
import { type ReadSecret, SecretFailure, type SecretMeans } from './manager.ts'
import { problemOf } from './rules.ts'
import { createVaultReader } from './vault.ts'

export interface ReaderOptions {
  readonly means: SecretMeans
  readonly clock: Clock
  readonly log: Logger
  readonly randomId: () => string
  /** Variables of this machine. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Folder that relative paths of the operator's file start from. */
  readonly folder: string
}

/** Milliseconds for all requests of one secret together, with its login. */
const DEADLINE_MS = 15_000

/** Reads secrets of every kind of manager, by the operator's word of now. */
export const createReader = (options: ReaderOptions): ReadSecret => {
  const readers: Readonly<Record<SecretManagerType, ReadSecret>> = {
    aws_sm: createAwsReader(options),
    azure_kv: createAzureReader(options),
    hashicorp_vault: createVaultReader(options),
    environment: createEnvironmentReader(options),
    file: createFileReader(options),
  }
  const late = (): SecretFailure => new SecretFailure('away', 'its manager does not answer in time')
  return async (source) => {
    try {
      const problem = problemOf(source, options.means)
      if (problem !== undefined) throw new SecretFailure('refused', `its \`${problem.field}\` ${problem.message}`)
      return await within(readers[source.managerType](source), DEADLINE_MS, late)
    } catch (thrown) {
      throw toFailure(thrown)
    }
  }
}
