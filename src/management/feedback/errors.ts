import type { ErrorCode } from '../../errors/catalogue.ts'
import { toEnvelope } from '../../errors/envelope.ts'
import type { GatewayError } from '../../errors/gateway-error.ts'

/** What clients of feedback know refusals by (behaviours, sections 7.3 and 9.2). */
const CODES: Partial<Record<ErrorCode, string>> = {
  management_unauthorized: '03',
  management_invalid: '031',
  management_not_found: '032',
  management_forbidden: '033',
}

/** The envelope of management, and in it that of feedback: `{status, message, code}`. */
export const feedbackErrors = {
  body: (error: GatewayError) => ({
    status: 'failure',
    message: error.message,
    code: CODES[error.code] ?? null,
    ...toEnvelope(error),
  }),
}
