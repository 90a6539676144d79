import type { TSchema } from '@sinclair/typebox'
import { WholeBody } from '../core/bodies/body.ts'
import { defined } from '../core/defined.ts'
import { check } from '../core/json/check.ts'
import { readJsonObjects } from '../core/json/json-object.ts'
import type { Logger } from '../core/ports.ts'
import {
  ManagementForbidden,
  ManagementInvalid,
  ManagementUnauthorized,
  type Violation,
} from '../errors/gateway-error.ts'
import { readBody } from '../http/read-body.ts'
import { errorResponse } from '../http/respond.ts'
import type { Arrival } from '../http/trusted-proxies.ts'
import { appendAudit } from '../store/objects/audit-log.ts'
import type { Db } from '../store/types.ts'
import type { Actor, Actors, DeploymentActors, SessionActors } from './actor.ts'
import { findLongKey } from './long-key.ts'
import { toManagementError } from './management-error.ts'
import { type Conditions, matchesWeakly, readConditions, refusedHeader } from './preconditions/conditions.ts'
import { tagOf } from './preconditions/entity-tag.ts'
import { inChanges } from './preconditions/in-changes.ts'
import { requireConditions, requireUnchanged } from './preconditions/require-unchanged.ts'
import { isOf, showsSame } from './preconditions/shown-by.ts'
import { named } from './resource/reach.ts'
import type { AnyRoute, AuditEntry, ManagementCall } from './route.ts'
import { WORKSPACE_HEADER } from './tokens/session-actors.ts'
import { findUnstorable } from './unstorable-text.ts'

/** Management bodies are small: a prompt is the largest. */
const BODY_LIMITS = { maxBytes: 1024 * 1024, timeoutMs: 10_000 }

export interface ManagementDeps {
  readonly db: Db
  readonly actors: Actors
  /** Absent: no data plane is known here. */
  readonly deployments?: DeploymentActors
  /** Absent: only tokens say who calls. */
  readonly sessions?: SessionActors
  /** Prefixes that are read like `x-gateway-`; none unless given. */
  readonly headerPrefixes?: readonly string[]
  readonly log: Logger
  readonly randomId: () => string
  /** Who a request is from, as far as the network tells, and where it was sent. */
  readonly arrivalOf: (request: Request) => Arrival
}

/**
 * Runs one management call: who, may they, is it well formed, do it, write down that it was done.
 * @param shown the route that shows what this one changes or answers with: see `shownBy`
 */
export const runRoute = async (
  route: AnyRoute,
  request: Request,
  params: Readonly<Record<string, string>>,
  deps: ManagementDeps,
  shown?: AnyRoute,
): Promise<Response> => {
  const requestId = deps.randomId()
  const headers = new Headers({ 'x-gateway-request-id': requestId, 'x-request-id': requestId })
  const alias = deps.headerPrefixes?.find((prefix) => request.headers.has(`${prefix}api-key`))
  if (alias !== undefined) headers.set(`${alias}request-id`, requestId)
  try {
    const from = deps.arrivalOf(request)
    const actor = route.isPublic === true ? NOBODY : await authenticate(request, from, deps)
    if (actor !== NOBODY) authorise(route, actor)
    const conditions = conditionsOf(route, request.headers, shown)
    // A tag tells what is shown: who may not see that may not ask for it either.
    if (conditions !== undefined && shown !== undefined) authorise(shown, actor)
    storable(params)
    const query = checkQuery(route, request)
    const body = await checkBody(route, request)
    const { signal } = request
    const checked = { actor, params, query, body, from, signal, request, conditions, shown }
    const result = await perform(route, checked, requestId, deps)
    if (result instanceof Response) return withHeaders(result, headers)
    if (shown !== undefined && showsSame(route, shown)) {
      const tag = tagOf(shown.response, result)
      headers.set('etag', tag)
      // A browser that kept the answer would ask by its tag, and not hear of what is outside of that.
      headers.set('cache-control', 'no-store')
      if (!route.changes && isKnown(conditions, tag)) return new Response(null, { status: 304, headers })
    }
    headers.set('content-type', 'application/json')
    return new Response(JSON.stringify(result), { headers })
  } catch (thrown) {
    const error = toManagementError(thrown, requestId)
    if (error.code === 'management_internal') {
      deps.log.error('a management call failed for a reason of ours', { id: requestId, error: described(thrown) })
    }
    return errorResponse(error, headers, defined({ errors: route.errors }))
  }
}

/** What must hold, where the call says anything and the route has an answer to that. */
const conditionsOf = (route: AnyRoute, headers: Headers, shown: AnyRoute | undefined): Conditions | undefined => {
  const isAsked = headers.has('if-match') || headers.has('if-none-match')
  // Routes of a protocol of others have tags of their own.
  if (!isAsked || route.errors !== undefined) return undefined
  if (route === shown || isOf(route, shown)) return readConditions(headers)
  if (route.changes && headers.has('if-match')) {
    throw refusedHeader('If-Match', 'is not for this path: what it changes is not shown there with an `ETag`')
  }
  return undefined
}

