import { type Call, type Host, InvalidHeader, type Provider, ProviderRequired, UnknownProvider } from '#kit'
import { callerKeys, type GatewayHeaders, gatewayHeaders, type Target } from '#kit/slots'
import { checkForwardHeaders, readFlag, readForwardHeaders, readRequestTimeout } from './call-headers.ts'
import { type ConfigNode, type InlineTarget, readInlineConfig } from './inline-config.ts'

/** The one target of a call: from its config where that speaks, else from its headers. */
export const readTarget = (call: Call, { providers, checkCustomHost }: Host): Target => {
  const headers = call.get(gatewayHeaders)
  const config = headers.get('config')
  const inline: InlineTarget =
    config === undefined
      ? { path: 'config', node: {}, settings: {} }
      : readInlineConfig(config.trim(), settingNames(providers.list()))
  const { node } = inline
  refuseStoredKeys(headers, node)
  const named = node.provider ?? headers.get('provider')?.trim()
  const reference = named === undefined ? readModelReference(call) : undefined
  const provider = findProvider(named ?? reference?.provider, providers)
  const customHost = node.custom_host ?? headers.get('custom-host')?.trim()
  const requestTimeoutMs = readRequestTimeout(headers) ?? node.request_timeout
  const apiKey = node.api_key ?? call.get(callerKeys).providerKey(provider.keyHeader)
  const forwardHeaders = node.forward_headers ?? readForwardHeaders(headers) ?? []
  return {
    path: inline.path,
    provider,
    settings: { ...provider.defaultSettings, ...settingsFromHeaders(provider, headers), ...inline.settings },
    strict: readFlag(headers, 'strict-open-ai-compliance') ?? node.strict_open_ai_compliance ?? true,
    forwardHeaders: checkForwardHeaders(forwardHeaders),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(customHost === undefined ? {} : { customHost: checkCustomHost(customHost) }),
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
    ...paramsOf(node, reference?.model),
  }
}

/** `@provider/model` in the body, for a call that names no provider otherwise. The first slash splits. */
const readModelReference = (call: Call): { provider: string; model: string } | undefined => {
  if (call.endpoint === 'models') return undefined
  const { model } = call.request.body.json()
  const match = typeof model === 'string' ? /^@([a-z0-9-]+)\/(.+)$/.exec(model) : null
  const [, provider, name] = match ?? []
  return provider === undefined || name === undefined ? undefined : { provider, model: name }
}

/** True for a call that names nothing: only the list of models has an answer to that. */
export const namesNothing = (headers: GatewayHeaders): boolean =>
  ['provider', 'config', 'virtual-key'].every((name) => headers.get(name) === undefined)

const paramsOf = (
  node: ConfigNode,
  model: string | undefined,
): Pick<Target, 'overrideParams' | 'defaultParams' | 'dropParams'> => ({
  ...(node.override_params === undefined && model === undefined
    ? {}
    : { overrideParams: { ...(model === undefined ? {} : { model }), ...node.override_params } }),
  ...(node.default_params === undefined ? {} : { defaultParams: node.default_params }),
  ...(node.drop_params === undefined ? {} : { dropParams: node.drop_params }),
})

const refuseStoredKeys = (headers: GatewayHeaders, node: ConfigNode): void => {
  const named =
    headers.get('virtual-key') ?? [node.provider ?? headers.get('provider')].find((name) => name?.startsWith('@'))
  if (named === undefined) return
  throw new UnknownProvider(`There is no stored provider '${named.replace(/^@/, '')}'.`, { param: named })
}

const findProvider = (id: string | undefined, providers: Host['providers']): Provider => {
  if (id === undefined || id === '') {
    throw new ProviderRequired(
      'Name a provider in `x-gateway-provider`, in a config (`x-gateway-config`), or in the model as `@provider/model`.',
      { param: 'x-gateway-provider' },
    )
  }
  const provider = providers.get(id)
  if (provider !== undefined) return provider
  if (!/^[a-z0-9-]{1,64}$/.test(id)) {
    throw new InvalidHeader('`x-gateway-provider` must be the id of a provider, such as `openai`.', {
      param: 'x-gateway-provider',
    })
  }
  const known = providers.list().map((each) => each.id)
  throw new UnknownProvider(`There is no provider '${id}' here. Running are: ${known.join(', ') || 'none'}.`, {
    param: 'x-gateway-provider',
  })
}

const settingsFromHeaders = (provider: Provider, headers: GatewayHeaders): Record<string, string> => {
  const settings: Record<string, string> = {}
  for (const [name, suffix] of Object.entries(provider.settings ?? {})) {
    const value = headers.get(suffix)
    if (value !== undefined) settings[name] = value
  }
  return settings
}

const settingNames = (providers: readonly Provider[]): ReadonlySet<string> =>
  new Set(providers.flatMap((provider) => Object.keys(provider.settings ?? {})))
