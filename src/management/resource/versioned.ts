import type { Static, TSchema } from '@sinclair/typebox'
import { ManagementNotFound, ManagementReference } from '../../errors/gateway-error.ts'
import type { Page, Paged } from '../../store/objects/rows.ts'
import type { RowLock, WorkspacePlace } from '../../store/objects/rows-of.ts'
import type { At } from '../../store/objects/versioned-rows.ts'
import type { Db } from '../../store/types.ts'
import { type Actor, authorOf } from '../actor.ts'
import { WorkspaceQuery } from '../fields.ts'
import { listOf, type PageQuery, toList, toPage } from '../list.ts'
import type { AnyRoute, AuditEntry, ManagementCall } from '../route.ts'
import type { Answer } from './answer.ts'
import { type AnyCall, inWorkspace } from './reach.ts'
import { type entryOf, type ResourceOptions, resource, scopesIn } from './resource.ts'

/** An object of a workspace whose versions have numbers, from 1. */
interface VersionedObject {
  readonly id: string
  readonly workspaceId: string
  readonly slug: string
  /** Number of the newest version. */
  readonly version: number
  /** Number of the version that is meant where none is named. Absent: the newest. */
  readonly publishedVersion?: number
}

interface Named {
  readonly workspaceId: string
  readonly reference: string
}

/** Queries of the store, such as `versionedRowsOf` makes. */
interface VersionedRows<Object, Version> {
  find(db: Db, named: Named, lock?: RowLock): Promise<Object | undefined>
  list(db: Db, wanted: WorkspacePlace, page: Page): Promise<Paged<Object>>
  findVersion(db: Db, objectId: string, wanted: string | number): Promise<Version | undefined>
  listVersions(db: Db, objectId: string, page: Page): Promise<Paged<Version>>
  change(
    transaction: Db,
    at: At<Object, Version>,
    changes: { readonly by: string; readonly publishedVersion?: number },
  ): Promise<At<Object, Version>>
}

interface VersionedOptions<Object, Version>
  extends Pick<ResourceOptions<At<Object, Version>, WorkspacePlace>, 'tag' | 'path' | 'answer'> {
  readonly rows: VersionedRows<Object, Version>
  /** What the interface calls such an object. */
  readonly noun: string
  /** First part of its scopes. */
  readonly family: string
  /** What the audit log calls a change. */
  readonly entry: ReturnType<typeof entryOf>
  /** What the audit log keeps. */
  readonly record: (at: At<Object, Version>) => Readonly<Record<string, unknown>>
  /** The object of a path that is read, where such a path may name a version too. @throws ManagementNotFound */
  readonly read?: (db: Db, named: Named) => Promise<At<Object, Version>>
  /** Whether a path may name a version by its number, besides its id. */
  readonly isNumbered?: boolean
  /** What is to be done before an object is held. */
  readonly prepare?: (call: AnyCall, verb: string) => Promise<void>
}

interface ObjectsRoute<Query extends TSchema, Listed> {
  readonly summary: string
  readonly query: Query
  readonly shown: Answer<Listed>
  /** Instead of all objects that the query asks for. */
  rows?(call: ManagementCall<unknown, Static<Query>>, page: Page): Promise<Paged<Listed>>
}

interface VersionsRoute<Object, Version> {
  readonly summary: string
  readonly query: TSchema
  /** How a version is shown in the list. */
  readonly shown: TSchema
  show(call: AnyCall, found: readonly At<Object, Version>[]): readonly object[] | Promise<readonly object[]>
}

interface VersionRoute<Object, Version> {
  readonly summary: string
  /** Path behind that of the versions: `/:version`. */
  readonly path: string
  readonly response: TSchema
  show(call: AnyCall, at: At<Object, Version>): object | Promise<object>
}

const NUMBER = /^[1-9][0-9]{0,8}$/

/**
 * Makes the routes of a stored object that keeps what it said before: those of a resource, whose rows are objects at one
 * of their versions, and those of the versions. An update meets the newest version, all else the published one.
 */
