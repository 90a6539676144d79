import { join, resolve } from 'node:path'
import { createCounters } from '../budgets/counters.ts'
import { createSemanticIndex } from '../cache/semantic-index.ts'
import type { Env, LoadedConfig } from '../config/load.ts'
import { publicBaseOf } from '../config/public-base.ts'
import type { OperatorConfigInput } from '../config/schema.ts'
import { defined } from '../core/defined.ts'
import type { CallLog, Logger } from '../core/ports.ts'
import { type Arrival, arrivalOf } from '../http/trusted-proxies.ts'
import { createRotationRunner } from '../management/api-keys/rotation-runner.ts'
import { storable } from '../management/integrations/deps.ts'
import { createExportFiles } from '../management/log-exports/files.ts'
import { createExportLinks } from '../management/log-exports/links.ts'
import { createExportRunner } from '../management/log-exports/runner.ts'
import { createTail } from '../management/logs/tail.ts'
import { type ManagementRoutesDeps, managementRoutes } from '../management/routes.ts'
import { createServing } from '../management/serving.ts'
import { refuseSignIn } from '../management/sign-in/mount.ts'
import { systemClock } from '../observe/clock.ts'
import type { Family } from '../observe/metrics/registry.ts'
import { createSeals } from '../records/seals.ts'
import { daysKept } from '../records/settings.ts'
import { createReader } from '../secret-managers/readers.ts'
import { bootstrap, type CreatedKeys, checkPresets, type PresetKeys } from '../store/bootstrap.ts'
import { createDatabaseFiles, createFolderFiles } from '../store/files.ts'
import { slugsOfWorkspaces } from '../store/objects/workspaces.ts'
import { createBlocks } from '../upstream/addresses.ts'
import { VERSION } from '../version.ts'
import { openAccess, type RunningParts } from './access.ts'
import { openAlerts, watchCounts } from './alerts.ts'
import { builtInsFor, environmentSettings } from './built-ins.ts'
import { createConsole } from './console.ts'
import { openDeployments } from './control-plane.ts'
import { countGateway } from './count-gateway.ts'
import { controlPlaneOf, openDataPlane } from './data-plane.ts'
import { createDryRuns } from './dry-run.ts'
import { withForeignCallers } from './foreign-callers.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { createGuardrailDryRun } from './guardrail-dry-run.ts'
import { openInvites } from './invites.ts'
import { createKeptResponses } from './kept-responses.ts'
import { keyRotationAlerts } from './key-rotation-alerts.ts'
import { openLogSettings } from './log-settings.ts'
import { mcpBaseOf, openMcp } from './mcp.ts'
import { openObserve } from './observe.ts'
import { openLimits } from './open-limits.ts'
import { openOwnBatches } from './own-batches.ts'
import { loadOwnConfig } from './own-config.ts'
import { openOwnFiles } from './own-files.ts'
import { dataDirOf, type Surroundings } from './own-store.ts'
import { openRecords } from './records.ts'
import { openStores } from './stores.ts'

/** What a gateway tells those who run it. */
export interface Listeners {
  /** Absent: nothing is logged. */
  readonly log?: Logger
  /** Gets a record of each call. */
  readonly callLog?: CallLog
  /** Network address at the other end of the connection. */
  readonly addressOf?: (request: Request) => string | undefined
  /** Hears of the first keys before they are stored; when it throws, none are. */
  readonly onKeys?: (keys: CreatedKeys) => void
  /** Whether `weir keys` and the like work beside it on the embedded database, by a socket in the data folder. Default: no. */
  readonly servesCommands?: boolean
  /** This is one of several workers beside each other. Absent: there is this process alone. */
  readonly worker?: WorkerPlace
}

/** What a worker needs to know of those beside it. */
export interface WorkerPlace {
  /** From 1 on. */
  readonly id: number
  readonly of: number
  /** The numbers of all workers, this one's included. */
  numbersOfAll(): Promise<readonly Family[]>
}

export interface WeirOptions extends Partial<Surroundings>, Listeners {
  /** What a config file would say. Absent: that of `file`, or of a `weir.config.*` in the folder, or the defaults. */
  readonly config?: OperatorConfigInput
  readonly file?: string
}

