import { type ByteStream, DONE_EVENT, encodeEvent } from '#kit'

/** A stream of these chunks, to its proper end. */
export const replay = (chunks: Iterable<object>): ByteStream => {
  const left = chunks[Symbol.iterator]()
  let ended = false
  return {
    async read() {
      if (ended) return undefined
      const next = left.next()
      if (next.done !== true) return encodeEvent(JSON.stringify(next.value))
      ended = true
      return DONE_EVENT
    },
    cancel() {
      ended = true
    },
  }
}
