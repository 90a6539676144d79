import { loadOwnConfig } from '../../compose/own-config.ts'
import type { OperatorConfig } from '../../config/schema.ts'
import { defined } from '../../core/defined.ts'
import { errorFields } from '../../errors/error-fields.ts'
import { createPaint } from '../../observe/terminal.ts'
import { firstKeysFile } from '../keys/first-keys.ts'
import { listen, urlOf } from '../listen.ts'
import { createOwnLog } from '../own-logs.ts'
import { banner } from '../terminal/banner.ts'
import type { Environment, ExitCode } from '../terminal/environment.ts'
import { createCrew } from './crew.ts'
import { createListenerGroup } from './listener-group.ts'

/** Stands as `worker` in its own lines. */
const SUPERVISOR = 0
/** Milliseconds that workers have beyond the times of the config, to write down what they know. */
const RELEASE_MS = 15_000

/**
 * `weir start` with several workers: starts them, starts again what dies, replaces them one by one at SIGHUP, adds up their
 * numbers and passes on their lines. It serves nothing itself.
 */
export const supervise = async (
  environment: Environment,
  configFile: string | undefined,
  count: number,
): Promise<ExitCode> => {
  const { env, program, terminal } = environment
  if (program === undefined) throw new Error('this program cannot be started again')
  const log = createOwnLog(environment, SUPERVISOR)
  const { promise: stopping, resolve: stop } = Promise.withResolvers<void>()
  for (const name of ['SIGTERM', 'SIGINT'] as const) environment.onSignal(name, stop)
  const { promise: lost, reject: onLost } = Promise.withResolvers<never>()
  const loaded = await loadOwnConfig(environment, defined({ file: configFile }))
  const { host, basePath, drainDelayMs, drainTimeoutMs } = loaded.config.server
  const port = freePort(loaded.config.server)
  const listeners = createListenerGroup({
    ...{ host, port },
    onUnsteered: () =>
      log.warn('new connections cannot be kept from a worker that ends: one of them may be lost with it'),
  })
  const crew = createCrew({ environment, program, configFile, count, listeners, log, onLost })
  environment.onForcedEnd?.(crew.kill)
  if (!env.REDIS_URL) {
    log.warn('without REDIS_URL each worker counts rate limits by itself, with an equal share of their values', {
      workers: count,
    })
  }

  const reload = async (): Promise<void> => {
    try {
      const { config, version } = await loadOwnConfig(environment, defined({ file: configFile }))
      if (config.server.host !== host || config.server.port !== loaded.config.server.port) {
        log.warn('host and port only change with a restart')
      }
      log.info('replacing the workers, one by one', { version })
      await crew.replaceAll()
      log.info('the workers were replaced', { version })
    } catch (thrown) {
      log.error('the workers cannot be replaced; those that are left go on', errorFields(thrown))
    }
  }

  let problem: unknown
  try {
    const ready = await Promise.race([crew.start(), stopping, lost])
    if (ready !== undefined) {
      const { created, hasMock, stages } = ready
      const keysFile = terminal?.error === true ? undefined : firstKeysFile(environment)
      environment.error(
        banner({
          ...{ basePath, created, hasMock, workers: count },
          url: urlOf(host, port),
          ...defined({ keysFile }),
          paint: createPaint(terminal?.error === true && !env.NO_COLOR),
        }),
      )
      log.info('chain', { stages })
      onHangup(environment, reload)
      await Promise.race([stopping, lost])
    }
    log.info('stopping', { workers: count })
  } catch (thrown) {
    problem = thrown
  }
  const wentInTime = await crew.stop(drainDelayMs + drainTimeoutMs + RELEASE_MS)
  if (!wentInTime) log.error('workers that did not end in time were killed')
  if (problem !== undefined) throw problem
  return wentInTime ? 0 : 1
}

/** A port that nobody listens on. All workers will, so none of them would notice another gateway there. @throws ListenError */
const freePort = (server: OperatorConfig['server']): number => {
  const probe = listen(server, () => () => new Response())
  const { port } = probe
  void probe.stop(true)
  return port ?? server.port
}

/** One reload at a time; of several that are asked for meanwhile one is done. */
const onHangup = (environment: Environment, reload: () => Promise<void>): void => {
  let queue: Promise<void> = Promise.resolve()
  let isWaiting = false
  environment.onSignal('SIGHUP', () => {
    if (isWaiting) return
    isWaiting = true
    queue = queue.then(() => {
      isWaiting = false
      return reload()
    })
  })
}
