import { GatewayError } from '../../errors/gateway-error.ts'
import type { Environment, ExitCode } from './environment.ts'
import { WrongUsage } from './flags.ts'
import { helpOf } from './help.ts'

/** Does the work of a command. Wrong usage is told with the help of the command and gives 2; what the interface refuses gives 1. */
export const runAction = async (
  environment: Environment,
  command: string,
  work: () => Promise<void>,
): Promise<ExitCode> => {
  try {
    await work()
    return 0
  } catch (thrown) {
    if (thrown instanceof WrongUsage) {
      environment.error(`weir ${command}: ${thrown.message}\n\n${helpOf(command)}`)
      return 2
    }
    if (!(thrown instanceof GatewayError)) throw thrown
    environment.error(`weir ${command}: ${thrown.message}\n`)
    return 1
  }
}
