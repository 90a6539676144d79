import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { ChoosingGroupQuery, GraphQuery } from '../../../src/management/analytics/query.ts'
import { namePath } from '../../../src/management/mount.ts'
import type { AnyRoute, Method } from '../../../src/management/route.ts'
import { type Masks, unusualHeadersOf } from './masks.ts'
import { nameOf } from './routes-under-test.ts'
import { isOfProtocol, keyFor, UNCHECKED_PARAMETERS } from './samples.ts'
import { createKey, SCOPES_OF_KIND } from './tenants.ts'
import type { TestAnswer, World } from './world.ts'

type Fields = Readonly<Record<string, unknown>>

/** Who makes a call of a session. */
export type Caller = 'admin' | 'service' | 'user' | 'second service' | 'their admin'

/** Makes calls in the name of one caller, and writes each down with its answer. */
export interface Hand {
  get(path: string): Promise<Fields>
  post(path: string, body?: unknown): Promise<Fields>
  put(path: string, body?: unknown): Promise<Fields>
  patch(path: string, body?: unknown): Promise<Fields>
  delete(path: string, body?: unknown): Promise<Fields>
}

/** What a session plays with: calls of the organisation's key, and those of others by `as`. */
export interface Desk extends Hand {
  readonly world: World
  as(caller: Caller): Hand
}

/** A scripted use of one kind of object, with good and bad input. */
export type Session = (desk: Desk) => Promise<void>

/** A route as a call meets it: before its first call each way to be refused is tried out and written down. */
export interface Recorder {
  play(session: Session): Promise<void>
  /** Names of the routes that were called. */
  readonly played: ReadonlySet<string>
  /** All exchanges, as JSON that people can read. */
  text(): string
}

/** Any of these is wrong for most fields. */
const WRONG_VALUES: readonly unknown[] = [5, null, '', [], {}, 'no such \u{1f600} value']
const WRONG_TEXTS = ['nonsense', '-1', '100000', '']

export const createRecorder = (world: World, routes: readonly AnyRoute[], masks: Masks): Recorder => {
  const entries: unknown[] = []
  const played = new Set<string>()
  const told = new Set<TSchema>()

  const send = async (method: Method, path: string, token: string | undefined, body: unknown): Promise<TestAnswer> =>
    world.call({ method, path, body, ...(token === undefined ? {} : { token }) })

  /** Every way in which a call like this one is refused, with what it is told. */
  const refusals = async (route: AnyRoute, path: string, body: unknown): Promise<Fields> => {
    const refused: Record<string, unknown> = {}
    const attempt = async (about: string, changed: { path?: string; body?: unknown; token?: string | undefined }) => {
      const call = { path, body, token: keyFor(route, world), ...changed }
      const answer = await send(route.method, call.path, call.token, call.body)
      if (answer.status < 400 && route.changes) throw new Error(`${nameOf(route)} was accepted ${about}`)
      refused[about] = answer.status < 400 ? { status: answer.status, answer: answer.body } : refusalOf(answer)
    }
    const needed = new Set<string>(route.scopes)
    const lacking = await createKey(
      world.db,
      'organisation-service',
      world.ours,
      SCOPES_OF_KIND['organisation-service'].filter((scope) => !needed.has(scope)),
    )
    await attempt('without a token', { token: undefined })
    if (needed.size > 0) await attempt('without the scope', { token: lacking })
    if (route.path.includes(':') || !route.changes) {
      await attempt('of another organisation', { token: world.theirs.admin })
      await attempt('of another workspace', { token: world.ours.second.serviceKey })
    }
    for (const unknown of unknownPaths(route, path)) await attempt(`at ${unknown}`, { path: unknown })
    if (isOfProtocol(route)) return refused
    for (const [about, query] of wrongQueries(route, told)) {
      await attempt(about, { path: `${path.split('?')[0]}?${query}` })
    }
    for (const [about, wrong] of wrongBodies(route, body)) await attempt(about, { body: wrong })
    return refused
  }

  const call = async (caller: Caller, method: Method, path: string, body: unknown): Promise<Fields> => {
    const route = routeOf(routes, method, path)
    if (!played.has(nameOf(route))) {
      played.add(nameOf(route))
      entries.push(masks.apply({ route: nameOf(route), refusals: await refusals(route, path, body) }))
    }
    const answer = await send(method, path, tokenOf(world, caller), body)
    entries.push(
      masks.apply({
        call: `${method} ${path}`,
        as: caller,
        ...(body === undefined ? {} : { body }),
        status: answer.status,
        ...unusualHeadersOf(answer.headers),
        answer: answer.body,
      }),
    )
    return answer.body
  }

  const hand = (caller: Caller): Hand => ({
    get: (path) => call(caller, 'GET', path, undefined),
    post: (path, body) => call(caller, 'POST', path, body),
    put: (path, body) => call(caller, 'PUT', path, body),
    patch: (path, body) => call(caller, 'PATCH', path, body),
    delete: (path, body) => call(caller, 'DELETE', path, body),
  })

  return {
    play: (session) => session({ ...hand('admin'), world, as: hand }),
    played,
    text: () => `${readable(entries)}\n`,
  }
}

