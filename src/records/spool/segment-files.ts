import {
  closeSync,
  constants,
  fdatasyncSync,
  linkSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** Segments of a folder: `000000000042.seg`. Each was allocated whole before it got its name. */
const NAME = /^(\d{12})\.seg$/

export const segmentPath = (folder: string, segment: number): string =>
  join(folder, `${String(segment).padStart(12, '0')}.seg`)

/** Numbers of the segments in a folder, in order. */
export const listSegments = (folder: string): readonly number[] =>
  readdirSync(folder)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((one, other) => one - other)

const ZEROS = new Uint8Array(256 * 1024)

/**
 * Makes a segment of zeros. Its blocks are really taken, so that a full disk is an error here and not a fault of whoever
 * writes into its memory later. Nothing happens where it is there already.
 * @throws what the system says: ENOSPC, EROFS, …
 */
export const allocateSegment = (folder: string, segment: number, bytes: number): void => {
  const unfinished = join(folder, `${crypto.randomUUID()}.new`)
  try {
    const file = openSync(unfinished, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    try {
      for (let at = 0; at < bytes; at += ZEROS.length)
        writeAll(file, ZEROS.subarray(0, Math.min(ZEROS.length, bytes - at)))
    } finally {
      closeSync(file)
    }
    // A name that is taken stays with its segment: two threads may make the same one.
    linkSync(unfinished, segmentPath(folder, segment))
  } catch (thrown) {
    if (!isCode(thrown, 'EEXIST')) throw thrown
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** Writes all of it, at the current place or at `position`. @throws what the system says */
export const writeAll = (file: number, bytes: Uint8Array, position?: number): void => {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done, position === undefined ? null : position + done)
  }
}

/** Reads as much as there is. @returns how many bytes */
export const readAll = (file: number, into: Uint8Array, position: number): number => {
  let done = 0
  while (done < into.length) {
    const read = readSync(file, into, done, into.length - done, position + done)
    if (read === 0) break
    done += read
  }
  return done
}

/** Brings all that was written to a segment through a loss of power, also what was written through its memory. */
export const syncSegment = (folder: string, segment: number): void => {
  const file = openSync(segmentPath(folder, segment), constants.O_RDONLY)
  try {
    fdatasyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Bytes of a segment on disk; 0 for none. */
export const segmentBytes = (folder: string, segment: number): number =>
  statSync(segmentPath(folder, segment), { throwIfNoEntry: false })?.size ?? 0

export const removeSegment = (folder: string, segment: number): void =>
  rmSync(segmentPath(folder, segment), { force: true })

export const isCode = (thrown: unknown, code: string): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === code