/** A whole gateway: stores, limits, cache, calls and management. It takes calls by `handle` alone: others listen. */
export interface Weir {
  /** Answers a request, to calls and to management alike. */
  handle(request: Request): Promise<Response>
  readonly gateway: Gateway
  /** The first keys, when they were made just now: the only time they can be seen. */
  readonly created?: CreatedKeys
  /** Shown by `/readyz`. */
  readonly state: ReadinessState
  /** The numbers of this process, or of all workers, as Prometheus reads them. */
  metrics(): Promise<{ readonly type: string; readonly text: string }>
  /** The numbers of this process. */
  numbers(): readonly Family[]
  /** Releases everything. Calls that still run should be ended with `gateway.drain` before. */
  close(): Promise<void>
}

export interface ReadinessState {
  /** It is about to stop and should get no new calls. */
  draining: boolean
  /** Another worker has taken over: it begins nothing of its own any more. */
  retiring: boolean
  /** Why the last change of the config was refused. */
  configError: string | undefined
}

/**
 * Makes a whole gateway inside another program, as `weir start` does: the environment names the stores and keys
 * (`DATABASE_URL`, `REDIS_URL`, `WEIR_DATA_DIR`, `WEIR_MASTER_KEY`, ...). That of the process is not looked at.
 * @throws ConfigError, StoreUnavailable, MasterKeyRefused, PresetKeyRefused
 */
export const createWeir = async ({
  config,
  file,
  folder = '.',
  env = {},
  ...listeners
}: WeirOptions): Promise<Weir> => {
  const surroundings = { env, folder: resolve(folder) }
  return openWeir(await loadOwnConfig(surroundings, defined({ config, file })), surroundings, listeners)
}

/** Keys that the environment presets. @throws PresetKeyRefused for one that cannot be used */
export const presetKeys = (env: Env): PresetKeys => {
  const presets = defined({ adminKey: env.WEIR_ADMIN_KEY || undefined, apiKey: env.WEIR_API_KEY || undefined })
  checkPresets(presets)
  return presets
}

/** Milliseconds that a start waits for what budgets have counted. */
const LOAD_BUDGETS_MS = 5_000

const silent = (): void => undefined
const SILENT: Logger = { info: silent, warn: silent, error: silent }

