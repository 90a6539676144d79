import { loadOwnConfig } from '../compose/own-config.ts'
import { openWeir, presetKeys, type Weir } from '../compose/weir.ts'
import { defined } from '../core/defined.ts'
import { ShuttingDown } from '../errors/gateway-error.ts'
import { errorResponse } from '../http/respond.ts'
import { createPaint } from '../observe/terminal.ts'
import { followConfig } from './follow-config.ts'
import { firstKeysFile, writeFirstKeys } from './keys/first-keys.ts'
import { type Handler, listen, listenForMetrics, urlOf } from './listen.ts'
import { metricsOf } from './metrics-of.ts'
import { createOwnCallLog, createOwnLog } from './own-logs.ts'
import { stopServing } from './stop-serving.ts'
import { banner } from './terminal/banner.ts'
import type { Environment, ExitCode } from './terminal/environment.ts'
import { tidyUp } from './tidy-up.ts'

/**
 * `weir start`: listens first, so that a taken port costs no keys, then opens the stores, builds the gateway and makes
 * the first keys last, when nothing can fail any more. Runs until a signal ends it.
 */
export const start = async (environment: Environment, configFile: string | undefined): Promise<ExitCode> => {
  const { env, terminal } = environment
  const paint = createPaint(terminal?.error === true && !env.NO_COLOR)
  const log = createOwnLog(environment)
  const callLog = createOwnCallLog(environment, log)
  // First of all: a signal that comes during the start ends the gateway as soon as it stands, not halfway.
  const stopping = stopSignal(environment)
  const loaded = await loadOwnConfig(environment, defined({ file: configFile }))
  // Before anything is made: a key that cannot be used must not leave a half-made data folder behind.
  presetKeys(env)

  let handler: Handler = () => errorResponse(new ShuttingDown('The gateway is starting.', { retryAfterMs: 1000 }))
  const server = listen(loaded.config.server, () => handler)
  const keysFile = terminal?.error === true ? undefined : firstKeysFile(environment)
  let weir: Weir | undefined
  let metricsServer: ReturnType<typeof listenForMetrics> | undefined
  const release = async (): Promise<void> => {
    await metricsServer?.stop(true)
    await weir?.close()
    await callLog.flush()
  }
  try {
    const { host, port } = loaded.config.metrics
    if (port !== undefined) metricsServer = listenForMetrics({ host, port }, () => metricsOf(weir))
    weir = await openWeir(loaded, environment, {
      log,
      callLog: callLog.log,
      addressOf: (request) => server.requestIP(request)?.address,
      onKeys: (keys) => {
        if (keysFile !== undefined) writeFirstKeys(keysFile, keys)
      },
      servesCommands: true,
    })
    const { gateway, created, state } = weir
    handler = weir.handle
    environment.error(
      banner({
        url: urlOf(server.hostname, server.port),
        basePath: loaded.config.server.basePath,
        created,
        ...defined({ keysFile }),
        paint,
        hasMock: gateway.runtime.providers.some(({ id }) => id === 'mock'),
      }),
    )
    tidyUp()
    log.info('chain', { stages: gateway.runtime.stages.map(({ stage }) => stage.name) })
    const stopFollowing = followConfig({ environment, configFile, first: loaded, gateway, log, state })
    await stopping
    stopFollowing()
    await stopServing({ server, gateway, state, times: loaded.config.server, log })
    await release()
    return 0
  } catch (thrown) {
    await server.stop(true)
    await release()
    throw thrown
  }
}

/** Resolves with the first SIGTERM or SIGINT. */
const stopSignal = (environment: Environment): Promise<void> =>
  new Promise((resolve) => {
    environment.onSignal('SIGTERM', resolve)
    environment.onSignal('SIGINT', resolve)
  })
