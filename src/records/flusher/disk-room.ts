import type { Pressure } from '../spool/shared-state.ts'
import type { SpoolSettings } from './messages.ts'

/** From this part of the room on no more bodies are taken. */
const WITHOUT_BODIES = 0.75

/**
 * What there is no room for. Bodies go first; then new calls are refused while there is room for those that run, or the
 * oldest rows go.
 * @param bytes that the spools take on disk
 * @param segmentBytes of one segment: room for that is kept for the calls that run
 */
export const pressureOf = (
  bytes: number,
  { maxBytes, onFull }: Pick<SpoolSettings, 'maxBytes' | 'onFull'>,
  segmentBytes: number,
): Pressure => {
  if (onFull === 'refuse') {
    if (bytes >= maxBytes + segmentBytes) return 3
    if (bytes >= maxBytes - segmentBytes) return 2
  }
  return bytes >= maxBytes * WITHOUT_BODIES ? 1 : 0
}
