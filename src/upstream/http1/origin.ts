import type { Connection } from './connection.ts'

/** Milliseconds a server must have left a connection alone behind an answer, until it is known for doing so. */
export const PROBATION_MS = 50
/** So often. */
const PROBATION_RESTS = 100
/** Milliseconds for which no connection is used again, once a server has sent what nobody asked for. */
const DISTRUST_MS = 600_000
/** Bytes that come later than this behind an answer do not belong to it: some servers say so when they close. */
const BEHIND_ANSWER_MS = 1_000

/**
 * What is known about one peer: its idle connections, and whether it keeps to one answer a request. HTTP/1.1 cannot tell
 * bytes that come late behind an answer from the beginning of the next, so that a connection is used again only where none are
 * to be expected.
 */
export class Origin {
  /** The one used last at the end: it is taken first, so that the others can grow old. */
  readonly idle: Connection[] = []
  /** On their way to nobody. */
  readonly orphans = new Set<Connection>()
  readonly #probationMs: number
  #rests = 0
  #distrustedUntilMs = Number.NEGATIVE_INFINITY

  constructor(probationMs: number) {
    this.#probationMs = probationMs
  }

  get isEmpty(): boolean {
    return this.idle.length === 0 && this.orphans.size === 0
  }

  /** May a connection be kept for the next call? */
  keeps(nowMs: number): boolean {
    return nowMs >= this.#distrustedUntilMs
  }

  /** Milliseconds that a connection must have been left alone before it is used again. */
  get restMs(): number {
    return this.#rests < PROBATION_RESTS ? this.#probationMs : 0
  }

  /** A connection was left alone for as long as it has to be. */
  rested(): void {
    if (this.#rests < PROBATION_RESTS) this.#rests++
  }

  /** Something came on a connection that nobody had asked for. */
  outOfStep(connection: Connection, nowMs: number): void {
    if (this.idle.includes(connection) && nowMs - connection.idleSinceMs > BEHIND_ANSWER_MS) return
    this.#rests = 0
    this.#distrustedUntilMs = nowMs + DISTRUST_MS
    for (const each of [...this.idle]) each.destroy()
  }
}
