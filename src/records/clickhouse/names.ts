/** Where ClickHouse has the records, and how its servers are told. */
export interface ClickhousePlace {
  /** Database of the tables. Made when it is missing. */
  readonly database: string
  /**
   * Cluster of the servers, as their configuration names it. Rows then lie in tables that end in `_local` on its servers, and
   * those without that ending are `Distributed` over them. Absent: one server.
   */
  readonly cluster?: string | undefined
  /** Tables are `Replicated…`, which asks for a Keeper. */
  readonly replicated: boolean
}

export const TABLES = ['calls', 'bodies', 'feedback', 'spools', 'rollups'] as const
export type Table = (typeof TABLES)[number]

/** Names of tables, quoted. */
export interface Names {
  readonly database: string
  /** What is read and written. */
  all(table: Table): string
  /** Where rows lie, on each server. */
  local(table: string): string
  /** ` on cluster …`, or nothing. */
  readonly onCluster: string
  /** Name of an engine of the family of `MergeTree`, replicated where tables are. */
  engine(name: string): string
}

const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/

/** @throws TypeError for a name with anything but letters, digits, `_` and `-` */
export const namesOf = ({ database, cluster, replicated }: ClickhousePlace): Names => {
  for (const name of [database, cluster ?? 'none']) {
    if (!NAME.test(name)) throw new TypeError(`"${name}" is no name of a database or cluster of ClickHouse`)
  }
  const at = (table: string): string => `\`${database}\`.${table}`
  return {
    database: `\`${database}\``,
    all: at,
    local: (table) => at(cluster === undefined ? table : `${table}_local`),
    onCluster: cluster === undefined ? '' : ` on cluster \`${cluster}\``,
    engine: (name) => (replicated ? `Replicated${name}` : name),
  }
}
