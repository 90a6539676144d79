import { LimitsUnavailable, ManagementUnavailable } from '../../errors/gateway-error.ts'

/**
 * @param what whose counts are asked for
 * @throws ManagementUnavailable when the store of the counts is away
 */
export const whileCounted = async <Result>(what: 'rate limits' | 'budgets', work: Promise<Result>): Promise<Result> => {
  try {
    return await work
  } catch (thrown) {
    if (!(thrown instanceof LimitsUnavailable)) throw thrown
    const { retryAfterMs = 1000 } = thrown.options
    throw new ManagementUnavailable(`The counts of ${what} cannot be reached now.`, { cause: thrown, retryAfterMs })
  }
}
