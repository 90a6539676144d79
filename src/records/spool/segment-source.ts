import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { isCode, readAll, segmentPath } from './segment-files.ts'
import type { SegmentSource } from './segment-reader.ts'

/** A segment on disk; undefined where there is none. */
export const fileSource = (folder: string, segment: number): SegmentSource | undefined => {
  let file: number
  try {
    file = openSync(segmentPath(folder, segment), constants.O_RDONLY)
  } catch (thrown) {
    if (isCode(thrown, 'ENOENT')) return undefined
    throw thrown
  }
  return {
    length: fstatSync(file).size,
    read: (into, at) => readAll(file, into, at),
    close: () => closeSync(file),
  }
}

/** A segment that is in memory alone. */
export const memorySource = (buffer: SharedArrayBuffer): SegmentSource => {
  const bytes = new Uint8Array(buffer)
  return {
    length: bytes.length,
    read(into, at) {
      const part = bytes.subarray(at, at + into.length)
      into.set(part)
      return part.length
    },
    close: () => undefined,
  }
}
