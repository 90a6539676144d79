import { join } from 'node:path'
import { createSemanticIndex } from '../cache/semantic-index.ts'
import { type Access, openAccess } from '../compose/access.ts'
import { builtInsFor, environmentSettings } from '../compose/built-ins.ts'
import { createDryRuns } from '../compose/dry-run.ts'
import { createGateway, type Gateway, type GatewayDeps } from '../compose/gateway.ts'
import { type OwnLimits, openLimits } from '../compose/open-limits.ts'
import { loadOwnConfig } from '../compose/own-config.ts'
import { dataDirOf } from '../compose/own-store.ts'
import { openStores, type Stores } from '../compose/stores.ts'
import { defined } from '../core/defined.ts'
import { ShuttingDown } from '../errors/gateway-error.ts'
import { errorResponse } from '../http/respond.ts'
import { managementRoutes } from '../management/routes.ts'
import { createServing } from '../management/serving.ts'
import { systemClock } from '../observe/clock.ts'
import { createCallLog, createLogger } from '../observe/log.ts'
import { createPaint, toCallLine, toLogLine } from '../observe/terminal.ts'
import { createTracing } from '../observe/trace.ts'
import { bootstrap, checkPresets, type PresetKeys } from '../store/bootstrap.ts'
import { within } from '../timing/within.ts'
import { VERSION } from '../version.ts'
import { banner } from './banner.ts'
import type { Environment, ExitCode } from './environment.ts'
import { firstKeysFile, writeFirstKeys } from './first-keys.ts'
import { type FollowState, followConfig } from './follow-config.ts'
import { type Handler, listen } from './listen.ts'

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
  const loaded = await loadOwnConfig(environment, configFile)
  const presets: PresetKeys = {
    ...(env.WEIR_ADMIN_KEY ? { adminKey: env.WEIR_ADMIN_KEY } : {}),
    ...(env.WEIR_API_KEY ? { apiKey: env.WEIR_API_KEY } : {}),
  }
  // Before anything is made: a key that cannot be used must not leave a half-made data folder behind.
  checkPresets(presets)

  let handler: Handler = () => errorResponse(new ShuttingDown('The gateway is starting.', { retryAfterMs: 1000 }))
  const server = listen(loaded.config.server, () => handler)
  let stores: Stores | undefined
  let access: Access | undefined
  let limits: OwnLimits | undefined
  let gateway: Gateway | undefined
  const release = async (): Promise<void> => {
    await gateway?.close()
    await limits?.close()
    await access?.close()
    await stores?.close()
    await callLog.flush()
  }
  try {
    const opened = await openStores(environment, log)
    stores = opened
    const { store } = opened
    const randomId = (): string => crypto.randomUUID()
    const given = await openAccess(store, {
      surroundings: environment,
      config: loaded.config,
      clock: systemClock,
      log,
      randomId,
    })
    access = given
    const own = await openLimits({
      store,
      redis: opened.redis,
      config: loaded.config,
      clock: systemClock,
      log,
      randomId,
    })
    limits = own
    const state: FollowState & { draining: boolean } = { draining: false, configError: undefined }
    const deps: GatewayDeps = {
      clock: systemClock,
      log,
      callLog: callLog.log,
      tracing: createTracing(VERSION),
      keys: given.keys,
      stored: given.stored,
      configs: given.configs,
      prompts: given.prompts,
      flags: opened.flags,
      cache: opened.cache,
      semanticIndex: createSemanticIndex(store.db),
      limits: own.limits,
      builtIns: builtInsFor(loaded, environment),
      randomId,
      extraSettings: environmentSettings(environment),
      folder: loaded.folder,
      spoolFolder: join(dataDirOf(environment), 'uploads'),
      configVersion: loaded.version,
      management: (runtime, basePath) => {
        const { db } = store
        const { findKey } = given
        const dryRuns = createDryRuns({ runtime, basePath, db, findKey, clock: systemClock, randomId })
        return createServing({
          routes: managementRoutes({
            clock: systemClock,
            now: systemClock.now,
            randomId,
            providers: () => runtime.providers,
            checkCustomHost: runtime.checkCustomHost,
            secretBox: given.secretBox,
            limits: { ...own.limits, ...dryRuns },
            endpointTypes: () => runtime.endpoints.list().flatMap(({ requestTypes }) => requestTypes),
            // There are no secret references yet, so none exists.
            secretReferenceExists: async () => false,
            dryRunRoute: dryRuns.dryRunRoute,
          }),
          basePath,
          version: VERSION,
          endpoints: runtime.endpoints.list(),
          deps: {
            db,
            actors: given.actors,
            headerPrefixes: runtime.headerPrefixes,
            log,
            randomId,
            addressOf: (request) => server.requestIP(request)?.address,
          },
          exchangeToken: given.exchangeToken,
        })
      },
      readiness: async () => {
        const stored = await opened.readiness()
        return {
          ...stored,
          ready: stored.ready && !state.draining,
          limits: own.state(),
          ...(state.draining ? { draining: true } : {}),
          ...defined({ configError: state.configError }),
        }
      },
    }
    const running = await createGateway(loaded.config, deps)
    gateway = running
    const keysFile = terminal?.error === true ? undefined : firstKeysFile(environment)
    const { created } = await bootstrap(store.db, presets, (keys) => {
      if (keysFile !== undefined) writeFirstKeys(keysFile, keys)
    })
    handler = running.handle
    environment.error(
      banner({
        url: `http://${server.hostname?.includes(':') ? `[${server.hostname}]` : server.hostname}:${server.port}`,
        basePath: loaded.config.server.basePath,
        created,
        ...defined({ keysFile }),
        paint,
        hasMock: running.runtime.providers.some(({ id }) => id === 'mock'),
      }),
    )
    log.info('chain', { stages: running.runtime.stages.map(({ stage }) => stage.name) })
    const stopFollowing = followConfig({ environment, configFile, first: loaded, gateway: running, log, state })
    await stopping
    stopFollowing()
    state.draining = true
    const { drainDelayMs, drainTimeoutMs } = loaded.config.server
    log.info('stopping', { running: running.calls.running })
    await Bun.sleep(drainDelayMs)
    const stopped = server.stop()
    await running.drain(drainTimeoutMs)
    await within(stopped, CLOSE_CONNECTIONS_MS)
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
