/** What the load of streams does, and what it tells; both as JSON between two processes. */

/**
 * `repeat`: each connection asks again when its stream has ended. `hold`: each stream stays open. `stall`: each stops to read
 * after its first piece.
 */
export type StreamMode = 'repeat' | 'hold' | 'stall'

export interface StreamPlan {
  readonly mode: StreamMode
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly streams: number
  /** From the moment when all streams have begun to the report. Milliseconds. */
  readonly durationMs: number
}

/** What happened from the moment when all streams had begun. */
export interface StreamReport {
  readonly events: number
  readonly durationMs: number
  /** From the last byte of each request to the first of its body. Milliseconds. */
  readonly firstByteMs: readonly number[]
  /** What went wrong since the start, by its kind. */
  readonly failures: Readonly<Record<string, number>>
}
