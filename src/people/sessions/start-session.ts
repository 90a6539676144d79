import { randomBytes } from 'node:crypto'
import { hashKey } from '../../store/key-material.ts'
import { newId } from '../../store/objects/rows.ts'
import { removeSessionByToken, type Session, sessionRows } from '../../store/objects/sessions.ts'
import type { Db } from '../../store/types.ts'

const HOUR_MS = 3_600_000
/** Longest description of a browser that is kept. */
const MAX_USER_AGENT = 512

export interface NewSession {
  readonly organisationId: string
  /** A person, or a key of the organisation. */
  readonly holder: { readonly userId: string } | { readonly apiKeyId: string }
  /** That told who it is. */
  readonly issuer?: string
  readonly request: Request
  readonly address: string | undefined
  /** Token of a session that the browser had: it ends. */
  readonly former: string | undefined
  readonly nowMs: number
  readonly maxHours: number
}

/** A session and what its cookie holds, which is stored as a hash. */
export interface StartedSession {
  readonly session: Session
  readonly token: string
}

/** Makes a session with a token of its own: whoever planted a cookie before has no part in it. */
export const startSession = async (transaction: Db, input: NewSession): Promise<StartedSession> => {
  const { organisationId, holder, issuer = null, request, address = null, former, nowMs, maxHours } = input
  if (former !== undefined) await removeSessionByToken(transaction, hashKey(former))
  const token = randomBytes(32).toString('base64url')
  const session = await sessionRows.insert(transaction, {
    id: newId(),
    organisationId,
    ...holder,
    tokenHash: hashKey(token),
    issuer,
    userAgent: request.headers.get('user-agent')?.slice(0, MAX_USER_AGENT) ?? null,
    address,
    lastSeenAt: new Date(nowMs),
    endsAt: new Date(nowMs + maxHours * HOUR_MS),
  })
  return { session, token }
}
