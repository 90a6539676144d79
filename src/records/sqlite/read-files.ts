import type { Database } from 'bun:sqlite'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Sources } from '../query/dialect.ts'
import { dayOf, type FileName, ForeignFile, fileName, listFiles, openToRead } from './files.ts'
import { createOpenFiles } from './open-files.ts'

/** Work in steps that each take a moment: others get their turn between them. */
export type Steps<Result> = Generator<undefined, Result>

const FEEDBACK: FileName = { kind: 'feedback', day: 0 }
/** A month and some days of records, and of bodies. */
const MOST_OPEN = 80

/** Files to read from, as they are on the disk now. */
export interface ReadFiles {
  readonly folder: string
  /** Days that have a file, the newest first; those that have a part in a range of microseconds. */
  days(kind: 'records' | 'bodies', from: number, to: number): readonly number[]
  records(day: number): Database | undefined
  bodies(day: number): Database | undefined
  feedback(): Database | undefined
  /** A connection for one question: whoever takes it closes it. */
  feedbackAlone(): Database | undefined
  bytes(): number
  close(): void
}

/** Where a file of records has its rows, and feedback beside it. */
export const sourcesOf = (database: Database): Sources => ({
  calls: 'main.calls',
  feedback: attached.has(database)
    ? 'feedback.feedback'
    : "(select '' as organisation_id, '' as workspace_id, '' as trace_id, 0 as value, 0 as weight where 1 = 0)",
  rollups: 'main.rollups',
})

/** Files of records that have the one of feedback beside them. */
const attached = new WeakSet<Database>()

export const openReadFiles = (folder: string, warn: (message: string) => void): ReadFiles => {
  const warned = new Set<string>()

  /** What is broken is left out, and said once; its writer sets it aside. */
  const open = (name: FileName): Database | undefined => {
    try {
      return openToRead(folder, name)
    } catch (error) {
      if (!(error instanceof ForeignFile)) throw error
      if (!warned.has(error.message)) warn(`${error.message}: what it has is missing in answers`)
      warned.add(error.message)
      return undefined
    }
  }

  const files = createOpenFiles(MOST_OPEN, (name) => {
    const database = open(name)
    return database && { database }
  })

  const attach = (database: Database): Database => {
    const path = join(folder, fileName(FEEDBACK))
    if (!attached.has(database) && existsSync(path) && files.get(FEEDBACK) !== undefined) {
      database.run('attach database ? as feedback', [path])
      attached.add(database)
    }
    return database
  }

  return {
    folder,
    days(kind, from, to) {
      const names = listFiles(folder)
      const there = new Set(names.map(fileName))
      // Those that were removed would keep their place on the disk.
      files.keepOnly((name) => there.has(fileName(name)))
      const [first, last] = [dayOf(from), dayOf(to - 1)]
      return names.filter((name) => name.kind === kind && name.day >= first && name.day <= last).map(({ day }) => day)
    },
    records(day) {
      const database = files.get({ kind: 'records', day })?.database
      return database && attach(database)
    },
    bodies: (day) => files.get({ kind: 'bodies', day })?.database,
    feedback: () => files.get(FEEDBACK)?.database,
    feedbackAlone: () => open(FEEDBACK),
    bytes: () =>
      listFiles(folder).reduce((sum, name) => {
        const path = join(folder, fileName(name))
        return sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0)
      }, 0),
    close: () => files.closeAll(),
  }
}
