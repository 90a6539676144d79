import { toGatewayError } from '../errors/envelope.ts'
import {
  GatewayError,
  InternalError,
  ManagementInternal,
  ManagementStorageFull,
  ManagementUnavailable,
} from '../errors/gateway-error.ts'
import { StoreFull, StoreUnavailable } from '../store/errors.ts'

/** Every error of a management route wears the management envelope. */
export const toManagementError = (thrown: unknown, requestId: string): GatewayError => {
  if (thrown instanceof StoreFull) {
    return new ManagementStorageFull('The disk of the database is full: nothing was changed. Make room on it.', {
      cause: thrown,
    })
  }
  if (thrown instanceof StoreUnavailable) {
    return new ManagementUnavailable('The database cannot be reached now.', { cause: thrown, retryAfterMs: 1000 })
  }
  const error = toGatewayError(thrown, requestId)
  if (error.row.family === 'management') return error
  if (error instanceof InternalError) return new ManagementInternal(error.message, { cause: thrown })
  return new GatewayError(error.status < 500 ? 'management_invalid' : 'management_internal', error.message, {
    ...error.options,
    status: error.status,
  })
}
