import { loadOwnConfig } from '../compose/own-config.ts'
import { openWeir, presetKeys, type Weir } from '../compose/weir.ts'
import { defined } from '../core/defined.ts'
import { ShuttingDown } from '../errors/gateway-error.ts'
import { errorResponse } from '../http/respond.ts'
import { systemClock } from '../observe/clock.ts'
import { createCallLog, createLogger } from '../observe/log.ts'
import { createPaint, toCallLine, toLogLine } from '../observe/terminal.ts'
import { within } from '../timing/within.ts'
import { followConfig } from './follow-config.ts'
import { firstKeysFile, writeFirstKeys } from './keys/first-keys.ts'
import { type Handler, listen, listenForMetrics } from './listen.ts'
import { banner } from './terminal/banner.ts'
import type { Environment, ExitCode } from './terminal/environment.ts'

/** Milliseconds that open connections get to close once every call has ended. */
const CLOSE_CONNECTIONS_MS = 1_000

/**
 * `weir start`: listens first, so that a taken port costs no keys, then opens the stores, builds the gateway and makes
 * the first keys last, when nothing can fail any more. Runs until a signal ends it.
 */
export const start = async (environment: Environment, configFile: string | undefined): Promise<ExitCode> => {
  const { env, terminal } = environment
  const paint = createPaint(terminal?.error === true && !env.NO_COLOR)
  const log = createLogger(systemClock, environment.error, terminal?.error === true ? toLogLine(paint) : undefined)
  const callLine = toCallLine(createPaint(!env.NO_COLOR))
  const callLog = createCallLog((text) => environment.out(text), log, terminal?.out === true ? callLine : undefined)
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
        url: `http://${server.hostname?.includes(':') ? `[${server.hostname}]` : server.hostname}:${server.port}`,
        basePath: loaded.config.server.basePath,
        created,
        ...defined({ keysFile }),
        paint,
        hasMock: gateway.runtime.providers.some(({ id }) => id === 'mock'),
      }),
    )
    log.info('chain', { stages: gateway.runtime.stages.map(({ stage }) => stage.name) })
    const stopFollowing = followConfig({ environment, configFile, first: loaded, gateway, log, state })
    await stopping
    stopFollowing()
    state.draining = true
    const { drainDelayMs, drainTimeoutMs } = loaded.config.server
    log.info('stopping', { running: gateway.calls.running })
    await Bun.sleep(drainDelayMs)
    const stopped = server.stop()
    await gateway.drain(drainTimeoutMs)
    await within(stopped, CLOSE_CONNECTIONS_MS)
    await release()
    return 0
  } catch (thrown) {
    await server.stop(true)
    await release()
    throw thrown
  }
}

/** The numbers of a gateway that may not stand yet. */
const metricsOf = async (weir: Weir | undefined): Promise<Response> => {
  if (weir === undefined) return new Response('The gateway is starting.\n', { status: 503 })
  const { type, text } = await weir.metrics()
  return new Response(text, { headers: { 'content-type': type } })
}

/** Resolves with the first SIGTERM or SIGINT. */
const stopSignal = (environment: Environment): Promise<void> =>
  new Promise((resolve) => {
    environment.onSignal('SIGTERM', resolve)
    environment.onSignal('SIGINT', resolve)
  })
