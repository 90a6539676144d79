import { and, desc, eq, type InferInsertModel, type InferSelectModel, or } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { defined } from '../../core/defined.ts'
import type { Db } from '../types.ts'
import { contains, countRows, isUuid, newId, only, type Page, type Paged } from './rows.ts'
import { type Filters, rowsOf } from './rows-of.ts'

type Columns<Name extends string> = Readonly<Record<Name, PgColumn>>
type ObjectTable = PgTable & Columns<'id' | 'workspaceId' | 'slug' | 'name' | 'createdAt'>
type VersionTable = PgTable & Columns<'id' | 'number'>

/** An object with one of its versions. */
export interface At<Object, Version> {
  readonly object: Object
  readonly version: Version
}

/** What the store itself writes of an object. */
type Kept = 'id' | 'version' | 'ownerId' | 'updatedBy' | 'createdAt' | 'lastUpdatedAt'
type Unchanging = Kept | 'organisationId' | 'workspaceId' | 'slug'

interface Numbered {
  readonly id: string
  /** Number of the newest version. */
  readonly version: number
}

/** Finds objects that have a part of their name or slug in common. */
export const searchFilter = ({ name, slug }: Columns<'name' | 'slug'>) => ({
  search: (part: string) => or(contains(name, part), contains(slug, part)),
})

/**
 * The queries of objects that keep what they said before: what one says is in its versions, which never change, and a
 * change of it adds one.
 * @param owner column of a version that names its object
 * @param filters what a list may be asked for; a part of name or slug unless given
 */
export const versionedRowsOf = <
  Objects extends ObjectTable,
  Versions extends VersionTable,
  Owner extends keyof Versions & string,
  By extends Filters = ReturnType<typeof searchFilter>,
>(
  objects: Objects,
  versions: Versions,
  owner: Owner,
  filters: By = searchFilter(objects) as unknown as By,
) => {
  type Object = Readonly<InferSelectModel<Objects>> & Numbered
  type Version = Readonly<InferSelectModel<Versions>>
  type Content = Omit<Version, 'id' | 'number' | 'ownerId' | 'createdAt' | Owner>
  type New = Omit<InferInsertModel<Objects>, Kept> & { readonly id?: string }
  type Change = Partial<Omit<InferInsertModel<Objects>, Unchanging>>

  const { find, list, remove, ...rows } = rowsOf<Objects, By>(objects, { reference: objects.slug, filters })
  const versionTable: PgTable = versions
  const ownerColumn = versions[owner] as PgColumn

  const addVersion = async (transaction: Db, object: Numbered, content: Content, by: string): Promise<Version> => {
    const row = { id: newId(), [owner]: object.id, number: object.version, ...content, ownerId: by }
    return only(await transaction.insert(versionTable).values(row).returning()) as Version
  }

  return {
    find: find as (...given: Parameters<typeof find>) => Promise<Object | undefined>,
    list: list as (...given: Parameters<typeof list>) => Promise<Paged<Object>>,
    /** Deletes an object with all of its versions. */
    remove,
    update: rows.update,

    /**
     * Stores an object with its first version.
     * @param by who makes it
     */
    async create(
      transaction: Db,
      { content, by, ...row }: New & { readonly content: Content; readonly by: string },
    ): Promise<At<Object, Version>> {
      const object = (await rows.insert(transaction, { ...row, ownerId: by, updatedBy: by } as never)) as Object
      return { object, version: await addVersion(transaction, object, content, by) }
    },

    /** @param wanted id or number of the version */
    async findVersion(db: Db, objectId: string, wanted: string | number): Promise<Version | undefined> {
      if (typeof wanted === 'string' && !isUuid(wanted)) return undefined
      const isWanted = eq(typeof wanted === 'number' ? versions.number : versions.id, wanted)
      const [row] = await db
        .select()
        .from(versionTable)
        .where(and(eq(ownerColumn, objectId), isWanted))
      return row as Version | undefined
    },

    /** All versions of an object, the newest first. */
    async listVersions(db: Db, objectId: string, page: Page): Promise<Paged<Version>> {
      const where = eq(ownerColumn, objectId)
      const query = db.select().from(versionTable).where(where).orderBy(desc(versions.number))
      const found = await query.limit(page.limit).offset(page.offset)
      return { rows: found as Version[], total: await countRows(db, versions, where) }
    },

    /**
     * Writes the given fields; `content` becomes a new version. The object must have been found with the lock `change`.
     * @param at the object, with any version
     * @param by who changes it
     * @returns the object as it is now, with its new version, or else with that of `at`
     */
    async change(
      transaction: Db,
      { object: { id, version: newest }, version }: At<Numbered, Version>,
      { content, by, ...fields }: Change & { readonly content?: Content | undefined; readonly by: string },
    ): Promise<At<Object, Version>> {
      const changes = { ...fields, id, updatedBy: by, version: content === undefined ? undefined : newest + 1 }
      const object = (await rows.update(transaction, defined(changes) as never)) as Object | undefined
      if (object === undefined) throw new Error('An object that is held cannot be gone.')
      return { object, version: content === undefined ? version : await addVersion(transaction, object, content, by) }
    },
  }
}
