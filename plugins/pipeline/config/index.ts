import { askingCheck, keyDefaults } from '#calls/slots'
import { type Call, definePlugin, type Endpoint, type Stage, t } from '#kit'
import { type CallConfig, callConfig, type GatewayHeaders, gatewayHeaders, legacyCall, principal } from '#kit/slots'
import { toCallConfig } from './call-config.ts'
import { readFlag } from './call-headers.ts'
import { asAnswer, catalogue } from './catalogue.ts'
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
  needs: ['checkCustomHost', 'checks', 'configs', 'providers', 'stored'],
  setup(_config, host) {
    const configs = new CompiledConfigs(host)
    const fromCatalogue = async (call: Call, toAnswer: NonNullable<ReturnType<FromCatalogue>>) => {
      const { workspaceId } = call.get(principal)
      const stored = workspaceId === undefined ? [] : host.stored.models(workspaceId)
      return asAnswer(toAnswer(catalogue(host.providers.list(), stored)))
    }
    const config: Stage = {
      name: 'config',
      run(call, next) {
        const headers = call.get(gatewayHeaders)
        const toAnswer = call.endpoint.fromCatalogue?.(call)
        if (toAnswer !== undefined && (namesNothing(headers) || readFlag(headers, 'fetch-integrated-models')))
          return fromCatalogue(call, toAnswer)
        const source = configSource(call, host.configs)
        const compiled = configs.of(source)
        if (toAnswer !== undefined && compiled.listsOwnModels) return fromCatalogue(call, toAnswer)
        const metadata = readMetadata(
          // `meta` is its oldest name.
          headers.get('metadata') ?? headers.get('meta'),
          call.request.headers.get('baggage'),
          call.find(legacyCall)?.metadata,
        )
        const resolved = toCallConfig(call, host, source, compiled, withoutClaim(call, withDefaults(call, metadata)))
        if (resolved instanceof Promise) {
          return resolved.then((found) => {
            call.set(callConfig, found)
            return next()
          })
        }
        call.set(callConfig, resolved)
        return next()
      },
    }
    return { stages: [config] }
  },
})

type FromCatalogue = NonNullable<Endpoint['fromCatalogue']>

/** True for a call that names nothing: only the list of models has an answer to that. */
const namesNothing = (headers: GatewayHeaders): boolean =>
  ['provider', 'config', 'virtual-key'].every((name) => headers.get(name) === undefined)

/** Only the calls that checks make are theirs: whoever else says so would spend what guardrails may. */
const withoutClaim = (call: Call, metadata: CallConfig['metadata']): CallConfig['metadata'] => {
  if (metadata._guardrail === undefined || call.find(askingCheck) !== undefined) return metadata
  const { _guardrail: _, ...others } = metadata
  return others
}

/**
 * `user` of the body is the user of the call, unless its metadata names one. What the workspace or the key says wins over the
 * call (behaviour reference, section 1.4).
 */
const withDefaults = (call: Call, metadata: CallConfig['metadata']): CallConfig['metadata'] => {
  const { user } = call.params
  const { metadata: defaults } = call.get(keyDefaults)
  const isNamed = typeof user === 'string' && user !== ''
  if (!isNamed && defaults === undefined) return metadata
  return { ...(isNamed ? { _user: user.slice(0, MAX_VALUE_CHARACTERS) } : {}), ...metadata, ...defaults }
}
