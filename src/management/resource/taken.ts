import { ManagementConflict } from '../../errors/gateway-error.ts'
import { isUniqueViolation } from '../../store/errors.ts'

/**
 * Stores what must be unique.
 * @param constraint that a second one would break
 * @param param the field that would have to be another
 * @throws ManagementConflict with the message
 */
export const refuseTaken = async <Stored>(
  constraint: string,
  param: string,
  message: string,
  store: () => Promise<Stored>,
): Promise<Stored> => {
  try {
    return await store()
  } catch (thrown) {
    if (!isUniqueViolation(thrown, constraint)) throw thrown
    throw new ManagementConflict(message, { cause: thrown, param })
  }
}
