import type { Elysia } from 'elysia'
import type { BuiltIns } from '../config/plugin-list.ts'
import type { OperatorConfig } from '../config/schema.ts'
import { defined } from '../core/defined.ts'
import { errorFields } from '../errors/error-fields.ts'
import { ShuttingDown, UnsupportedEndpoint } from '../errors/gateway-error.ts'
import { createApp, type Readiness } from '../http/app.ts'
import { type Calls, createCalls } from '../http/calls.ts'
import { withCors } from '../http/cors.ts'
import type { InnerAnswer, InnerRequest } from '../http/inner-call.ts'
import type { ServedPlace, ServedPlaces } from '../http/known-paths.ts'
import type { Place } from '../http/path-index.ts'
import { publicRoutes } from '../http/route-table.ts'
import type { RunningRoute } from '../http/running-route.ts'
import { createSpool } from '../http/spool.ts'
import type { ManagementServing } from '../management/serving.ts'
import { within } from '../timing/within.ts'
import { indexPlaces, toPlaces } from './routes.ts'
import { createRuntime, type Runtime, type RuntimeDeps } from './runtime.ts'

/** Everything from outside that a gateway needs. Tests hand in their own. */
export interface GatewayDeps extends RuntimeDeps {
  /** The stores' part of `/readyz`. */
  readonly readiness?: () => Promise<Readiness>
  /** Content version of the config, shown by `/readyz`. */
  readonly configVersion?: string
  /** The stored side for a runtime; absent: only calls to models are served. */
  readonly management?: (runtime: Runtime, config: OperatorConfig) => ManagementServing
  /** Folder that relative plugin paths start from. */
  readonly folder: string
  /** Records of calls can be kept no more, and the operator wants no calls without. Absent: that never happens. */
  readonly refusesCalls?: () => boolean
  /** Where request bodies are kept that may have to be sent again. Absent: none is kept. */
  readonly spoolFolder?: string
}

export interface Gateway {
  /** The web application of the current config; its `routes` are what it really serves. */
  readonly app: Pick<Elysia, 'handle' | 'routes'>
  /** Answers a request by the current config. */
  handle(request: Request): Promise<Response>
  /** The running parts, for `weir check` and `weir routes`. */
  readonly runtime: Runtime
  readonly routes: readonly RunningRoute[]
  readonly calls: Calls
  /**
   * Makes a call of its own, by the current config: through the whole chain, like one of a client.
   * @throws ShuttingDown while it stops; UnsupportedEndpoint for a path that nothing is served at
   */
  ask(request: InnerRequest): Promise<InnerAnswer>
  /**
   * Swaps the whole config. Calls that run finish by the old one, whose plugins are closed after the last of them.
   * @param builtIns of the new config, when they are others than those of the one before
   * @throws ConfigError when the new one cannot run; the old one then stays.
   */
  reload(config: OperatorConfig, version: string, builtIns?: BuiltIns): Promise<void>
  /** Closes WebSockets, each as soon as no response is under way on it. */
  retireSockets(): void
  /** Refuses new calls, waits for the running ones, and ends those that outlive the limit with an error of their own. */
  drain(timeoutMs: number): Promise<void>
  /** Releases what the plugins took. */
  close(): Promise<void>
}

/** Composes a gateway. It never listens: hand `handle` to a server, or call it directly. */
export const createGateway = async (config: OperatorConfig, deps: GatewayDeps): Promise<Gateway> => {
  let current = await build(config, deps, deps.configVersion ?? 'none')
  let draining = false
  /** Earlier configs whose calls still run, each with the end of its plugins. */
  const retiring = new Map<Built, Promise<void>>()

  const retire = (old: Built): void => {
    const done = old.calls
      .idle()
      .then(() => old.runtime.close())
      .catch((thrown: unknown) => deps.log.error('a plugin could not be closed', errorFields(thrown)))
      .finally(() => retiring.delete(old))
    retiring.set(old, done)
  }

  const retireSockets = (): void => {
    for (const { calls } of [current, ...retiring.keys()]) calls.retireSockets()
  }

  return {
    get app() {
      return current.app
    },
    handle: (request) => current.handle(request),
    get runtime() {
      return current.runtime
    },
    get routes() {
      return current.routes
    },
    get calls() {
      return current.calls
    },
    async ask(request) {
      const { basePath, calls, routes } = current
      const path = `${basePath}${request.path}`
      const route = routes.find((each) => each.method === 'POST' && each.path === path)
      if (route === undefined) throw new UnsupportedEndpoint(`Nothing is served at \`${request.path}\`.`)
      return await calls.runInner({ ...request, path }, route)
    },
    async reload(next, version, builtIns = deps.builtIns) {
      const built = await build(next, { ...deps, builtIns }, version)
      if (draining) {
        await built.runtime.close()
        return
      }
      const old = current
      current = built
      retire(old)
    },
    retireSockets,
    async drain(timeoutMs) {
      draining = true
      current.calls.refuseNew()
      retireSockets()
      await within(Promise.all([current.calls.idle(), ...retiring.values()]), timeoutMs)
      const error = new ShuttingDown('The gateway stopped before the answer was complete.')
      for (const { calls } of [current, ...retiring.keys()]) calls.abortAll(error)
    },
    async close() {
      await within(Promise.all(retiring.values()), CLOSE_MS)
      await current.runtime.close()
    },
  }
}

/** Milliseconds that the plugins of an earlier config get to close. */
const CLOSE_MS = 2_000

interface Built {
  readonly app: Gateway['app']
  readonly handle: Gateway['handle']
  readonly runtime: Runtime
  readonly calls: Calls
  readonly routes: readonly RunningRoute[]
  readonly basePath: string
}

const build = async (config: OperatorConfig, deps: GatewayDeps, version: string): Promise<Built> => {
  const runtime = await createRuntime(config, deps.folder, deps)
  const { routes } = runtime
  const { clock, log, randomId } = deps
  const { maxSpoolBytes } = config.server
  const spool =
    deps.spoolFolder === undefined || maxSpoolBytes === 0 ? undefined : createSpool(deps.spoolFolder, maxSpoolBytes)
  const { records, refusesCalls } = deps
  const calls = createCalls({ clock, log, randomId, spool, records, refusesCalls, ...config.server })
  const readiness = async (): Promise<Readiness> => {
    const stores = (await deps.readiness?.()) ?? { ready: true }
    return {
      ...stores,
      config: { version },
      plugins: runtime.plugins.length,
      stages: runtime.stages.map(({ stage }) => stage.name),
    }
  }
  const more = deps.management?.(runtime, config)
  const served = await indexed(runtime, [...publicRoutes(config.server.basePath), ...(more?.paths ?? [])])
  const { app, handle: find } = createApp({
    routes,
    served,
    basePath: config.server.basePath,
    calls,
    readiness,
    ...defined({ more }),
  })
  const handle = withCors(find, config.server.cors)
  return { app, handle, runtime, calls, routes, basePath: config.server.basePath }
}

/** @throws ConfigError when a plugin brings a route at one of our own places; the plugins are closed then */
const indexed = async (
  runtime: Runtime,
  own: readonly (Place & Pick<ServedPlace, 'isForPeople'>)[],
): Promise<ServedPlaces> => {
  const ours = own.map(({ method, path, isForPeople }) => ({
    ...{ method, path, owner: 'the gateway itself' },
    ...defined({ isForPeople }),
  }))
  try {
    return indexPlaces([...toPlaces(runtime.routes), ...ours])
  } catch (thrown) {
    await runtime.close()
    throw thrown
  }
}
