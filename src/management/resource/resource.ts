import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { defined } from '../../core/defined.ts'
import type { Page, Paged } from '../../store/objects/rows.ts'
import type { Scope } from '../../store/scopes.ts'
import type { Db } from '../../store/types.ts'
import { Empty } from '../fields.ts'
import { listOf, type PageQuery, toList, toPage } from '../list.ts'
import type { AnyRoute, AuditEntry, ManagementCall, Method } from '../route.ts'
import type { Answer } from './answer.ts'
import type { AnyCall, Reach } from './reach.ts'

/** What all routes of a stored object share. */
export interface ResourceOptions<Row, Place>
  extends Pick<Reach<Row, Place>, 'place' | 'one'>,
    Partial<Pick<Reach<Row, Place>, 'list'>> {
  readonly tag: string
  /** `workspace` unless given. */
  readonly plane?: AnyRoute['plane']
  /** Every root unless given. */
  readonly roots?: AnyRoute['roots']
  /** Path of one object, its name the last part: `/labels/:labelId`. The path of all is what stands before that. */
  readonly path: string
  /** Older paths of one. */
  readonly aliases?: readonly string[]
  readonly scopes: (verb: string) => readonly Scope[]
  readonly isForOwn?: AnyRoute['isForOwn']
  /** How one object is shown. */
  readonly answer: Answer<Row, object | Promise<object>>
  /** Adds what is shown of objects and not stored with them. */
  readonly complete?: (db: Db, rows: readonly Row[]) => Promise<readonly Row[]>
  /** What the audit log keeps of it, where that differs. */
  readonly record?: (row: Row) => object | Promise<object>
  /** What the audit log calls a change. */
  readonly entry: (verb: string, row: Row) => AuditEntry
  /** Query of the routes of one object. */
  readonly query?: TObject
}

/** Adds to what the audit log keeps of a change. */
type Note = (fields: object) => void

/** The routes of one verb, with what differs from the other routes of the resource. */
interface RouteOf<Body extends TSchema, Query extends TSchema>
  extends Partial<
    Pick<AnyRoute, 'path' | 'aliases' | 'plane' | 'scopes' | 'bodyOptional' | 'maxBodyBytes' | 'response'>
  > {
  readonly summary: string
  readonly body?: Body
  readonly query?: Query
}

interface ListRoute<Query extends TSchema, Row> extends RouteOf<TSchema, Query> {
  readonly query: Query
  /** Instead of those of the resource, where that has any. */
  rows?(call: ManagementCall<unknown, Static<Query>>, page: Page): Promise<Paged<Row>>
  /** How one of them is shown, where that differs. */
  readonly shown?: Answer<Row>
}

interface ReadRoute<Query extends TSchema, Row>
  extends RouteOf<TSchema, Query>,
    Partial<Pick<AnyRoute, 'audits' | 'views'>> {
  /** Instead of the answer of the resource. */
  show?(call: ManagementCall<unknown, Static<Query>>, row: Row): Promise<unknown>
}

interface CreateRoute<Body extends TSchema, Row, Place, Made extends Row> extends RouteOf<Body, TSchema> {
  readonly body: Body
  readonly response: TSchema
  run(call: ManagementCall<Static<Body>, unknown>, place: Place, note: Note): Promise<Made>
  receipt(made: Made): unknown
}

interface ChangeRoute<Body extends TSchema, Query extends TSchema, Row, Made extends Row> extends RouteOf<Body, Query> {
  readonly body: Body
  /** @param row held against other changes. @returns the object as it is now */
  run(call: ManagementCall<Static<Body>, Static<Query>>, row: Row, note: Note): Promise<Made>
  /** An empty object unless given, together with `response`. */
  receipt?(made: Made): unknown
}

/** A change besides the usual ones: its path stands behind that of the object. */
interface ActRoute<Body extends TSchema, Query extends TSchema, Row, Made extends Row>
  extends ChangeRoute<Body, Query, Row, Made> {
  readonly verb: string
  readonly method: Method
  readonly path: string
}

interface DeleteRoute<Body extends TSchema, Query extends TSchema, Row> extends RouteOf<Body, Query> {
  run(call: ManagementCall<Static<Body>, Static<Query>>, row: Row, note: Note): Promise<unknown>
  receipt?(row: Row): unknown
}

/**
 * Makes the routes of a stored object, a function for each verb. Each takes what is special about its route; what else an
 * object can do is a `defineRoute` beside them.
 */
