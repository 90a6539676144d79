import { loadConfig } from '../config/load.ts'
import type { OperatorConfig } from '../config/schema.ts'
import { defined } from '../core/defined.ts'
import type { Environment, ExitCode } from './terminal/environment.ts'

/** Milliseconds the gateway gets to answer. */
const TIMEOUT_MS = 3_000

/** Where a gateway on this machine listens. */
const originOf = ({ host, port }: OperatorConfig['server']): string => {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** Where its routes are. */
export const ownUrl = (server: OperatorConfig['server']): string => `${originOf(server)}${server.basePath}`

/** `weir healthcheck`: for a container, whose image has no other client. */
export const healthcheck = async (environment: Environment, configFile: string | undefined): Promise<ExitCode> => {
  const { env, folder } = environment
  const { config } = await loadConfig(defined({ folder, env, file: configFile }))
  const origin = originOf(config.server)
  try {
    const response = await fetch(`${origin}/healthz`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      proxy: false,
    })
    if (response.ok) return 0
    environment.error(`weir: /healthz answered ${response.status}\n`)
  } catch {
    environment.error(`weir: no answer from ${origin.slice('http://'.length)}\n`)
  }
  return 1
}
