import { builtInsFor, environmentSettings } from '../compose/built-ins.ts'
import { loadOwnConfig } from '../compose/own-config.ts'
import { createRuntime, type Runtime } from '../compose/runtime.ts'
import type { LoadedConfig } from '../config/load.ts'
import { defined } from '../core/defined.ts'
import { systemClock } from '../observe/clock.ts'
import { createTracing } from '../observe/trace.ts'
import { VERSION } from '../version.ts'
import type { Environment } from './terminal/environment.ts'

/** The running parts of a config without a store or a listener: what `check`, `routes` and `plugins` look at. */
export const withDryRuntime = async <T>(
  environment: Environment,
  configFile: string | undefined,
  look: (runtime: Runtime, loaded: LoadedConfig) => Promise<T>,
): Promise<T> => {
  const loaded = await loadOwnConfig(environment, defined({ file: configFile }))
  const silent = (): void => undefined
  const runtime = await createRuntime(loaded.config, loaded.folder, {
    clock: systemClock,
    log: { info: silent, warn: silent, error: silent },
    callLog: silent,
    tracing: createTracing(VERSION),
    keys: { find: () => undefined },
    builtIns: builtInsFor(loaded, environment),
    randomId: () => crypto.randomUUID(),
    extraSettings: environmentSettings(environment),
  })
  try {
    return await look(runtime, loaded)
  } finally {
    await runtime.close()
  }
}
