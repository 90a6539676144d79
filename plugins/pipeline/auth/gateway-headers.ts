import type { GatewayHeaders } from '#kit/slots'

const OWN_PREFIX = 'x-gateway-'

/** Reads gateway headers under our prefix, then under the operator's aliases, and remembers which alias was met. */
export const readGatewayHeaders = (headers: Headers, aliases: readonly string[]): GatewayHeaders => {
  let met: string | undefined
  return {
    get(name) {
      const own = headers.get(OWN_PREFIX + name)
      if (own !== null) return own
      for (const alias of aliases) {
        const value = headers.get(alias + name)
        if (value !== null) {
          met ??= alias
          return value
        }
      }
      return undefined
    },
    aliasPrefix: () => met,
    owns: (name) => name.startsWith(OWN_PREFIX) || aliases.some((alias) => name.startsWith(alias)),
  }
}