const tokenOf = ({ ours, theirs }: World, caller: Caller): string =>
  ({
    admin: ours.admin,
    service: ours.first.serviceKey,
    user: ours.first.userKey,
    'second service': ours.second.serviceKey,
    'their admin': theirs.admin,
  })[caller]

/** The route that serves a path: of several the one that says more of it. */
const routeOf = (routes: readonly AnyRoute[], method: Method, path: string): AnyRoute => {
  const parts = path.split('?')[0]?.split('/') ?? []
  const fits = (pattern: string): boolean => {
    const wanted = pattern.split('/')
    return wanted.length === parts.length && wanted.every((part, index) => part[0] === ':' || part === parts[index])
  }
  const [found] = routes
    .filter(
      (route) =>
        route.method === method &&
        [route.path, ...(route.aliases ?? [])].some((spelling) => fits(namePath({ ...route, path: spelling }))),
    )
    .sort((left, right) => left.path.split(':').length - right.path.split(':').length)
  if (found === undefined) throw new Error(`no route serves ${method} ${path}`)
  return found
}

const refusalOf = ({ status, body }: TestAnswer): Fields => {
  if (body.error === undefined) return body
  const { message, param } = body.error as { readonly message: string; readonly param: string | null }
  const { errors } = body as { readonly errors?: readonly { readonly path: string; readonly message: string }[] }
  const [first, second] = errors ?? []
  const saysMore = second !== undefined || (first !== undefined && !message.endsWith(`${first.message}.`))
  return { status, message, ...(param === null ? {} : { param }), ...(saysMore ? { errors } : {}) }
}

function* unknownPaths(route: AnyRoute, path: string): Generator<string> {
  const [plain = '', query] = path.split('?')
  const parts = plain.split('/')
  for (const [index, part] of namePath(route).split('/').entries()) {
    if (part[0] !== ':') continue
    const id = UNCHECKED_PARAMETERS.has(part.slice(1)) ? [] : ['0198c5d2-0000-7000-8000-0000000000ff']
    for (const reference of ['no-such-thing', ...id]) {
      yield `${parts.with(index, reference).join('/')}${query === undefined ? '' : `?${query}`}`
    }
  }
}

/** Parameters that many routes have: their refusals are written down once. */
const SHARED: ReadonlySet<TSchema> = new Set<TSchema>(
  Object.values<TSchema>({ ...GraphQuery.properties, ...ChoosingGroupQuery.properties }),
)

function* wrongQueries({ query }: AnyRoute, told: Set<TSchema>): Generator<readonly [string, string]> {
  yield ['with an unknown parameter', 'nonsense=1']
  for (const [name, schema] of Object.entries<TSchema>(query?.properties ?? {})) {
    if (told.has(schema)) continue
    if (SHARED.has(schema)) told.add(schema)
    for (const text of WRONG_TEXTS) {
      const value = schema.type === 'integer' ? Number(text || Number.NaN) : text
      if (Value.Check(schema, schema.type === 'array' ? [value] : value)) continue
      yield [`with ${name}=${text}`, new URLSearchParams({ [name]: text }).toString()]
    }
  }
}

function* wrongBodies({ body }: AnyRoute, good: unknown): Generator<readonly [string, unknown]> {
  if (body === undefined) return
  // One that may be a list of them too is tried as one.
  const schema: TSchema = body.anyOf?.[0] ?? body
  const fields = { ...(good as Fields | undefined) }
  yield ['with an unknown field', { ...fields, nonsense: 1 }]
  yield ['with a list for a body', []]
  for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
    const { [name]: _, ...rest } = fields
    if (schema.required?.includes(name) && property.default === undefined) yield [`without ${name}`, rest]
    for (const value of WRONG_VALUES.filter((candidate) => !Value.Check(property, candidate)).slice(0, 2)) {
      yield [`with ${name}: ${JSON.stringify(value)}`, { ...fields, [name]: value }]
    }
  }
}

const MAX_LINE = 118

/** JSON with as much on a line as fits. */
export const readable = (value: unknown, indent = ''): string => {
  const flat = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ')
  if (typeof value !== 'object' || value === null || flat.length + indent.length <= MAX_LINE) return flat
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = Object.entries(value).map(
    ([key, item]) => `${isList ? '' : `${JSON.stringify(key)}: `}${readable(item, inner)}`,
  )
  const lines: string[] = []
  for (const part of parts) {
    const joined = `${lines.at(-1)}, ${part}`
    const fits = lines.length > 0 && !joined.includes('\n') && joined.length + inner.length <= MAX_LINE
    if (fits) lines.pop()
    lines.push(fits ? joined : part)
  }
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  return `${open}\n${lines.map((line) => `${inner}${line}`).join(',\n')}\n${indent}${close}`
}
