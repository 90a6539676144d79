import { S3Client } from 'bun'
import { free } from '../core/bodies/spent-pieces.ts'
import { within } from '../timing/within.ts'
import { ContentMissing, type FileBackend, StorageAway } from './backend.ts'

export interface Bucket {
  readonly bucket: string
  /** In front of all names: empty, or with a slash at its end. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  /** Absent: that of AWS for the region. */
  readonly endpoint?: string
  readonly region?: string
}

/**
 * Bytes of an object. A file is several: whatever breaks while it is written, none but whole ones are left, and those are removed.
 * What is written at once is held in memory.
 */
const PART_BYTES = 8 * 1024 * 1024
/** Milliseconds for one request to the bucket. */
const REQUEST_MS = 60_000
/** Milliseconds that a look at it takes at most. */
const LOOK_MS = 2_000
const LISTED_AT_ONCE = 1_000

/** Files in a bucket of an S3-compatible service. */
export const createBucketBackend = ({ prefix, ...options }: Bucket): FileBackend => {
  const client = new S3Client(options)
  const keyOf = (name: string, part: number): string => `${prefix}${name}/${String(part).padStart(6, '0')}`

  const ask = async <T>(request: () => Promise<T>, ms = REQUEST_MS): Promise<T> => {
    try {
      return await within(request(), ms, () => new StorageAway(`the bucket did not answer within ${ms} ms`))
    } catch (thrown) {
      if (thrown instanceof StorageAway) throw thrown
      const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown reason'
      if (code === 'NoSuchKey') throw new ContentMissing('the content of a file is gone')
      throw new StorageAway(`the bucket cannot be used (${code})`)
    }
  }
  const list = (under: string, after: string | undefined, ms?: number) =>
    ask(
      () =>
        client.list({ prefix: under, maxKeys: LISTED_AT_ONCE, ...(after === undefined ? {} : { startAfter: after }) }),
      ms,
    )
  async function* objects(under: string): AsyncGenerator<{ readonly key: string; readonly writtenMs: number }> {
    for (let after: string | undefined; ; ) {
      const { contents = [] } = await list(under, after)
      for (const { key, lastModified } of contents)
        yield { key, writtenMs: lastModified === undefined ? 0 : Date.parse(String(lastModified)) }
      after = contents.at(-1)?.key
      if (contents.length < LISTED_AT_ONCE) return
    }
  }
  const remove = async (name: string): Promise<void> => {
    for await (const { key } of objects(`${prefix}${name}/`)) await ask(() => client.delete(key))
  }

  return {
    kind: 'bucket',
    async write(name, pieces) {
      let part = 0
      try {
        for await (const bytes of inParts(pieces)) {
          await ask(() => client.write(keyOf(name, part), bytes))
          free(bytes)
          part++
        }
      } catch (thrown) {
        if (part > 0) await remove(name).catch(() => undefined)
        throw thrown
      }
    },
    async read(name, from, length) {
      const part = Math.floor(from / PART_BYTES)
      const start = from - part * PART_BYTES
      const first = await ask(() =>
        client
          .file(keyOf(name, part))
          .slice(start, Math.min(start + length, PART_BYTES))
          .bytes(),
      )
      if (start + length <= PART_BYTES || start + first.length < PART_BYTES) return first
      const rest = await ask(() =>
        client
          .file(keyOf(name, part + 1))
          .slice(0, length - first.length)
          .bytes(),
      )
      return Buffer.concat([first, rest])
    },
    remove,
    async *writtenBefore(untilMs) {
      let last: string | undefined
      for await (const { key, writtenMs } of objects(prefix)) {
        const name = key.slice(prefix.length).split('/')[0]
        if (name === undefined || name === last || writtenMs >= untilMs) continue
        last = name
        yield name
      }
    },
    async isThere() {
      try {
        await list(`${prefix}.`, undefined, LOOK_MS)
        return true
      } catch {
        return false
      }
    },
  }
}

/** Puts pieces together to those that are written at once. */
async function* inParts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let bytes = 0
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      const taken = piece.subarray(from, from + PART_BYTES - bytes)
      held.push(taken)
      bytes += taken.length
      from += taken.length
      if (bytes < PART_BYTES) continue
      yield joined(held)
      held = []
      bytes = 0
    }
  }
  if (bytes > 0) yield joined(held)
}

/** Frees what it is made of. */
const joined = (pieces: readonly Uint8Array[]): Uint8Array => {
  const whole = Buffer.concat(pieces)
  for (const piece of pieces) free(piece)
  return whole
}