export const resource = <Row, Place>(options: ResourceOptions<Row, Place>) => {
  const {
    tag,
    plane = 'workspace',
    roots,
    path,
    aliases,
    scopes,
    isForOwn,
    answer,
    record = answer.of,
    entry,
    complete,
  } = options
  const end = path.lastIndexOf('/')
  const one = (call: AnyCall, verb: string): Promise<Row> =>
    options.one(call, call.params[path.slice(end + 2)] ?? '', verb)
  const whole = async <Made extends Row>(db: Db, row: Made): Promise<Made> => {
    const [completed = row] = complete === undefined ? [] : await complete(db, [row])
    return completed as Made
  }
  const ofAll = (text: string): string => text.slice(0, text.lastIndexOf('/'))
  const all = defined({ tag, plane, roots, isForOwn, path: ofAll(path), aliases: aliases?.map(ofAll) })
  const item = defined({ tag, plane, roots, isForOwn, path, aliases, query: options.query })

  const change = (
    { verb, run, receipt, ...route }: ChangeRoute<TSchema, TSchema, Row, Row> & { readonly verb: string },
    method: Method,
  ): AnyRoute => ({
    ...item,
    scopes: scopes(verb),
    response: Empty,
    ...route,
    method,
    changes: true,
    async handle(call) {
      const row = await one(call, verb)
      const before = { ...(await record(await whole(call.db, row))) }
      const notes = {}
      const made = await whole(call.db, await run(call, row, (fields) => Object.assign(notes, fields)))
      call.audit({ ...entry(verb, made), before, after: { ...(await record(made)), ...notes } })
      return receipt?.(made) ?? {}
    },
  })

  return {
    list: <Query extends TSchema, Listed = Row>({
      rows = options.list as never,
      shown = answer as never,
      ...route
    }: ListRoute<Query, Listed>): AnyRoute => {
      if (rows === undefined) throw new Error(`the list of ${path} has no rows`)
      return {
        ...all,
        scopes: scopes('list'),
        response: listOf(shown.schema),
        ...route,
        method: 'GET',
        changes: false,
        async handle(call) {
          const { rows: found, total } = await rows(call as never, toPage(call.query as PageQuery))
          const isOfResource = (shown as unknown) === answer
          const completed = isOfResource && complete !== undefined ? await complete(call.db, found as never) : found
          return toList(await Promise.all((completed as readonly Listed[]).map(shown.of)), total)
        },
      }
    },

    create: <Body extends TSchema, Made extends Row>({
      run,
      receipt,
      ...route
    }: CreateRoute<Body, Row, Place, Made>): AnyRoute => ({
      ...all,
      scopes: scopes('create'),
      ...route,
      method: 'POST',
      changes: true,
      async handle(call) {
        const notes = {}
        const created = await run(call as never, await options.place(call), (fields) => Object.assign(notes, fields))
        const made = await whole(call.db, created)
        call.audit({ ...entry('create', made), after: { ...(await record(made)), ...notes } })
        return receipt(made)
      },
    }),

    read: <Query extends TSchema>({ show, ...route }: ReadRoute<Query, Row>): AnyRoute => ({
      ...item,
      scopes: scopes('read'),
      response: answer.schema,
      // What stands behind its path is something else.
      ...(route.path === undefined && { etag: true as const }),
      ...route,
      method: 'GET',
      changes: false,
      async handle(call) {
        const row = await whole(call.db, await one(call, 'read'))
        return show === undefined ? answer.of(row) : show(call as never, row)
      },
    }),

    update: <Body extends TSchema, Query extends TSchema, Made extends Row>(
      route: ChangeRoute<Body, Query, Row, Made>,
    ): AnyRoute => change({ ...route, verb: 'update' } as never, 'PUT'),

    /** A change besides the usual one. */
    act: <Body extends TSchema, Query extends TSchema, Made extends Row>({
      method,
      path: behind,
      ...route
    }: ActRoute<Body, Query, Row, Made>): AnyRoute => {
      const paths = defined({ path: `${path}${behind}`, aliases: aliases?.map((alias) => `${alias}${behind}`) })
      return change({ ...paths, ...route } as never, method)
    },

    delete: <Body extends TSchema, Query extends TSchema>({
      run,
      receipt,
      ...route
    }: DeleteRoute<Body, Query, Row>): AnyRoute => ({
      ...item,
      scopes: scopes('delete'),
      response: Empty,
      ...route,
      method: 'DELETE',
      changes: true,
      async handle(call) {
        const row = await one(call, 'delete')
        const before = { ...(await record(await whole(call.db, row))) }
        await run(call as never, row, (fields) => Object.assign(before, fields))
        call.audit({ ...entry('delete', row), before })
        return receipt?.(row) ?? {}
      },
    }),
  }
}

/** The scopes of one family: `scopesIn('labels')('read')` is `labels.read`. */
export const scopesIn =
  (family: string) =>
  (verb: string): readonly Scope[] => [`${family}.${verb}` as Scope]

/** What the audit log calls changes of a kind of object: `entryOf('labels', 'label')`. */
export const entryOf =
  (family: string, objectKind: string) =>
  (verb: string, { id, workspaceId }: { readonly id: string; readonly workspaceId: string | null }): AuditEntry =>
    defined({ action: `${family}.${verb}`, objectKind, objectId: id, workspaceId: workspaceId ?? undefined })
