/** The database or Redis cannot be used now: unreachable, too slow, refused the login, or its folder is not usable. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** The disk of the database is full: it can be read, and written again once there is room. */
export class StoreFull extends StoreUnavailable {}

/** Another process has the data folder. */
export class FolderInUse extends StoreUnavailable {}

/**
 * The database answered a query with an error. Carries names of the schema only: the driver's own message, detail and
 * parameters may hold keys and other values, so they go neither into the message nor into a cause.
 */
export class QueryFailed extends Error {
  override readonly name = 'QueryFailed'
  /** Five-character SQLSTATE, for example `23505` for a broken unique constraint; absent when the driver gave none. */
  readonly sqlState: string | undefined
  readonly constraint: string | undefined

  constructor(sqlState: string | undefined, constraint: string | undefined) {
    const details = [sqlState && `SQLSTATE ${sqlState}`, constraint && `constraint ${constraint}`].filter(Boolean)
    super(`The database refused a query${details.length > 0 ? ` (${details.join(', ')})` : ''}.`)
    this.sqlState = sqlState
    this.constraint = constraint
  }
}

/** A preset key from the environment cannot be used. The message names the variable and never holds the value. */
export class PresetKeyRefused extends Error {
  override readonly name = 'PresetKeyRefused'
}

/** What the system calls the reason of a failure: `EACCES`. Never its message, which may hold anything. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'

/** The first keys could be handed to nobody, so they were not made. */
export class FirstKeysLost extends Error {
  override readonly name = 'FirstKeysLost'
}

/** Whether the query broke the named unique constraint: the slug, or whatever it is, is taken. */
export const isUniqueViolation = (error: unknown, constraint: string): boolean =>
  error instanceof QueryFailed && error.sqlState === '23505' && error.constraint === constraint

/** Whether the query named a row that does not exist, or would have taken away one that others name. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof QueryFailed && error.sqlState === '23503'