/** Whether the caller has what would be shown. @throws PreconditionFailed where it must be another */
const isKnown = ({ ifMatch, ifNoneMatch }: Conditions = {}, tag: string): boolean => {
  requireConditions({ ifMatch }, [tag])
  return ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, tag)
}

/** Who calls a public route. */
const NOBODY: Actor = {
  kind: 'workspace-user',
  id: 'nobody',
  name: 'nobody',
  organisationId: '',
  scopes: new Set(),
}

const withHeaders = (response: Response, headers: Headers): Response => {
  headers.forEach((value, name) => {
    response.headers.set(name, value)
  })
  return response
}

const authenticate = async (request: Request, from: Arrival, deps: ManagementDeps): Promise<Actor> => {
  const { actors, sessions, headerPrefixes = [], deployments } = deps
  const { headers } = request
  const basic = /^basic\s+(\S+)\s*$/i.exec(headers.get('authorization') ?? '')?.[1]
  if (basic !== undefined && deployments !== undefined) return deployments.find(basic, from.address)
  const bearer = /^bearer\s+(\S+)\s*$/i.exec(headers.get('authorization') ?? '')?.[1]
  const names = ['x-gateway-', ...headerPrefixes].map((prefix) => `${prefix}api-key`)
  const token = bearer ?? names.map((name) => headers.get(name)?.trim()).find((value) => value !== undefined)
  if (token !== undefined && token !== '') {
    const actor = await actors.find(token)
    if (actor === undefined) throw new ManagementUnauthorized('The token is not known here, or has expired.')
    return actor
  }
  // A token wins, and one that is bad is no reason to look at a cookie.
  const actor = token === undefined && !headers.has('authorization') ? await sessions?.find(request) : undefined
  if (actor === undefined) {
    throw new ManagementUnauthorized('No token: send `Authorization: Bearer <key or token>`.')
  }
  return actor
}

const authorise = (route: AnyRoute, actor: Actor): void => {
  if (route.scopes.length === 0 && actor.kind !== 'deployment') return
  if (route.scopes.some((scope) => actor.scopes.has(scope))) return
  if (actor.kind === 'user' && actor.scopes.size === 0) {
    throw new ManagementForbidden(`Name the workspace in the header \`${WORKSPACE_HEADER}\`, one that you are in.`, {
      param: WORKSPACE_HEADER,
    })
  }
  if (route.isForOwn === true && actor.kind === 'user' && actor.scopes.size > 0) return
  const isWrongPlane = route.plane === 'organisation' && actor.workspaceId !== undefined
  throw new ManagementForbidden(
    isWrongPlane
      ? 'This route needs a key of the organisation.'
      : `The key lacks the scope ${route.scopes.join(' or ')}.`,
  )
}

const checkQuery = (route: AnyRoute, request: Request): unknown => {
  const given = new Map<string, unknown>()
  for (const [spelling, value] of new URL(request.url).searchParams) {
    // Older clients send it; the token alone decides whose objects these are (interface contract, section 9).
    if (spelling === 'organisation_id') continue
    const properties: Readonly<Record<string, TSchema>> = route.query?.properties ?? {}
    const name = properties[spelling] === undefined ? (OLDER_SPELLINGS.get(spelling) ?? spelling) : spelling
    if (properties[name]?.type === 'array') {
      given.set(name, [...((given.get(name) as readonly string[] | undefined) ?? []), value])
      continue
    }
    const [, map = '', key = ''] = /^([a-z_]+)\[(.+)\]$/.exec(name) ?? []
    if (takesMap(properties[map])) {
      const before = given.get(map) ?? {}
      if (typeof before !== 'object' || Object.hasOwn(before as object, key)) {
        throw invalid([{ path: map, message: 'given twice' }])
      }
      given.set(map, { ...before, [key]: value })
      continue
    }
    if (given.has(name)) throw invalid([{ path: name, message: 'given twice' }])
    given.set(name, toValue(properties[name]?.type, value))
  }
  if (route.query === undefined) {
    const [stranger] = given.keys()
    if (stranger !== undefined) throw invalid([{ path: stranger, message: 'unknown parameter' }])
    return {}
  }
  return accept(route.query, Object.fromEntries(given))
}

/** How clients of the older interface spell the parameters of a page. */
const OLDER_SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['currentPage', 'current_page'],
  ['pageSize', 'page_size'],
])

