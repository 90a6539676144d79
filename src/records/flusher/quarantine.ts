import { appendFileSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { textIn } from '../../core/bodies/bytes.ts'

/** What was set aside may take no more room than this; then it is counted only. */
const MAX_BYTES: number = 64 * 1024 * 1024

/** A row that cannot be stored, with the reason. Bodies are as they were: sealed. */
export interface Poison {
  readonly spool: string
  readonly position: number
  readonly kind: string
  readonly reason: string
  readonly row: unknown
}

/** Rows that no store takes, for somebody to look at: a line of JSON each. */
export class Quarantine {
  readonly #path: string | undefined
  #rows = 0

  /** @param root folder of all spools; absent: rows are counted only */
  constructor(root: string | undefined) {
    this.#path = root === undefined ? undefined : join(root, 'quarantine.jsonl')
    if (root !== undefined) {
      try {
        mkdirSync(root, { recursive: true, mode: 0o700 })
      } catch {
        // The rows are kept in memory then, and what is set aside is counted.
      }
    }
  }

  /** Rows that were set aside by this process. */
  get rows(): number {
    return this.#rows
  }

  /** @returns false where there is no room to keep it */
  add(poison: Poison): boolean {
    this.#rows++
    if (this.#path === undefined) return false
    try {
      if ((statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) return false
      appendFileSync(this.#path, `${JSON.stringify(poison, withoutBytes)}\n`, { mode: 0o600 })
      return true
    } catch {
      return false
    }
  }
}

const withoutBytes = (_key: string, value: unknown): unknown =>
  value instanceof Uint8Array ? textIn(value, 'base64') : value
