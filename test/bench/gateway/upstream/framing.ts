/** Where a head ends. */
const HEAD_END = Buffer.from('\r\n\r\n')
/** As clients write it: this one is read for every request, and lowering the case of a whole head costs more than looking twice. */
const LENGTHS = ['\r\ncontent-length:', '\r\nContent-Length:'].map((text) => Buffer.from(text))
const CHUNKED_END = '\r\n0\r\n\r\n'
const ZERO = 48
const SPACE = 32

/**
 * Finds where the requests of one connection end, and looks at nothing else: what the upstream costs is what the machine has
 * left for the gateway. Of pipelined requests only those with a length are told apart.
 */
export const createFramer = () => {
  /** Bytes of the body that are still to come. */
  let left = 0
  let chunkedTail: string | undefined
  let unfinishedHead: Buffer | undefined

  /** @returns how many requests ended in this piece */
  return (piece: Buffer): number => {
    let bytes = piece
    if (unfinishedHead !== undefined) {
      bytes = Buffer.concat([unfinishedHead, piece])
      unfinishedHead = undefined
    }
    let ended = 0
    let at = 0
    while (at < bytes.length) {
      if (left > 0) {
        const taken = Math.min(left, bytes.length - at)
        left -= taken
        at += taken
        if (left === 0) ended += 1
        continue
      }
      if (chunkedTail !== undefined) {
        chunkedTail =
          `${chunkedTail}${bytes.toString('latin1', Math.max(at, bytes.length - CHUNKED_END.length))}`.slice(
            -CHUNKED_END.length,
          )
        if (chunkedTail === CHUNKED_END) {
          chunkedTail = undefined
          ended += 1
        }
        break
      }
      const end = bytes.indexOf(HEAD_END, at)
      if (end === -1) {
        unfinishedHead = bytes.subarray(at)
        break
      }
      left = lengthIn(bytes, at, end)
      if (left === 0) {
        if (/\r\ntransfer-encoding: *chunked/i.test(bytes.toString('latin1', at, end))) chunkedTail = '\r\n'
        else ended += 1
      }
      at = end + HEAD_END.length
    }
    return ended
  }
}

export type Framer = ReturnType<typeof createFramer>

const lengthIn = (bytes: Buffer, start: number, end: number): number => {
  for (const name of LENGTHS) {
    const found = bytes.indexOf(name, start)
    if (found === -1 || found > end) continue
    let at = found + name.length
    while (bytes[at] === SPACE) at += 1
    let length = 0
    for (let digit = bytes[at]; digit !== undefined && digit >= ZERO; digit = bytes[at]) {
      length = length * 10 + digit - ZERO
      at += 1
    }
    return length
  }
  return 0
}
