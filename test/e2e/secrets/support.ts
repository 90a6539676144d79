import type { SecretsConfig } from '../../../src/config/secrets.ts'
import type { Logins } from '../../../src/core/logins.ts'
import { type Secret, SecretFailure, type SecretSource } from '../../../src/secret-managers/manager.ts'
import { createReader } from '../../../src/secret-managers/readers.ts'
import { trusts } from '../../../src/upstream/egress.ts'
import { createLogins } from '../../../src/upstream/logins.ts'
import { createResolver } from '../../../src/upstream/resolver.ts'
import { createTrustedHosts } from '../../../src/upstream/trusted-hosts.ts'
import { createUpstream } from '../../../src/upstream/upstream.ts'

/** Stands in every secret of these tests: wherever it shows up, one leaked. */
export const CANARY = 'canary-5d1e'

export interface ReaderSetup {
  readonly environment?: Readonly<Record<string, string>>
  readonly settings?: Partial<SecretsConfig>
  /** Hosts that the operator trusts. */
  readonly trust?: readonly string[]
  /** In the place of the real way out. */
  readonly send?: Logins['send']
  /** Files that are there, by their paths. */
  readonly files?: Readonly<Record<string, string>>
}

export interface TestReader {
  read(source: SecretSource): Promise<Secret>
  /** What it fails with: outcome and words. Nothing of it holds the canary. */
  failure(source: SecretSource): Promise<readonly [outcome: string, message: string]>
  advance(ms: number): void
  close(): void
}

/** Reads secrets as a gateway does: through its guard of outgoing requests, with a clock that the test moves. */
export const startReader = (setup: ReaderSetup = {}): TestReader => {
  const { environment = {}, settings, trust = ['127.0.0.1'], send, files = {} } = setup
  let passedMs = 0
  const now = (): number => performance.now()
  const trusted = createTrustedHosts(trust)
  const resolver = createResolver({ now, timeoutMs: 1_000 })
  const upstream = createUpstream({ resolver, trusted, now })
  const logins = createLogins({ upstream, resolver, trusted, now, environment })
  const lines: string[] = []
  const line = (message: string, fields: unknown = {}): void => void lines.push(`${message} ${JSON.stringify(fields)}`)
  const read = createReader({
    means: {
      logins: {
        ...logins,
        ...(send === undefined ? {} : { send }),
        readFile: async (path) => files[path] ?? Promise.reject(new Error('no such file')),
      },
      settings: { environment: [], folders: [], machineLogin: true, ...settings },
      trusts: (url) => trusts(url, trusted),
    },
    clock: { now: () => Date.now() + passedMs, monotonicMs: () => performance.now() + passedMs },
    log: { info: line, warn: line, error: line },
    randomId: () => crypto.randomUUID(),
    environment,
    folder: '/',
  })
  return {
    read,
    async failure(source) {
      try {
        await read(source)
      } catch (thrown) {
        if (!(thrown instanceof SecretFailure)) throw thrown
        if (`${thrown.message} ${lines.join()}`.includes(CANARY))
          throw new Error(`leaked: ${thrown.message} ${lines.join()}`)
        return [thrown.outcome, thrown.message]
      }
      throw new Error('the secret was read')
    },
    advance: (ms) => {
      passedMs += ms
    },
    close() {
      logins.close()
      upstream.close()
    },
  }
}
