import { loadOwnConfig } from '../../compose/own-config.ts'
import { openWeir, type Weir } from '../../compose/weir.ts'
import { defined } from '../../core/defined.ts'
import { followConfig } from '../follow-config.ts'
import { firstKeysFile, writeFirstKeys } from '../keys/first-keys.ts'
import { type CallServer, listen, listenForMetrics } from '../listen.ts'
import { metricsOf } from '../metrics-of.ts'
import { createOwnCallLog, createOwnLog } from '../own-logs.ts'
import { stopServing } from '../stop-serving.ts'
import type { Environment, ExitCode } from '../terminal/environment.ts'
import { tidyUp } from '../tidy-up.ts'
import { createRetirement } from './retirement.ts'
import { steerConnections } from './steer.ts'
import type { SupervisorLink } from './supervisor-link.ts'

/** Milliseconds between two tellings of the numbers: what a worker counts after the last is lost when it is killed. */
const TELL_MS = 2_000

/** `weir start` as a worker: serves when its supervisor says so, until it says otherwise, or is gone. */
export const runWorker = async (
  environment: Environment,
  configFile: string | undefined,
  link: SupervisorLink,
): Promise<ExitCode> => {
  const { id, of, terminal } = link.role
  const log = createOwnLog({ ...environment, terminal }, id)
  const callLog = createOwnCallLog({ ...environment, terminal }, log, id)
  const { promise: stopping, resolve: stop } = Promise.withResolvers<void>()
  link.onEnd(() => {
    log.error('the supervisor is gone: this worker ends what it has begun')
    stop()
  })
  environment.onSignal('SIGTERM', stop)
  // A terminal sends them to every process: what follows is for the supervisor to say.
  for (const name of ['SIGINT', 'SIGHUP'] as const) environment.onSignal(name, () => undefined)
  const loaded = await loadOwnConfig(environment, defined({ file: configFile }))

  let server: CallServer | undefined
  let metricsServer: ReturnType<typeof listenForMetrics> | undefined
  let weir: Weir | undefined
  const release = async (): Promise<void> => {
    await metricsServer?.stop(true)
    await weir?.close()
    await callLog.flush()
  }
  try {
    weir = await openWeir(loaded, environment, {
      log,
      callLog: callLog.log,
      addressOf: (request) => server?.requestIP(request)?.address,
      onKeys: (keys) => {
        if (!terminal.error) writeFirstKeys(firstKeysFile(environment), keys)
      },
      worker: { id, of, numbersOfAll: async () => (await link.numbersOfAll()) ?? weir?.numbers() ?? [] },
    })
    const { gateway, created, state, numbers } = weir
    const tell = (): Promise<void> => link.send({ kind: 'counted', families: numbers() })
    link.on('count', () => void tell())
    const telling = setInterval(tell, TELL_MS)
    const stopFollowing = followConfig({
      environment: { ...environment, onSignal: () => undefined },
      ...{ configFile, first: loaded, gateway, log, state },
    })
    const retirement = createRetirement(weir)
    const listening = new Promise<CallServer>((resolve, reject) =>
      link.on('listen', (place) => {
        try {
          const { host, port } = loaded.config.metrics
          if (port !== undefined) metricsServer = listenForMetrics({ host, port }, () => metricsOf(weir), true)
          server = listen({ ...loaded.config.server, ...place }, () => retirement.handler, { reusePort: true })
          resolve(server)
        } catch (thrown) {
          reject(thrown)
        }
      }),
    )
    tidyUp()
    const hasMock = gateway.runtime.providers.some((provider) => provider.id === 'mock')
    const stages = gateway.runtime.stages.map(({ stage }) => stage.name)
    await link.send({ kind: 'ready', hasMock, stages, ...defined({ created }) })
    const serving = await Promise.race([listening, stopping])
    let isReplaced = false
    if (serving !== undefined) {
      const port = serving.port ?? 0
      link.on('steer', ({ places }) => void link.send({ kind: 'steered', done: steerConnections(port, places) }))
      link.on('retire', () => {
        void metricsServer?.stop(true)
        void retirement.begin(port).then(() => link.send({ kind: 'unused' }))
      })
      const left = new Promise<void>((resolve) => link.on('leave', () => resolve()))
      await link.send({ kind: 'listening' })
      isReplaced = await Promise.race([stopping.then(() => false), left.then(() => true)])
    }
    stopFollowing()
    clearInterval(telling)
    const times = { ...loaded.config.server, ...(isReplaced ? { drainDelayMs: 0 } : {}) }
    if (serving !== undefined) {
      const stopped = stopServing({ server: serving, gateway, state, times, log })
      if (isReplaced) await link.send({ kind: 'left' })
      await stopped
    }
    await release()
    await tell()
    return 0
  } catch (thrown) {
    await server?.stop(true)
    await release()
    throw thrown
  }
}
