import { createHmac, timingSafeEqual } from 'node:crypto'
import type { MasterKeys } from '../../secrets/master-key.ts'

/** Header that has to come with each change which a session makes. No form and no other site's script can send it. */
export const CSRF_HEADER = 'x-gateway-csrf'

/** Tokens by which a page shows that it may read what the gateway answers to its session. */
export interface CsrfTokens {
  of(sessionToken: string): string
  isGood(sessionToken: string, given: string): boolean
}

/** The same at every process. Those of the master key before are accepted too, so that pages outlive its rotation. */
export const createCsrfTokens = ({ current, previous }: MasterKeys): CsrfTokens => {
  const own = current.derive('session csrf')
  const accepted = previous === undefined ? [own] : [own, previous.derive('session csrf')]
  const sign = (key: Uint8Array, sessionToken: string): Buffer =>
    createHmac('sha256', key).update(sessionToken).digest()
  return {
    of: (sessionToken) => sign(own, sessionToken).toString('base64url'),
    isGood(sessionToken, given) {
      const bytes = Buffer.from(given, 'base64url')
      return accepted.some((key) => {
        const wanted = sign(key, sessionToken)
        return bytes.length === wanted.length && timingSafeEqual(bytes, wanted)
      })
    },
  }
}
