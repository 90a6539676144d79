import type { Logger } from '../../core/ports.ts'
import { errorFields } from '../../errors/error-fields.ts'
import type { Db } from '../../store/types.ts'
import { within } from '../../timing/within.ts'
import { type ChangedPart, type ChangeLine, type ChangesAsked, HEARTBEAT_MS } from '../protocol.ts'
import { MIRRORED_TABLES, type MirroredTable, type MirrorScope } from '../tables.ts'
import { readMarks, readParts } from './parts.ts'

export interface FeedOptions {
  readonly db: Db
  readonly scope: MirrorScope
  readonly asked: Pick<ChangesAsked, 'schema' | 'tables' | 'have'>
  readonly version: string
  /** Completes a row that stands here in a form for this gateway alone. */
  readonly complete: (table: string, row: string) => Promise<string>
  /** It has all that it is to have. */
  readonly onSynced: () => void
  /** It was heard of that it still listens. */
  readonly onBeat: () => void
  /** Called once: the connection is over. */
  readonly onLeave: () => void
  readonly log: Logger
  readonly heartbeatMs?: number
}

/** Bytes of rows that are read and sent at once: a data plane applies them together, and holds them until then. */
const COMMIT_BYTES = 4 * 1024 * 1024
/** Parts that one question reads. */
const PARTS_AT_ONCE = 16
/** A data plane that takes nothing for so long has gone, or is too slow: it comes again, and goes on where it was. */
const SLOW_MS = 30_000
/** What cannot be read now is tried again. */
const RETRY_MS = 500
const text = new TextEncoder()

type EndReason = Extract<ChangeLine, { type: 'end' }>['reason']

/** What one data plane is sent: first what it lacks, then what changes. One thing at a time, each when it has taken the last. */
export class Feed {
  readonly stream: ReadableStream<Uint8Array>
  readonly #options: FeedOptions
  readonly #tables: readonly MirroredTable[]
  /** Marks of what it has. */
  readonly #known: Map<string, Map<string, string>>
  #stale: Set<string>
  #end: EndReason | undefined
  #isOver = false
  #wake: () => void = () => undefined
  #controller: ReadableStreamDirectController | undefined

  constructor(options: FeedOptions) {
    this.#options = options
    const { tables, have } = options.asked
    this.#tables = MIRRORED_TABLES.filter(({ name }) => tables.includes(name))
    this.#known = new Map(this.#tables.map(({ name }) => [name, new Map(Object.entries(have[name] ?? {}))]))
    this.#stale = new Set(this.#known.keys())
    this.stream = new ReadableStream<Uint8Array>({
      type: 'direct',
      pull: (controller) => this.#begin(controller),
      cancel: () => this.#leave(),
    })
  }

  /** Some tables have changed; `*` stands for all of them. */
  changed(tables: ReadonlySet<string>): void {
    for (const { name, follows = [] } of this.#tables) {
      const isConcerned = tables.has('*') || tables.has(name) || follows.some((other) => tables.has(other))
      if (isConcerned) this.#stale.add(name)
    }
    this.#wake()
  }

  end(reason: EndReason): void {
    this.#end ??= reason
    this.#wake()
  }

  /** A reader asks again for each piece that is not there yet; it gets what is written meanwhile. */
  #begin(controller: ReadableStreamDirectController): Promise<void> | undefined {
    if (this.#controller !== undefined) return undefined
    this.#controller = controller
    return this.#run().finally(() => {
      this.#leave()
      controller.close()
    })
  }

  async #run(): Promise<void> {
    const { scope, version, onSynced, onBeat, log, heartbeatMs = HEARTBEAT_MS } = this.#options
    await this.#send([{ type: 'hello', organisation: scope.organisationId, deployment: scope.deploymentId, version }])
    while (!this.#isOver) {
      if (this.#end !== undefined) {
        await this.#send([{ type: 'end', reason: this.#end }])
        return
      }
      if (this.#stale.size === 0) {
        await this.#waitForNews(heartbeatMs)
        if (this.#stale.size === 0 && this.#end === undefined) await this.#send([{ type: 'heartbeat' }])
        onBeat()
        continue
      }
      try {
        const isSynced = await this.#sendDifference()
        if (isSynced) onSynced()
      } catch (thrown) {
        log.warn('changes could not be read for a data plane: it is tried again', errorFields(thrown))
        await this.#waitForNews(RETRY_MS)
        await this.#send([{ type: 'heartbeat' }])
      }
    }
  }

  /** @returns whether that was all */
  async #sendDifference(): Promise<boolean> {
    const stale = this.#stale
    this.#stale = new Set()
    let difference: Awaited<ReturnType<Feed['read']>>
    try {
      difference = await this.read(stale)
    } catch (thrown) {
      for (const table of stale) this.#stale.add(table)
      throw thrown
    }
    const { parts, isAll } = difference
    if (!isAll) for (const table of stale) this.#stale.add(table)
    const isSynced = this.#stale.size === 0
    await this.#send([...parts.map((part): ChangeLine => ({ type: 'part', ...part })), { type: 'commit', isSynced }])
    for (const { table, part, mark } of parts) {
      if (mark === undefined) this.#known.get(table)?.delete(part)
      else this.#known.get(table)?.set(part, mark)
    }
    return isSynced
  }

  /** Parts of these tables that are not as the data plane has them, all of one moment, up to a bound. */
  async read(
    tables: ReadonlySet<string>,
  ): Promise<{ readonly parts: readonly ChangedPart[]; readonly isAll: boolean }> {
    const { db, scope, asked } = this.#options
    const parts: ChangedPart[] = []
    let bytes = 0
    const readInto = async (transaction: Db): Promise<boolean> => {
      for (const table of this.#tables.filter(({ name }) => tables.has(name))) {
        const known = this.#known.get(table.name) ?? new Map<string, string>()
        const marks = await readMarks(transaction, table, scope, asked.schema)
        for (const part of known.keys()) if (!marks.has(part)) parts.push({ table: table.name, part, rows: [] })
        const others = [...marks].filter(([part, mark]) => known.get(part) !== mark)
        for (let from = 0; from < others.length; from += PARTS_AT_ONCE) {
          if (bytes > COMMIT_BYTES) return false
          const wanted = others.slice(from, from + PARTS_AT_ONCE)
          const rows = await readParts(
            transaction,
            table,
            scope,
            wanted.map(([part]) => part),
          )
          for (const [part, mark] of wanted) {
            const found = rows.get(part) ?? []
            for (const row of found) bytes += row.length
            parts.push({ table: table.name, part, mark, rows: found })
          }
        }
      }
      return true
    }
    const isAll = await db.transaction(readInto, { isolationLevel: 'repeatable read', accessMode: 'read only' })
    const { complete } = this.#options
    const whole = parts.map(async (part) => ({
      ...part,
      rows: await Promise.all(part.rows.map((row) => complete(part.table, row))),
    }))
    return { parts: await Promise.all(whole), isAll }
  }

  #waitForNews(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    this.#wake = resolve
    if (this.#isOver || this.#end !== undefined || this.#stale.size > 0) resolve()
    return promise.finally(() => clearTimeout(timer))
  }

  async #send(lines: readonly ChangeLine[]): Promise<void> {
    for (const line of lines) {
      if (this.#isOver) return
      const written = this.#controller?.write(text.encode(`${JSON.stringify(line)}\n`))
      if (!(written instanceof Promise)) continue
      const taken = await within(
        written.then(
          () => true,
          () => false,
        ),
        SLOW_MS,
      )
      if (taken !== true) this.#leave()
    }
  }

  #leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#wake()
    this.#options.onLeave()
  }
}
