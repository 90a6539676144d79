/** Something that has versions, as it is now. */
export interface Versioned {
  readonly id: string
  /** Number of its newest version; all others are below. */
  readonly version: number
}

/** A version without what it says. */
export interface VersionRow {
  readonly id: string
  readonly number: number
  /** Whose version it is. */
  readonly ownerId: string
}

export interface VersionSource<Content extends VersionRow> {
  /** All versions of these. */
  list(ownerIds: readonly string[]): Promise<readonly VersionRow[]>
  /** What these versions say. */
  read(ids: readonly string[]): Promise<readonly Content[]>
}

/** Versions of one owner, by number. */
export type Versions<Content> = ReadonlyMap<number, Content>

/** Keeps versions that were read: they never change, so only new ones are read again. */
export interface VersionCache<Content> {
  /** Reads what is missing, and forgets what belongs to none of the given owners. */
  refresh(owners: readonly Versioned[]): Promise<void>
  get(ownerId: string): Versions<Content> | undefined
}

/** Owners, or versions, asked for in one query: a version may be a megabyte, and most are a few kilobytes. */
const BATCH = 200

export const createVersionCache = <Content extends VersionRow>(
  source: VersionSource<Content>,
): VersionCache<Content> => {
  let known: ReadonlyMap<string, Versions<Content>> = new Map()

  /** Versions are neither changed nor taken away: who has the same newest one has the same ones. */
  const isCurrent = ({ id, version }: Versioned): boolean => known.get(id)?.has(version) === true

  return {
    async refresh(owners) {
      const listed = await inBatches(
        owners.filter((owner) => !isCurrent(owner)).map(({ id }) => id),
        source.list,
      )
      const missing = listed.filter(({ ownerId, number }) => known.get(ownerId)?.has(number) !== true)
      const found = await inBatches(
        missing.map(({ id }) => id),
        source.read,
      )
      const added = Map.groupBy(found, ({ ownerId }) => ownerId)
      known = new Map(
        owners.map(({ id }) => {
          const before = known.get(id)
          const news = added.get(id)
          if (before !== undefined && news === undefined) return [id, before]
          return [
            id,
            new Map([...(before ?? []), ...(news ?? []).map((content) => [content.number, content] as const)]),
          ]
        }),
      )
    },
    get: (ownerId) => known.get(ownerId),
  }
}

const inBatches = async <Row>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> => {
  const rows: Row[] = []
  for (let start = 0; start < ids.length; start += BATCH) rows.push(...(await read(ids.slice(start, start + BATCH))))
  return rows
}
