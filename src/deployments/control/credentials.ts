import { createBoundedMap } from '../../core/bounded-map.ts'
import { ManagementForbidden, ManagementTooMany, ManagementUnauthorized } from '../../errors/gateway-error.ts'
import type { DeploymentActors } from '../../management/actor.ts'
import { hashKey, sameHash } from '../../store/key-material.ts'
import { findDeploymentByUsername } from '../../store/objects/deployments.ts'
import type { Db } from '../../store/types.ts'

export interface CredentialsOptions {
  readonly db: Db
  /** Milliseconds that never step back. */
  readonly monotonicMs: () => number
}

/** Wrong credentials that one address may send in a minute. */
const MAX_FAILURES = 30
const WINDOW_MS = 60_000
const MAX_ADDRESSES = 10_000
const MAX_CREDENTIALS_CHARACTERS = 512
/** Compared with where there is no such user, so that it takes as long. */
const NOBODY = hashKey('nobody')

/** Finds data planes by their credentials. */
export const createDeploymentActors = ({ db, monotonicMs }: CredentialsOptions): DeploymentActors => {
  const failures = createBoundedMap<string, { count: number; sinceMs: number }>(MAX_ADDRESSES)
  const failuresOf = (address: string): { count: number; sinceMs: number } => {
    const found = failures.get(address)
    if (found !== undefined && monotonicMs() - found.sinceMs < WINDOW_MS) return found
    const fresh = { count: 0, sinceMs: monotonicMs() }
    failures.set(address, fresh)
    return fresh
  }
  return {
    async find(credentials, address = 'unknown') {
      const failed = failuresOf(address)
      if (failed.count >= MAX_FAILURES) {
        throw new ManagementTooMany('Too many wrong credentials came from this address.', { retryAfterMs: WINDOW_MS })
      }
      const given = read(credentials)
      const found = given && (await findDeploymentByUsername(db, given.username))
      const isRight = sameHash(hashKey(given?.password ?? ''), found?.passwordHash ?? NOBODY)
      if (found === undefined || !isRight) {
        failed.count++
        throw new ManagementUnauthorized('The credentials are not those of a deployment here.')
      }
      const { id, name, organisationId, status } = found.deployment
      if (status === 'archived')
        throw new ManagementForbidden('The deployment is archived: its data planes have ended.')
      return { kind: 'deployment', id, name, organisationId, scopes: SCOPES, username: found.deployment.username }
    },
  }
}

/** A data plane shows itself, and nothing else. */
const SCOPES: ReadonlySet<string> = new Set(['deployments.read'])

const read = (credentials: string): { readonly username: string; readonly password: string } | undefined => {
  if (credentials.length > MAX_CREDENTIALS_CHARACTERS) return undefined
  const [, username = '', password] = /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? []
  // A NUL is no text of the database.
  return password === undefined || !/^[\x21-\x7e]+$/.test(username) ? undefined : { username, password }
}
