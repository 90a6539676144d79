import type { ByteRange } from '#kit/own-files'

/**
 * The part that a request asks for (RFC 9110, section 14).
 * @param bytes of the whole @param etag of what is there now
 * @returns undefined for the whole: no range, several of them, or one that cannot be read; `none` for one behind the end
 */
export const readRange = (
  headers: Pick<Headers, 'get'>,
  bytes: number,
  etag: string,
): ByteRange | 'none' | undefined => {
  const condition = headers.get('if-range')
  const range = headers.get('range')
  if (range === null || (condition !== null && condition !== etag)) return undefined
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.trim()) ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const wanted = Math.min(Number(last), bytes)
    return wanted === 0 ? 'none' : { start: bytes - wanted, end: bytes - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= bytes) return 'none'
  return { start, end: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) }
}
