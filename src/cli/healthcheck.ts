import { loadConfig } from '../config/load.ts'
import { defined } from '../core/defined.ts'
import type { Environment, ExitCode } from './terminal/environment.ts'

/** Milliseconds the gateway gets to answer. */
const TIMEOUT_MS = 3_000

/** `weir healthcheck`: for a container, whose image has no other client. */
export const healthcheck = async (environment: Environment, configFile: string | undefined): Promise<ExitCode> => {
  const { env, folder } = environment
  const { config } = await loadConfig(defined({ folder, env, file: configFile }))
  const { host, port } = config.server
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const address = reachable.includes(':') ? `[${reachable}]` : reachable
  try {
    const response = await fetch(`http://${address}:${port}/healthz`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      proxy: false,
    })
    if (response.ok) return 0
    environment.error(`weir: /healthz answered ${response.status}\n`)
  } catch {
    environment.error(`weir: no answer from ${address}:${port}\n`)
  }
  return 1
}
