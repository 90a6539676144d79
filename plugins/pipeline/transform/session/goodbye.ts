import type { GatewayError } from '#kit'

/** Close codes (RFC 6455, section 7.4.1, and IANA's registry for the last). */
export const NORMAL = 1000
export const GOING_AWAY = 1001
/** The connection was lost. Never sent. */
export const LOST = 1006
const POLICY = 1008
const TRY_LATER = 1013

/** Bytes of a reason (section 5.5): a control frame has room for 125, two of which are the code. */
const MAX_REASON_BYTES = 123

/** What a client is told when the gateway closes a session for an error: its code, and as much of its message as there is room for. */
export const goodbyeOf = (error: GatewayError): { readonly code: number; readonly reason: string } => ({
  code: codeOf(error),
  reason: clipped(`${error.code}: ${error.message}`),
})

const codeOf = ({ code }: GatewayError): number => {
  if (code === 'limits_unavailable') return TRY_LATER
  return code === 'idle_timeout' || code === 'total_timeout' ? GOING_AWAY : POLICY
}

const clipped = (text: string): string => {
  let kept = text.slice(0, MAX_REASON_BYTES)
  while (Buffer.byteLength(kept) > MAX_REASON_BYTES) kept = kept.slice(0, -1)
  return kept.toWellFormed()
}
