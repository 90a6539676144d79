import { basename, dirname, resolve } from 'node:path'
import { builtInsFor } from '../compose/built-ins.ts'
import type { Gateway } from '../compose/gateway.ts'
import { loadOwnConfig } from '../compose/own-config.ts'
import type { ReadinessState } from '../compose/weir.ts'
import { ConfigError } from '../config/config-error.ts'
import { CONFIG_NAMES, type LoadedConfig } from '../config/load.ts'
import type { OperatorConfig } from '../config/schema.ts'
import { watchFiles } from '../config/watch.ts'
import { defined } from '../core/defined.ts'
import type { Logger } from '../core/ports.ts'
import { errorFields } from '../errors/error-fields.ts'
import type { Environment } from './terminal/environment.ts'

/**
 * Reloads when the file changes or SIGHUP comes, and when one appears where there was none. One reload at a time; what cannot
 * run, or is gone, keeps the last good config.
 * @returns stops watching.
 */
export const followConfig = (options: {
  readonly environment: Environment
  /** Name given on the command line; absent: every name that a config file can have is looked for. */
  readonly configFile: string | undefined
  readonly first: LoadedConfig
  readonly gateway: Pick<Gateway, 'reload'>
  readonly log: Logger
  readonly state: Pick<ReadinessState, 'configError'>
}): (() => void) => {
  const { environment, configFile, first, gateway, log, state } = options
  let running = first
  let queue: Promise<void> = Promise.resolve()
  const reload = async (): Promise<void> => {
    try {
      const next = await loadOwnConfig(environment, defined({ file: configFile }))
      if (running.file !== undefined && next.file === undefined) {
        throw new ConfigError(`${running.file}: the config file is gone`)
      }
      if (next.version !== running.version || next.file !== running.file) {
        await gateway.reload(next.config, next.version, builtInsFor(next, environment))
        running = next
        log.info('config reloaded', { version: next.version, ...defined({ file: next.file }) })
        if (needsRestart(first.config, next.config)) log.warn('host, port, jwt and limits only change with a restart')
      }
      // Not earlier: while a fault lasts, readiness shows it without a gap.
      state.configError = undefined
    } catch (thrown) {
      state.configError = thrown instanceof Error ? thrown.message : String(thrown)
      log.error('the changed config cannot run; the last good one stays', errorFields(thrown))
    }
  }
  const request = (): void => {
    queue = queue.then(reload)
  }
  environment.onSignal('SIGHUP', request)
  const given = configFile === undefined ? undefined : resolve(environment.folder, configFile)
  const stop =
    given === undefined
      ? watchFiles(environment.folder, CONFIG_NAMES, request)
      : watchFiles(dirname(given), [basename(given)], request)
  // A first start takes seconds, in which the file may have changed unseen.
  request()
  return stop
}

const needsRestart = (first: OperatorConfig, next: OperatorConfig): boolean =>
  first.server.host !== next.server.host ||
  first.server.port !== next.server.port ||
  !Bun.deepEquals(first.jwt, next.jwt) ||
  !Bun.deepEquals(first.limits, next.limits)
