import type { Call } from '../core/call.ts'
import { gatewayHeaders } from '../kit/slots.ts'

/** The call would rather fail than have a part of its request left out. */
export const isAskedInFull = (call: Call): boolean =>
  call.get(gatewayHeaders).get('strict-params')?.trim().toLowerCase() === 'true'
