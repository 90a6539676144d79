import type { Gateway } from '../compose/gateway.ts'
import type { ReadinessState } from '../compose/weir.ts'
import type { OperatorConfig } from '../config/schema.ts'
import type { Logger } from '../core/ports.ts'
import { within } from '../timing/within.ts'
import type { CallServer } from './listen.ts'

/** Milliseconds that open connections get to close once every call has ended. */
const CLOSE_CONNECTIONS_MS = 1_000

export interface StopOptions {
  readonly server: CallServer
  readonly gateway: Pick<Gateway, 'calls' | 'drain'>
  readonly state: Pick<ReadinessState, 'draining'>
  readonly times: Pick<OperatorConfig['server'], 'drainDelayMs' | 'drainTimeoutMs'>
  readonly log: Logger
}

/** Takes no new calls, and gives those that run their time to end. */
export const stopServing = async ({ server, gateway, state, times, log }: StopOptions): Promise<void> => {
  state.draining = true
  log.info('stopping', { running: gateway.calls.running })
  await Bun.sleep(times.drainDelayMs)
  const stopped = server.stop()
  await gateway.drain(times.drainTimeoutMs)
  await within(stopped, CLOSE_CONNECTIONS_MS)
}
