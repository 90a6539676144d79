import {
  type Call,
  type Host,
  InvalidConfig,
  InvalidHeader,
  InvalidRequest,
  ModelNotAllowed,
  type Provider,
  ProviderRequired,
  type StoredTarget,
  UnknownProvider,
} from '#kit'
import { callerKeys, type GatewayHeaders, gatewayHeaders, keyDefaults, principal, type Target } from '#kit/slots'
import { checkForwardHeaders, readFlag, readForwardHeaders, readRequestTimeout } from './call-headers.ts'
import { type ConfigNode, type InlineTarget, readInlineConfig } from './inline-config.ts'
import { type Named, namedProvider } from './named-provider.ts'

/** The one target of a call: from its config where that speaks, else from its headers, else from its model. */
export const readTarget = async (call: Call, host: Host): Promise<Target> => {
  const headers = call.get(gatewayHeaders)
  const inline = readConfig(call, host)
  const named = namedProvider(call, inline.node, headers)
  const stored = named?.isStored === true ? await findStored(call, named.name, host) : undefined
  const place =
    stored === undefined ? ownPlace(call, inline, named, host) : storedPlace(call, inline, named, stored, host)
  const model = modelOf(call, inline.node, named)
  const requestTimeoutMs = readRequestTimeout(headers) ?? inline.node.request_timeout
  const forwardHeaders = inline.node.forward_headers ?? readForwardHeaders(headers) ?? []
  return {
    path: inline.path,
    strict: readFlag(headers, 'strict-open-ai-compliance') ?? inline.node.strict_open_ai_compliance ?? true,
    forwardHeaders: checkForwardHeaders(forwardHeaders),
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
    ...(model === undefined ? {} : { model }),
    ...paramsOf(inline.node, named?.model),
    ...place,
  }
}

/** True for a call that names nothing: only the list of models has an answer to that. */
export const namesNothing = (headers: GatewayHeaders): boolean =>
  ['provider', 'config', 'virtual-key'].every((name) => headers.get(name) === undefined)

/** @throws InvalidConfig when the key has a config of its own and forbids others. */
const readConfig = (call: Call, { providers }: Host): InlineTarget => {
  const text = call.get(gatewayHeaders).get('config')
  if (text === undefined) return { path: 'config', node: {}, settings: {} }
  if (call.get(keyDefaults).allowConfigOverride === false) {
    throw new InvalidConfig('The gateway key does not allow a call to bring its own config.', {
      param: 'x-gateway-config',
    })
  }
  return readInlineConfig(text.trim(), settingNames(providers.list()))
}

type Place = Pick<
  Target,
  'provider' | 'storedSlug' | 'limits' | 'settings' | 'apiKey' | 'withoutKey' | 'customHost' | 'headers'
>

/** A provider of the operator's file, with the key that the call brings. */
const ownPlace = (call: Call, { node, settings }: InlineTarget, named: Named | undefined, host: Host): Place => {
  const headers = call.get(gatewayHeaders)
  const provider = findProvider(named, host.providers)
  const customHost = node.custom_host ?? headers.get('custom-host')?.trim()
  const apiKey = node.api_key ?? call.get(callerKeys).providerKey(provider.keyHeader)
  return {
    provider,
    settings: { ...provider.defaultSettings, ...settingsFromHeaders(provider, headers), ...settings },
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(customHost === undefined ? {} : { customHost: host.checkCustomHost(customHost) }),
  }
}

/**
 * A stored provider: only what is stored decides where its key goes.
 * @throws InvalidRequest when the call would send it elsewhere; ModelNotAllowed.
 */
const storedPlace = (
  call: Call,
  { node }: InlineTarget,
  named: Named | undefined,
  stored: StoredTarget,
  host: Host,
): Place => {
  if ((node.custom_host ?? call.get(gatewayHeaders).get('custom-host')) !== undefined) {
    throw new InvalidRequest('The key of a stored provider only goes to its own host: leave the custom host out.', {
      param: 'x-gateway-custom-host',
    })
  }
  const provider = host.providers.get(stored.providerId)
  if (provider === undefined) {
    throw new UnknownProvider(
      `The stored provider '@${stored.slug}' needs '${stored.providerId}', which does not run.`,
      {
        param: `@${stored.slug}`,
      },
    )
  }
  const model = modelOf(call, node, named)
  if (model !== undefined && !stored.allows(model)) {
    throw new ModelNotAllowed(`The stored provider '@${stored.slug}' does not allow the model '${model}'.`, {
      param: 'model',
    })
  }
  const place = stored.forModel(model)
  return {
    provider,
    storedSlug: stored.slug,
    apiKey: place.withoutKey ? '' : stored.apiKey,
    ...(stored.limits === undefined ? {} : { limits: stored.limits }),
    ...place,
  }
}

/** The model as it will be sent: what the allow list is asked about. */
const modelOf = (call: Call, node: ConfigNode, named: Named | undefined): string | undefined => {
  if (call.endpoint === 'models') return undefined
  const model =
    named?.model ?? node.override_params?.model ?? call.request.body.json().model ?? node.default_params?.model
  return typeof model === 'string' ? model : undefined
}

/**
 * A stored provider of the caller's workspace. A running provider may be named with `@` too, so that one way of writing
 * fits both; the stored one wins.
 */
const findStored = async (call: Call, slug: string, host: Host): Promise<StoredTarget | undefined> => {
  const { workspaceId } = call.get(principal)
  const stored = workspaceId === undefined ? undefined : await host.stored.find(workspaceId, slug)
  if (stored !== undefined || host.providers.get(slug) !== undefined) return stored
  throw new UnknownProvider(`There is no stored provider '@${slug}' in this workspace.`, { param: `@${slug}` })
}

const paramsOf = (
  node: ConfigNode,
  model: string | undefined,
): Pick<Target, 'overrideParams' | 'defaultParams' | 'dropParams'> => ({
  ...(node.override_params === undefined && model === undefined
    ? {}
    : { overrideParams: { ...node.override_params, ...(model === undefined ? {} : { model }) } }),
  ...(node.default_params === undefined ? {} : { defaultParams: node.default_params }),
  ...(node.drop_params === undefined ? {} : { dropParams: node.drop_params }),
})

const findProvider = (named: Named | undefined, providers: Host['providers']): Provider => {
  if (named === undefined || named.name === '') {
    throw new ProviderRequired(
      'Name a provider in `x-gateway-provider`, in a config (`x-gateway-config`), or in the model as `@provider/model`.',
      { param: 'x-gateway-provider' },
    )
  }
  const { name } = named
  const provider = providers.get(name)
  if (provider !== undefined) return provider
  if (!/^[a-z0-9-]{1,64}$/.test(name)) {
    throw new InvalidHeader('`x-gateway-provider` must be the id of a provider, such as `openai`.', {
      param: 'x-gateway-provider',
    })
  }
  const known = providers.list().map((each) => each.id)
  throw new UnknownProvider(`There is no provider '${name}' here. Running are: ${known.join(', ') || 'none'}.`, {
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
