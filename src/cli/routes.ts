import { publicRoutes } from '../http/route-table.ts'
import { describedRoutes } from '../management/described-routes.ts'
import { servedPaths } from '../management/serving.ts'
import { withDryRuntime } from './dry-runtime.ts'
import type { Environment, ExitCode } from './terminal/environment.ts'
import { table } from './terminal/table.ts'

/** `weir routes`: every route with the chain that guards it, as it would run with this config. */
export const routesCommand = (environment: Environment, configFile: string | undefined): Promise<ExitCode> =>
  withDryRuntime<ExitCode>(environment, configFile, async ({ routes }, { config }) => {
    await environment.out(
      table([
        ...publicRoutes(config.server.basePath).map(({ method, path }) => [method, path, 'public']),
        ...routes.map(({ method, path, chain }) => [method, path, chain.join(' > ')]),
        ...servedPaths(describedRoutes(), config.server.basePath).map(({ method, path, guard }) => [
          method,
          path,
          guard,
        ]),
      ]),
    )
    return 0
  })
