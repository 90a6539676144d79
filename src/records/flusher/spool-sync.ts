import { open } from 'node:fs/promises'
import { positionOf } from '../spool/frame.ts'
import { segmentPath } from '../spool/segment-files.ts'
import type { SharedState } from '../spool/shared-state.ts'

/** Brings what was written through a loss of power, one time after the other: all that came meanwhile goes with the next. */
export class SpoolSync {
  readonly #folder: string
  readonly #state: SharedState
  readonly #isOnDisk: (segment: number) => boolean
  readonly #onSynced: (position: number) => void
  #segment: number
  #position = 0
  #isBusy = false

  constructor(
    folder: string,
    firstSegment: number,
    state: SharedState,
    isOnDisk: (segment: number) => boolean,
    onSynced: (position: number) => void,
  ) {
    this.#folder = folder
    this.#segment = firstSegment
    this.#state = state
    this.#isOnDisk = isOnDisk
    this.#onSynced = onSynced
  }

  get isDone(): boolean {
    const { segment, offset } = this.#state.end()
    return positionOf(segment, offset) <= this.#position
  }

  tick(): void {
    if (this.#isBusy || this.isDone) return
    const { segment, offset } = this.#state.end()
    this.#isBusy = true
    this.#sync(segment)
      .then(
        () => {
          this.#segment = segment
          this.#position = positionOf(segment, offset)
          this.#onSynced(this.#position)
        },
        // Tried again with the next tick: who waits for it has a deadline.
        () => undefined,
      )
      .finally(() => {
        this.#isBusy = false
      })
  }

  async #sync(last: number): Promise<void> {
    for (let segment = this.#segment; segment <= last; segment++) {
      if (!this.#isOnDisk(segment)) continue
      const file = await open(segmentPath(this.#folder, segment), 'r')
      try {
        await file.datasync()
      } finally {
        await file.close()
      }
    }
  }
}
