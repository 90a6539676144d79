import type { Database } from 'bun:sqlite'

/**
 * Runs work in a transaction: all of it or nothing. Not Bun's own, whose statements keep a file open after it was closed.
 * @param kind `immediate` waits for its turn to write
 */
export const inTransaction = (database: Database, kind: 'deferred' | 'immediate', work: () => void): void => {
  database.run(`begin ${kind}`)
  try {
    work()
    database.run('commit')
  } catch (error) {
    // Some errors, as of a full disk, have ended it already.
    if (database.inTransaction) database.run('rollback')
    throw error
  }
}
