import { ConfigError } from '../config/config-error.ts'
import type { Env } from '../config/load.ts'

/** Where a control plane is, and what proves to it who asks. Can be handed to a thread. */
export interface ControlPlane {
  /** Without a slash at its end. */
  readonly url: string
  /** What stands behind `Basic`. */
  readonly credentials: string
}

const VARIABLE = 'WEIR_CONTROL_PLANE'

/**
 * The control plane that the environment names: then this gateway is a data plane of it.
 * @param trusts whether the operator trusts a host, by its name and port: else it is not asked without TLS
 * @throws ConfigError
 */
export const readControlPlane = (
  env: Env,
  trusts: (hostname: string, port: number) => boolean,
): ControlPlane | undefined => {
  const text = env.WEIR_CONTROL_PLANE
  if (!text) {
    if (env.WEIR_CONTROL_PLANE_CREDENTIALS || env.WEIR_CONTROL_PLANE_USERNAME || env.WEIR_CONTROL_PLANE_PASSWORD) {
      throw new ConfigError(`Credentials of a control plane are set, and ${VARIABLE} is not.`)
    }
    return undefined
  }
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new ConfigError(`${VARIABLE} must be an https URL, without credentials and parameters in it.`)
  }
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  if (url.protocol === 'http:' && !LOOPBACK.test(hostname) && !trusts(hostname, Number(url.port || 80))) {
    throw new ConfigError(
      `${VARIABLE} must be https: keys would go to '${url.host}' in clear. For a network that is safe by itself add the host to WEIR_TRUSTED_HOSTS.`,
    )
  }
  if (env.WEIR_ADMIN_KEY || env.WEIR_API_KEY) {
    throw new ConfigError(
      `${VARIABLE} is set, and so is WEIR_ADMIN_KEY or WEIR_API_KEY. A data plane has the keys of its control plane: set them there.`,
    )
  }
  if (env.DATABASE_URL) {
    throw new ConfigError(
      `${VARIABLE} is set, and so is DATABASE_URL. A data plane keeps what it is sent in its own data folder: leave DATABASE_URL unset.`,
    )
  }
  if (env.CLICKHOUSE_URL) {
    throw new ConfigError(
      `${VARIABLE} is set, and so is CLICKHOUSE_URL. A data plane sends its records to the control plane: leave CLICKHOUSE_URL unset.`,
    )
  }
  return { url: `${url.origin}${url.pathname}`.replace(/\/+$/, ''), credentials: readCredentials(env) }
}

const LOOPBACK = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|::1)$/

const readCredentials = (env: Env): string => {
  const both = env.WEIR_CONTROL_PLANE_CREDENTIALS
  const username = env.WEIR_CONTROL_PLANE_USERNAME
  const password = env.WEIR_CONTROL_PLANE_PASSWORD
  if (both && (username || password)) {
    throw new ConfigError(
      `${VARIABLE}_CREDENTIALS is set, and so are the user name or password: leave one of them out.`,
    )
  }
  if (both) {
    if (/^[^:]+:.+$/s.test(Buffer.from(both, 'base64').toString())) return both
    throw new ConfigError(`${VARIABLE}_CREDENTIALS is not what a deployment shows as its \`client_auth\`.`)
  }
  if (username && password) return Buffer.from(`${username}:${password}`).toString('base64')
  throw new ConfigError(
    `${VARIABLE} needs the credentials of the deployment: ${VARIABLE}_USERNAME and ${VARIABLE}_PASSWORD, or ${VARIABLE}_CREDENTIALS.`,
  )
}