/** Makes a whole gateway of a config that was loaded. The first keys come last, when nothing can fail any more. */
export const openWeir = async (
  loaded: LoadedConfig,
  surroundings: Surroundings,
  listeners: Listeners,
): Promise<Weir> => {
  const { log: given = SILENT, callLog = silent, addressOf = () => undefined, onKeys = silent } = listeners
  const { servesCommands, worker } = listeners
  const { config, folder, version: configVersion } = loaded
  // Before anything is made: a key that cannot be used must not leave a half-made data folder behind.
  const presets = presetKeys(surroundings.env)
  const controlPlane = controlPlaneOf(surroundings, config)
  const clock = systemClock
  // Ordered by time: the id of a record says on which day it lies.
  const randomId = (atMs?: number): string => Bun.randomUUIDv7('hex', atMs)
  const opened: { close(): Promise<void> }[] = []
  const close = async (): Promise<void> => {
    for (const each of opened.splice(0).toReversed()) await each.close()
  }
  const keep = <Opened extends { close(): Promise<void> }>(each: Opened): Opened => {
    opened.push(each)
    return each
  }
  try {
    let running: Gateway | undefined
    let parts: RunningParts | undefined
    const runningParts = (): RunningParts => {
      if (parts === undefined) throw new Error('no config runs yet')
      return parts
    }
    // Asked of every record.
    const operations = new Map<string, string>()
    const observe = keep(
      await openObserve({
        env: surroundings.env,
        clock,
        log: given,
        operationOf: (id) => {
          const known = operations.get(id)
          if (known !== undefined) return known
          const found = running?.runtime.endpoints.list().find((endpoint) => endpoint.id === id)?.operation
          if (found !== undefined) operations.set(id, found)
          return found ?? id
        },
        numbersOfAll: worker?.numbersOfAll,
      }),
    )
    const { log, registry: metrics } = observe
    const { store, redis, flags, cache, ...stores } = keep(await openStores(surroundings, log, servesCommands))
    const { db } = store
    const dataPlane =
      controlPlane && keep(await openDataPlane(controlPlane, { surroundings, config, store, clock, log }))
    const access = keep(
      await openAccess(store, { surroundings, config, clock, log, metrics, randomId, running: runningParts }),
    )
    const mcp = keep(
      await openMcp({
        ...{ surroundings, store, secretBox: access.secretBox, references: access.references },
        ...{ people: access.people, config, clock, log, randomId },
      }),
    )
    const alerts = keep(openAlerts({ surroundings, config, db, secretBox: access.secretBox, clock, log }))
    const invites = keep(openInvites({ surroundings, config, clock, log }))
    const counters = keep(createCounters({ clock }))
    const {
      limits,
      budgets,
      state: limitsState,
    } = keep(
      await openLimits({
        ...{ store, redis, config, clock, log, randomId, counters, worker },
        // Those of data planes are watched at their control plane, which counts what all of them spend.
        onCount: dataPlane === undefined ? watchCounts(counters, alerts) : undefined,
      }),
    )
    const seals = createSeals(access.secretBox)
    const logSettings = keep(await openLogSettings(store, config, log))
    const records = keep(
      await openRecords({
        surroundings,
        config,
        clock,
        log,
        seals,
        settings: logSettings.records,
        counters,
        controlPlane,
      }),
    )
    const keptResponses = keep(createKeptResponses({ store, secretBox: access.secretBox, clock, log }))
    const ownFiles = keep(
      openOwnFiles({
        ...{ surroundings, store, secretBox: access.secretBox, bounds: config.files, clock, log, randomId },
      }),
    )
    const state: ReadinessState = { draining: false, retiring: false, configError: undefined }
    const isStopping = (): boolean => state.draining || state.retiring
    const ownBatches = openOwnBatches({
      ...{ store, secretBox: access.secretBox, files: ownFiles.files, findKey: access.findKey, clock, log, randomId },
      bounds: { ...config.batches, maxLineBytes: config.server.maxBodyBytes },
      random: Math.random,
      isStopping,
    })
    const tail = keep(
      createTail({
        reader: records.reader,
        slugsOf: (organisationId, ids) => slugsOfWorkspaces(db, organisationId, ids),
        clock,
        log,
        isStopping,
      }),
    )
    const exportFiles = createExportFiles(
      store.kind === 'postgres' ? createDatabaseFiles(db) : createFolderFiles(join(dataDirOf(surroundings), 'files')),
      access.secretBox,
    )
    const exportRunner = keep(
      createExportRunner({
        store,
        records: records.reader,
        seals,
        readersOf: logSettings.readersOf,
        files: exportFiles,
        log,
        randomId,
      }),
    )
    if (dataPlane === undefined) {
      const onRotation = keyRotationAlerts(alerts)
      keep(createRotationRunner({ store, secretBox: access.secretBox, clock, log, onRotation }))
    }
    const deployments =
      dataPlane === undefined
        ? keep(
            await openDeployments({
              surroundings,
              store,
              secretBox: access.secretBox,
              deliver: records.deliver,
              clock,
              log,
            }),
          )
        : undefined
    const consoleOf = createConsole(log, dataPlane !== undefined)
    const routesOf = (given: ManagementRoutesDeps) => {
      const routes = managementRoutes(given)
      return dataPlane?.routes(routes) ?? routes
    }
    const {
      keys,
      stored,
      storedPrices,
      configs,
      guardrails,
      prompts,
      actors,
      findKey,
      secretBox,
      exchangeToken,
      signIn,
    } = access
    const gateway = keep(
      await createGateway(config, {
        clock,
        log,
        callLog,
        tracing: observe.tracing,
        metrics,
        sinks: observe.sinks,
        keys: withForeignCallers(dataPlane?.keys(keys) ?? keys, { access, mcp, running: runningParts }),
        stored,
        storedPrices,
        configs,
        guardrails,
        prompts,
        flags,
        cache,
        semanticIndex: createSemanticIndex(db),
        keptResponses,
        files: ownFiles.files,
        batches: ownBatches.batches,
        mcp: mcp.gateway,
        records: records.recorder,
        refusesCalls: records.refusesCalls,
        bodyRules: logSettings.bodyRules,
        limits,
        builtIns: builtInsFor(loaded, surroundings),
        randomId,
        extraSettings: environmentSettings(surroundings),
        environment: surroundings.env,
        folder,
        spoolFolder: join(dataDirOf(surroundings), 'uploads'),
        configVersion,
        management: (runtime, current) => {
          const { basePath, forwardedHeaders } = current.server
          const proxies = createBlocks(current.server.trustedProxies)
          const arrival = (request: Request): Arrival =>
            arrivalOf(request, addressOf(request), proxies, forwardedHeaders)
          const { checks, endpoints, headerPrefixes, checkCustomHost, prices, upstream } = runtime
          const providers = storable(runtime)
          parts = {
            providers,
            checkCustomHost,
            basePath,
            readSecret: createReader({
              ...{ means: runtime.secretMeans, clock, log, randomId, folder },
              environment: surroundings.env,
            }),
          }
          const dryRuns = createDryRuns({ runtime, basePath, db, findKey, clock, randomId })
          return createServing({
            ...defined({ links: deployments?.routes }),
            routes: routesOf({
              clock,
              now: clock.now,
              idleMs: signIn.idleMs,
              randomId,
              providers: () => providers,
              checks,
              checkCustomHost,
              pings: upstream,
              secretBox,
              limits: { ...limits, ...dryRuns },
              budgets,
              endpointTypes: () => endpoints.list().flatMap(({ requestTypes }) => requestTypes),
              secretMeans: () => runtime.secretMeans,
              dryRunRoute: dryRuns.dryRunRoute,
              ...createGuardrailDryRun({ runtime, basePath, db, clock }),
              records: records.reader,
              seals,
              readersOf: logSettings.readersOf,
              tail,
              exports: {
                files: exportFiles,
                links: createExportLinks(secretBox, clock.now),
                basePath,
                wake: exportRunner.wake,
              },
              retentionDays: ({ workspaceId }) => daysKept(logSettings.records.retention(), workspaceId),
              alerts,
              invites: {
                ...invites,
                publicUrl: (origin) => publicBaseOf(current.server, origin),
                needSignIn: current.signIn.issuers.length > 0,
              },
              recorder: records.recorder,
              bodyRules: logSettings.bodyRules,
              endpoints: () => endpoints.list(),
              idAt: (timeMs) => Bun.randomUUIDv7('hex', timeMs),
              prices,
              mcpProbe: mcp.probe,
              mcpBase: mcpBaseOf(current),
            }),
            basePath,
            version: VERSION,
            endpoints: endpoints.list(),
            deps: {
              ...{ db, headerPrefixes, log, randomId, arrivalOf: arrival },
              actors: dataPlane?.actors(actors) ?? actors,
              ...defined({
                deployments: deployments?.actors,
                sessions: dataPlane === undefined ? signIn.sessions : undefined,
              }),
            },
            exchangeToken,
            signIn: dataPlane === undefined ? signIn.waysOf(current, arrival, mcp) : refuseSignIn(basePath),
            console: consoleOf(current.server),
            metrics: observe.metrics,
          })
        },
        readiness: async () => {
          const found = await stores.readiness()
          const plane = dataPlane?.readiness()
          return {
            ...found,
            ready: found.ready && !state.draining && plane?.ready !== false,
            ...defined({ controlPlane: plane?.controlPlane }),
            limits: limitsState(),
            ...records.readiness(),
            ...(await ownFiles.readiness()),
            ...(state.draining ? { draining: true } : {}),
            ...defined({ configError: state.configError }),
          }
        },
      }),
    )
    running = gateway
    keep(ownBatches.run((request) => gateway.ask(request)))
    countGateway(metrics, { gateway, limits: limitsState, records: records.stats, counters: counters.stats })
    if (!(await counters.loaded(LOAD_BUDGETS_MS)))
      log.warn('what budgets have counted is not known yet: until the ledger answers, they begin at 0')
    // A data plane has no keys of its own.
    const { created } = dataPlane === undefined ? await bootstrap(db, presets, onKeys) : {}
    return {
      handle: (request) => gateway.handle(request),
      gateway,
      ...defined({ created }),
      state,
      metrics: observe.metrics,
      numbers: () => metrics.collect(),
      close,
    }
  } catch (thrown) {
    await close()
    throw thrown
  }
}
