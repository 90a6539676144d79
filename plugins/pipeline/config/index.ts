import { type Call, definePlugin, type Stage, t } from '#kit'
import { callConfig, type GatewayHeaders, gatewayHeaders, keyDefaults, legacyCall, principal } from '#kit/slots'
import { toCallConfig } from './call-config.ts'
import { readFlag } from './call-headers.ts'
import { listCatalogue } from './catalogue.ts'
import { CompiledConfigs } from './compiled-configs.ts'
import { configSource } from './config-source.ts'
import { MAX_VALUE_CHARACTERS, readMetadata } from './metadata.ts'

/**
 * What the call asks for: its config, inline or saved, and its headers become a plan of targets. Lists the own models when
 * no provider is named.
 */
export default definePlugin({
  name: 'config',
  config: t.Object({}),
  setup(_config, host) {
    const configs = new CompiledConfigs(host.providers)
    const ownModels = (call: Call) => {
      const { workspaceId } = call.get(principal)
      return listCatalogue(host.providers.list(), workspaceId === undefined ? [] : host.stored.models(workspaceId))
    }
    const config: Stage = {
      name: 'config',
      async run(call, next) {
        const headers = call.get(gatewayHeaders)
        const isList = call.endpoint === 'models'
        if (isList && (namesNothing(headers) || readFlag(headers, 'fetch-integrated-models'))) return ownModels(call)
        const source = configSource(call, host.configs)
        const compiled = configs.of(source)
        if (isList && compiled.listsOwnModels) return ownModels(call)
        const metadata = readMetadata(
          // `meta` is its oldest name.
          headers.get('metadata') ?? headers.get('meta'),
          call.request.headers.get('baggage'),
          call.find(legacyCall)?.metadata,
        )
        call.set(callConfig, {
          ...(await toCallConfig(call, host, source, compiled)),
          // What the workspace or the key says wins over the call (behaviour reference, section 1.4).
          metadata: { ...userOf(call), ...metadata, ...call.get(keyDefaults).metadata },
        })
        return next()
      },
    }
    return { stages: [config] }
  },
})

/** True for a call that names nothing: only the list of models has an answer to that. */
const namesNothing = (headers: GatewayHeaders): boolean =>
  ['provider', 'config', 'virtual-key'].every((name) => headers.get(name) === undefined)

/** `user` of the body is the user of the call, unless its metadata names one. */
const userOf = (call: Call): { readonly _user?: string } => {
  const { user } = call.params
  return typeof user === 'string' && user !== '' ? { _user: user.slice(0, MAX_VALUE_CHARACTERS) } : {}
}