/** Query values are text; one that the schema takes for a number or a truth value becomes one where it reads as such. */
const toValue = (type: unknown, text: string): unknown => {
  if (type === 'integer') return /^-?[0-9]{1,15}$/.test(text) ? Number(text) : text
  if (type === 'number') return /^-?[0-9]{1,15}(?:\.[0-9]{1,15})?$/.test(text) ? Number(text) : text
  if (type === 'boolean' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return text
}

const checkBody = async (route: AnyRoute, request: Request): Promise<unknown> => {
  if (route.body === undefined) return undefined
  const { maxBytes, timeoutMs } = BODY_LIMITS
  const body = new WholeBody(() => readBody(request, { maxBytes: route.maxBodyBytes ?? maxBytes, timeoutMs }))
  await body.load()
  const isOmitted = body.bytes.length === 0 && route.bodyOptional === true
  if (isOmitted) return accept(route.body, {})
  return accept(route.body, takesList(route.body) ? readJsonObjects(body.bytes) : body.json())
}

/** A parameter that may be a map is written `name[key]=value`, once for each key. */
const takesMap = (schema: TSchema | undefined): boolean =>
  schema?.anyOf?.some(({ type }: TSchema) => type === 'object') === true

const takesList = ({ anyOf = [] }: TSchema): boolean => anyOf.some(({ type }: TSchema) => type === 'array')

const accept = (schema: TSchema, given: unknown): unknown => {
  const long = findLongKey(given)
  if (long !== undefined) throw invalid([long])
  const checked = check(schema, given)
  if (!checked.ok) throw invalid(checked.violations)
  return storable(checked.value)
}

const storable = (value: unknown): unknown => {
  const found = findUnstorable(value)
  if (found !== undefined) throw invalid([found])
  return value
}

const invalid = (violations: readonly Violation[]): ManagementInvalid => {
  const [first] = violations
  const text = first === undefined ? '' : `: ${first.path === '' ? '' : `\`${first.path}\` `}${first.message}`
  return new ManagementInvalid(`The call is not valid${text}.`, {
    violations,
    ...(first === undefined || first.path === '' ? {} : { param: first.path }),
  })
}

type Checked = Omit<ManagementCall<unknown, unknown>, 'db' | 'require' | 'audit' | 'onCommit'> & {
  readonly request: Request
  readonly conditions: Conditions | undefined
  readonly shown: AnyRoute | undefined
}

/** A change and its audit row are one transaction: neither is ever there without the other. */
const perform = async (
  route: AnyRoute,
  { conditions, shown, ...checked }: Checked,
  requestId: string,
  deps: ManagementDeps,
): Promise<unknown> => {
  const { actor, request } = checked
  const require: ManagementCall<unknown, unknown>['require'] = (scope) => {
    if (!actor.scopes.has(scope)) throw new ManagementForbidden(`The key lacks the scope ${scope}.`)
  }
  const append = (transaction: Db, { actor: by = actor, ...entry }: AuditEntry): Promise<unknown> =>
    appendAudit(transaction, {
      organisationId: by.organisationId,
      actorKind: by.kind,
      actorId: by.id,
      actorName: by.name,
      method: route.method,
      path: new URL(request.url).pathname,
      requestId,
      ...entry,
      ...defined({ sourceAddress: checked.from.address }),
    })
  const noChange = (): never => {
    throw new Error(`${route.method} ${route.path} is declared to change nothing`)
  }
  if (route.audits === true) {
    const entries: AuditEntry[] = []
    const call = {
      ...checked,
      db: deps.db,
      require,
      audit: (entry: AuditEntry) => entries.push(entry),
      onCommit: noChange,
    }
    const result = await route.handle(call)
    for (const entry of entries) await deps.db.transaction((transaction) => append(transaction, entry))
    return result
  }
  if (!route.changes) {
    return route.handle({ ...checked, db: deps.db, require, audit: noChange, onCommit: noChange })
  }
  const committed: (() => void)[] = []
  const answer = await inChanges(deps.db, actor.organisationId, conditions !== undefined, async (transaction) => {
    if (conditions !== undefined && shown !== undefined) {
      const asking = { ...checked, db: transaction, require, audit: noChange, onCommit: noChange }
      await requireUnchanged(shown, asking, conditions, (given) => queryOf(shown, checked, given))
    }
    const entries: AuditEntry[] = []
    const result = await route.handle({
      ...checked,
      db: transaction,
      require,
      audit: (entry) => entries.push(entry),
      onCommit: (work) => committed.push(work),
    })
    const [entry] = entries
    if (entry === undefined || entries.length > 1) {
      throw new Error(`${route.method} ${route.path} wrote ${entries.length} audit entries instead of one`)
    }
    await append(transaction, entry)
    return result
  })
  for (const work of committed) work()
  return answer
}

/** The query by which the object that a call is about is shown. */
const queryOf = ({ query }: AnyRoute, call: Pick<Checked, 'query' | 'body'>, given: object): unknown => {
  if (query === undefined) return {}
  const workspace = named('workspace_id', call.query) ?? named('workspace_id', call.body)
  const isPlaced = workspace !== undefined && query.properties.workspace_id !== undefined
  return accept(query, { ...(isPlaced ? { workspace_id: workspace } : {}), ...given })
}

const described = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
