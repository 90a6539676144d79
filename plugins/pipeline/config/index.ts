import { MAX_VALUE_CHARACTERS, readMetadata } from '#calls/metadata'
import { askingCheck, batchLine, keyDefaults } from '#calls/slots'
import { type Answer, type Call, defined, definePlugin, type Endpoint, InvalidRequest, type Stage, t } from '#kit'
import type { PlanNode } from '#kit/plan'
import { type CallConfig, callConfig, type GatewayHeaders, gatewayHeaders, legacyCall, principal } from '#kit/slots'
import { toCallConfig } from './call-config.ts'
import { readFlag } from './call-headers.ts'
import { asAnswer, catalogue } from './catalogue.ts'
import { CompiledConfigs } from './compiled-configs.ts'
import { configSource } from './config-source.ts'

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
        const goOn = (found: CallConfig): Promise<Answer> => {
          if (call.endpoint.singleTarget === true) refuseMoreTargets(found.plan.root)
          call.set(callConfig, found)
          return next()
        }
        return resolved instanceof Promise ? resolved.then(goOn) : goOn(resolved)
      },
    }
    return { stages: [config] }
  },
})

/** What is kept at one provider is nowhere else. @throws InvalidRequest */
const refuseMoreTargets = (root: PlanNode): void => {
  const targets = countTargets(root)
  if (targets <= 1) return
  throw new InvalidRequest(
    `This call goes to one provider, and the config names ${targets} targets: name one with \`x-gateway-provider\`, or a config of one target.`,
    { param: 'config' },
  )
}

const countTargets = (node: PlanNode): number =>
  node.kind === 'leaf' ? 1 : node.children.reduce((sum, child) => sum + countTargets(child), 0)

type FromCatalogue = NonNullable<Endpoint['fromCatalogue']>

/** True for a call that names nothing: only the list of models has an answer to that. */
const namesNothing = (headers: GatewayHeaders): boolean =>
  ['provider', 'config', 'virtual-key'].every((name) => headers.get(name) === undefined)

/** Only the calls that checks and batches make are theirs: whoever else says so would spend what they may. */
const withoutClaim = (call: Call, metadata: CallConfig['metadata']): CallConfig['metadata'] => {
  if (!CLAIMS.some((name) => metadata[name] !== undefined)) return metadata
  if (call.find(askingCheck) !== undefined) return metadata
  const { _guardrail, _batch, _batch_line, ...others } = metadata
  return call.find(batchLine) === undefined ? others : { ...others, ...defined({ _batch, _batch_line }) }
}

const CLAIMS = ['_guardrail', '_batch', '_batch_line']

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