export const versioned = <Object extends VersionedObject, Version>(options: VersionedOptions<Object, Version>) => {
  type Found = At<Object, Version>
  const { rows, noun, family, tag, path, record } = options
  const entry = (verb: string, { object }: Found): AuditEntry => options.entry(verb, object)
  const { place, list } = inWorkspace(rows, noun)
  const parameter = path.slice(path.lastIndexOf('/') + 2)

  /** @throws ManagementNotFound */
  const reach = async (db: Db, named: Named, lock?: RowLock): Promise<Object> => {
    const found = await rows.find(db, named, lock)
    if (found === undefined) throw new ManagementNotFound(`There is no ${noun} '${named.reference}' in the workspace.`)
    return found
  }

  /** @param wanted number or id of a version. @throws ManagementNotFound */
  const at = async (db: Db, object: Object, wanted: number | string | undefined): Promise<Found> => {
    const version = wanted === undefined ? undefined : await rows.findVersion(db, object.id, wanted)
    if (version === undefined) throw new ManagementNotFound(`The ${noun} '${object.slug}' has no such version.`)
    return { object, version }
  }

  const published = (db: Db, object: Object): Promise<Found> =>
    at(db, object, object.publishedVersion ?? object.version)

  /** The object that a call is about. */
  const called = async (call: AnyCall, lock?: RowLock): Promise<Object> =>
    reach(call.db, { ...(await place(call)), reference: call.params[parameter] ?? '' }, lock)

  /** The version that a call is about. @param name of the parameter in its path */
  const calledVersion = async (call: AnyCall, name: string, lock?: RowLock): Promise<Found> => {
    const wanted = call.params[name] ?? ''
    return at(call.db, await called(call, lock), options.isNumbered && NUMBER.test(wanted) ? Number(wanted) : wanted)
  }

  const routes = resource<Found, WorkspacePlace>({
    ...options,
    scopes: scopesIn(family),
    entry,
    query: WorkspaceQuery,
    place,
    // Rows of a list are objects without a version: see `list` below.
    list: list as never,
    async one(call, reference, verb) {
      await options.prepare?.(call, verb)
      if (verb === 'read' && options.read) return options.read(call.db, { ...(await place(call)), reference })
      const object = await called(call, verb === 'read' ? undefined : 'change')
      return verb === 'update' ? at(call.db, object, object.version) : published(call.db, object)
    },
  })

  const versionsRoute = { tag, plane: 'workspace', method: 'GET', changes: false } as const
  return {
    ...routes,
    list: <Query extends TSchema, Listed = Object>(route: ObjectsRoute<Query, Listed>): AnyRoute =>
      routes.list<Query, Listed>(route),

    reach,
    at,
    published,
    calledVersion,

    /**
     * Makes a version the published one. The object must have been reached with the lock `change`.
     * @throws ManagementReference for a version that does not exist
     */
    async publish(transaction: Db, actor: Actor, object: Object, number: number): Promise<Found> {
      const version = await rows.findVersion(transaction, object.id, number)
      if (version === undefined) {
        throw new ManagementReference(`The ${noun} '${object.slug}' has no version ${number}.`, { param: 'version' })
      }
      return rows.change(transaction, { object, version }, { by: authorOf(actor), publishedVersion: number })
    },

    /** What the audit log says of a change, by whoever makes it without a route. */
    created: (made: Found): AuditEntry => ({ ...entry('create', made), after: record(made) }),
    changed: (verb: string, before: Found, after: Found): AuditEntry => ({
      ...entry(verb, after),
      before: record(before),
      after: record(after),
    }),
    deleted: (before: Found): AuditEntry => ({ ...entry('delete', before), before: record(before) }),

    versions: ({ show, shown, ...route }: VersionsRoute<Object, Version>): AnyRoute => ({
      ...versionsRoute,
      ...route,
      path: `${path}/versions`,
      scopes: scopesIn(family)('read'),
      response: listOf(shown),
      async handle(call) {
        const object = await called(call)
        const { rows: found, total } = await rows.listVersions(call.db, object.id, toPage(call.query as PageQuery))
        return toList(
          await show(
            call,
            found.map((version) => ({ object, version })),
          ),
          total,
        )
      },
    }),

    version: ({ show, path: name, ...route }: VersionRoute<Object, Version>): AnyRoute => ({
      ...versionsRoute,
      ...route,
      path: `${path}/versions${name}`,
      etag: true,
      scopes: scopesIn(family)('read'),
      query: WorkspaceQuery,
      handle: async (call) => show(call, await calledVersion(call, name.slice(2))),
    }),
  }
}
