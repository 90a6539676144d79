import { Type as t } from '@sinclair/typebox'
import { WholeBody } from '../../core/bodies/body.ts'
import { check } from '../../core/json/check.ts'
import { ManagementForbidden, ManagementUnauthorized } from '../../errors/gateway-error.ts'
import { readBody } from '../../http/read-body.ts'
import { SESSION_COOKIE } from '../../people/sessions/cookie.ts'
import { refuseOtherSites } from '../../people/sessions/forgery.ts'
import { startSession } from '../../people/sessions/start-session.ts'
import { MAXIMUM_KEY_LENGTH } from '../../store/key-material.ts'
import type { LiveApiKey } from '../../store/memory/live-keys.ts'
import { invalidField } from '../invalid-field.ts'
import { auditSession } from './audit.ts'
import { type SignInDeps, takeAttempt, type Visit } from './serve.ts'

export const KeySignIn = t.Object({
  api_key: t.String({ minLength: 1, maxLength: MAXIMUM_KEY_LENGTH, description: 'An API key of the organisation.' }),
})

export const KeySession = t.Object({
  object: t.Literal('session'),
  id: t.String(),
  csrf_token: t.String({ description: 'For the header `x-gateway-csrf` of each change.' }),
  ends_at: t.String(),
})

const BODY_LIMITS = { maxBytes: 4 * 1024, timeoutMs: 10_000 }

/** `POST /v2/sign-in/key`: a session for whoever has a key of the organisation, such as that of the administrator. */
export const signInByKey = async (deps: SignInDeps, visit: Visit): Promise<Response> => {
  const { db, csrf, attempts, clock, publicUrl, sessionMaxHours } = deps
  const { request, address, cookies } = visit
  takeAttempt(deps, visit)
  // Nobody is to be signed in as somebody else by a page of theirs.
  refuseOtherSites(request, publicUrl)
  const key = await findKey(deps, await readKey(request))
  attempts.giveBack(address)
  const { id, name, kind, organisationId } = key
  const { session, token } = await db.transaction(async (transaction) => {
    const started = await startSession(transaction, {
      ...{ organisationId, holder: { apiKeyId: id }, request, address, former: SESSION_COOKIE.read(request) },
      ...{ nowMs: clock.now(), maxHours: sessionMaxHours },
    })
    await auditSession(transaction, visit, { kind, id, name, organisationId }, started.session)
    return started
  })
  cookies.push(SESSION_COOKIE.write(token))
  return Response.json({
    object: 'session',
    id: session.id,
    csrf_token: csrf.of(token),
    ends_at: session.endsAt.toISOString(),
  })
}

/** JSON alone: a form of another site could send anything else without being asked for leave. */
const readKey = async (request: Request): Promise<string> => {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/json') throw invalidField('content-type', 'must be application/json')
  const body = new WholeBody(() => readBody(request, BODY_LIMITS))
  await body.load()
  const checked = check(KeySignIn, body.json())
  if (checked.ok) return checked.value.api_key
  const [{ path = 'api_key', message = 'is not valid' } = {}] = checked.violations
  throw invalidField(path, message)
}

const findKey = async ({ keys, clock }: SignInDeps, text: string): Promise<LiveApiKey> => {
  const key = await keys.find(text)
  const isOver = key?.status !== 'active' || (key.expiresAt !== null && key.expiresAt.getTime() <= clock.now())
  if (key === undefined || isOver) throw new ManagementUnauthorized('The key is not known here, or has expired.')
  if (key.workspaceId === null) return key
  throw new ManagementForbidden('Only a key of the organisation signs in: this one belongs to a workspace.')
}
