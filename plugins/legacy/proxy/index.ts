import { LEGACY_SINCE } from '#calls/legacy-route'
import { readPassThrough, readPath, restOfPath } from '#calls/pass-through/pass-through'
import { definePlugin, type Host, InvalidHeader, type Stage, t } from '#kit'
import { type GatewayHeaders, gatewayHeaders, legacyCall, passThrough } from '#kit/slots'

/**
 * `/v1/proxy/*`, for applications of 2023: the rest of the path goes to the provider that `x-gateway-mode: proxy openai`
 * names. For a cloud that gives each customer a host of its own, the rest begins with that host.
 */
export default definePlugin({
  name: 'legacy-proxy',
  config: t.Object({}),
  needs: ['providers'],
  setup(_config, { providers }) {
    const stage: Stage = {
      name: 'legacy',
      async run(call, next) {
        call.set(gatewayHeaders, withProviderOfMode(call.get(gatewayHeaders)))
        call.set(legacyCall, {})
        const { path = '', model } = readPath(restOfPath(call))
        const named = model === undefined ? {} : { model }
        call.set(passThrough, await readPassThrough(call, { ...named, ...splitHost(path, providers) }))
        return next()
      },
    }
    return {
      routes: [
        {
          method: 'ALL',
          path: '/v1/proxy/*',
          endpoint: 'proxy',
          stages: [stage],
          deprecated: { since: LEGACY_SINCE, successor: '/v1/gateway' },
        },
      ],
    }
  },
})

/**
 * The mode says the provider first on this route, whatever the header that took its place says. A stored provider is more:
 * it brings its key.
 * @throws InvalidHeader for a mode that is anything but `proxy <provider>`
 */
const withProviderOfMode = (headers: GatewayHeaders): GatewayHeaders => {
  const mode = headers.get('mode')
  if (mode === undefined) return headers
  const [, provider] = /^\s*proxy\s+(\S+)\s*$/i.exec(mode) ?? []
  if (provider === undefined) {
    throw new InvalidHeader('`x-gateway-mode` must be `proxy` and the id of a provider.', { param: 'x-gateway-mode' })
  }
  const isStored = headers.get('virtual-key') !== undefined || headers.get('provider')?.trim().startsWith('@') === true
  if (isStored) return headers
  return {
    get: (name) => (name === 'provider' ? provider : headers.get(name)),
    aliasPrefix: () => headers.aliasPrefix(),
    owns: (name) => headers.owns(name),
  }
}

/** Whether the first segment is a host of some provider's own domain; `config` checks that it is one of the chosen one's. */
const splitHost = (path: string, providers: Host['providers']): { readonly path: string; readonly host?: string } => {
  const [, first = '', rest = ''] = /^\/([^/]*)(.*)$/s.exec(path) ?? []
  const name = first.toLowerCase()
  const isHost = providers
    .list()
    .some(({ hostSuffixes = [] }) => hostSuffixes.some((suffix) => name.endsWith(suffix) && name !== suffix.slice(1)))
  return isHost ? { path: rest, host: `https://${first}` } : { path }
}
