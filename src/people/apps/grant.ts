import { createHash, randomBytes } from 'node:crypto'
import { hashKey, sameHash } from '../../store/key-material.ts'
import {
  type AppGrant,
  findGrantByCode,
  findGrantByFormerRefresh,
  findGrantByRefresh,
  forgetOverGrants,
  insertAppGrant,
  removeAppGrant,
  replaceRefreshToken,
  useGrantCode,
} from '../../store/objects/app-grants.ts'
import { newId } from '../../store/objects/rows.ts'
import type { Db } from '../../store/types.ts'

/** A code is used at once, or never. */
const CODE_MS = 60_000
/** An app that nobody uses for so long asks again. */
const IDLE_MS = 30 * 24 * 3_600_000

/** What a person lets an app do. */
export interface NewGrant {
  readonly organisationId: string
  readonly workspaceId: string
  readonly userId: string
  readonly clientId: string
  readonly clientName: string
  readonly redirectUri: string
  readonly resource: string
  readonly resourcePath: string
  readonly scopes: readonly string[]
  /** Of PKCE, made with S256. */
  readonly codeChallenge: string
}

/** Keeps what a person allowed. @returns the grant's id, and the code by which the app comes for its tokens */
export const giveGrant = async (
  db: Db,
  grant: NewGrant,
  nowMs: number,
): Promise<{ readonly id: string; readonly code: string }> => {
  const id = newId()
  const code = secretText()
  await forgetOverGrants(db, new Date(nowMs))
  const ends = new Date(nowMs + CODE_MS)
  await insertAppGrant(db, { id, ...grant, codeHash: hashKey(code), codeEndsAt: ends, endsAt: ends })
  return { id, code }
}

/** A grant whose app has shown that it is the one, and what it comes with the next time. */
export interface UsedGrant {
  readonly grant: AppGrant
  readonly refreshToken: string
}

export interface ShownCode {
  readonly code: string
  readonly clientId: string
  readonly redirectUri: string
  /** Of PKCE. */
  readonly verifier: string
}

/**
 * Takes a code, once: whoever comes with it again ends what it was good for (OAuth 2.1, section 4.1.3).
 * @returns undefined for one that is not good
 */
export const takeCode = async (db: Db, shown: ShownCode, nowMs: number): Promise<UsedGrant | undefined> => {
  const found = await findGrantByCode(db, hashKey(shown.code))
  if (found === undefined) return undefined
  const isTheirs = found.clientId === shown.clientId && found.redirectUri === shown.redirectUri
  if (!isTheirs || !sameHash(challengeOf(shown.verifier), found.codeChallenge)) return undefined
  if (found.codeUsedAt !== null) {
    await removeAppGrant(db, found.id)
    return undefined
  }
  if (found.codeEndsAt.getTime() <= nowMs) return undefined
  const refreshToken = secretText()
  const used = { now: new Date(nowMs), refreshHash: hashKey(refreshToken), endsAt: new Date(nowMs + IDLE_MS) }
  if (await useGrantCode(db, found.id, used)) return { grant: found, refreshToken }
  await removeAppGrant(db, found.id)
  return undefined
}

/**
 * Takes a refresh token for the next one. One that was replaced already ends the grant: either it was stolen, or the one that
 * replaced it (RFC 9700, section 4.14.2).
 * @returns undefined for one that is not good
 */
export const takeRefreshToken = async (
  db: Db,
  { refreshToken, clientId }: { readonly refreshToken: string; readonly clientId: string },
  nowMs: number,
): Promise<UsedGrant | undefined> => {
  const from = hashKey(refreshToken)
  const grant = await findGrantByRefresh(db, from)
  if (grant === undefined) {
    const former = await findGrantByFormerRefresh(db, from)
    if (former !== undefined) await removeAppGrant(db, former.id)
    return undefined
  }
  if (grant.clientId !== clientId || grant.endsAt.getTime() <= nowMs) return undefined
  const next = secretText()
  const isTaken = await replaceRefreshToken(db, { from, to: hashKey(next), endsAt: new Date(nowMs + IDLE_MS) })
  return isTaken ? { grant, refreshToken: next } : undefined
}

/** Ends what a refresh token stands for (RFC 7009). */
export const endByRefreshToken = async (db: Db, refreshToken: string): Promise<void> => {
  const grant = await findGrantByRefresh(db, hashKey(refreshToken))
  if (grant !== undefined) await removeAppGrant(db, grant.id)
}

const secretText = (): string => randomBytes(32).toString('base64url')

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')
