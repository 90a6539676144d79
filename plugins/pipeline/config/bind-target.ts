import { splitModel } from '#calls/config/model-name'
import { withoutLogin } from '#calls/config/settings'
import { asksNoModel } from '#calls/pass-through/pass-through'
import { callerKeys } from '#calls/slots'
import {
  type Call,
  EgressRefused,
  type Host,
  InvalidRequest,
  ModelNotAllowed,
  type Provider,
  ProviderKeyRequired,
  UnknownProvider,
} from '#kit'
import type { Leaf } from '#kit/plan'
import type { StoredProvider } from '#kit/plugin'
import { gatewayHeaders, passThrough, principal, type RenderedPrompt, type Target } from '#kit/slots'
import {
  checkForwardHeaders,
  readFlag,
  readForwardHeaders,
  readOwnFinishReason,
  readRequestTimeout,
} from './call-headers.ts'
import { broughtKey, usesBrought } from './choose-key.ts'
import { type Directories, findProvider, settingsFromHeaders, unknownStored } from './find-provider.ts'
import { hostInPath, modelInPath } from './in-path.ts'
import { type Named, namedProvider, requestModel } from './named-provider.ts'
import { promptOf } from './target-prompt.ts'

/** What a leaf cannot say of itself. */
export interface Binding {
  readonly call: Call
  readonly host: Directories & Pick<Host, 'checkCustomHost'>
  /** Its config is kept by the workspace: a key in it is not the caller's. */
  readonly isSaved: boolean
  /** There is no other target, so the headers speak of this one. */
  readonly isOnly: boolean
}

/**
 * Makes the target of a leaf: from the leaf where that speaks, else from the headers of the call, else from its model.
 * @throws a catalogue error for a leaf that this call cannot be sent to
 */
export const bindTarget = (leaf: Leaf, binding: Binding): Target | Promise<Target> => {
  const { call, host } = binding
  const prompt = promptOf(call, leaf)
  const named = namedProvider(call, leaf, call.get(gatewayHeaders), prompt)
  const stored = named?.isStored === true ? findStored(call, named.name, host) : undefined
  return stored instanceof Promise
    ? stored.then((found) => toTarget(leaf, named, found, prompt, binding))
    : toTarget(leaf, named, stored, prompt, binding)
}

const toTarget = (
  leaf: Leaf,
  named: Named | undefined,
  stored: StoredProvider | undefined,
  prompt: RenderedPrompt | undefined,
  binding: Binding,
): Target => {
  const { call } = binding
  const headers = call.get(gatewayHeaders)
  const provider =
    stored === undefined
      ? findProvider(named, binding.host.providers, requestModel(call))
      : providerOf(stored, binding.host)
  // Where the path names one, the provider takes that, whatever the body says.
  const model = modelInPath(call, provider) ?? modelOf(call, leaf, named, prompt)
  const place =
    stored === undefined ? ownPlace(leaf, provider, binding) : storedPlace(leaf, model, stored, provider, binding)
  // Field by field: every target has the same shape, and nothing is copied twice.
  return {
    path: leaf.path,
    provider,
    apiKey: place.apiKey,
    isCallersKey: place.isCallersKey,
    customHost: place.customHost,
    isCallersHost: place.isCallersHost,
    prompt: leaf.promptId === undefined ? undefined : prompt,
    storedProvider: place.storedProvider,
    model,
    limits: place.limits,
    budgets: place.budgets,
    allows: place.allows,
    withoutKey: place.withoutKey,
    headers: place.headers,
    settings: place.settings,
    overrideParams: overrideParamsOf(leaf, named?.model),
    defaultParams: leaf.defaultParams,
    dropParams: leaf.dropParams,
    forwardHeaders: checkForwardHeaders(leaf.forwardHeaders ?? readForwardHeaders(headers), headers),
    strict: readFlag(headers, 'strict-open-ai-compliance') ?? leaf.strict ?? true,
    ownFinishReason: readOwnFinishReason(headers),
    requestTimeoutMs: readRequestTimeout(headers) ?? leaf.requestTimeoutMs,
    firstTokenTimeoutMs: leaf.firstTokenTimeoutMs,
    cache: leaf.cache,
    guardrails: leaf.guardrails,
  }
}

type Place = Pick<
  Target,
  | 'storedProvider'
  | 'limits'
  | 'budgets'
  | 'allows'
  | 'settings'
  | 'apiKey'
  | 'isCallersKey'
  | 'withoutKey'
  | 'customHost'
  | 'isCallersHost'
  | 'headers'
>

/** A provider of the operator's file, with the key of the config or the one that the call brings. */
const ownPlace = (leaf: Leaf, provider: Provider, binding: Binding): Place => {
  const { call, host, isSaved } = binding
  // Where the workspace's key goes, its config alone decides: headers could lead it anywhere.
  const isWorkspaceKey = isSaved && (leaf.apiKey !== undefined || Object.keys(leaf.settings).some(isSecretSetting))
  const ofCall = isWorkspaceKey ? undefined : settingsFromHeaders(provider, call.get(gatewayHeaders))
  const ofLeaf = leaf.customHost ?? hostOf(provider, leaf.settings)
  const ofHeader = headerHost(leaf, binding)
  const named = ofLeaf ?? ofHeader ?? hostOf(provider, ofCall)
  const ofSetting = leaf.customHost === undefined && ofHeader === undefined ? provider.hostSetting : undefined
  const customHost = named ?? hostInPath(call, provider, provider.defaultSettings)
  if (isWorkspaceKey && customHost !== ofLeaf) {
    throw new InvalidRequest('The key of a saved config only goes to its own host: leave the custom host out.', {
      param: 'x-gateway-custom-host',
    })
  }
  const keys = call.get(callerKeys)
  const ofConfig = isSaved ? leaf.apiKey : undefined
  const brought = broughtKey(isSaved ? undefined : leaf.apiKey, keys, provider)
  const settings = { ...provider.defaultSettings, ...ofCall, ...leaf.settings }
  // Where the caller chose the place, the operator's key is not for it.
  const isOwnPlace = customHost === undefined && provider.ownKeyIsFor?.(settings) !== false
  const known = ofConfig ?? (isOwnPlace ? provider.apiKey : undefined)
  const isBrought = usesBrought(keys.policy, { brought, known, isOfTarget: ofConfig !== undefined })
  const mayBring = keys.policy !== 'never' && (keys.policy !== 'fallback' || known === undefined)
  if (!mayBring && known === undefined && !isWorkspaceKey && provider.needsKey) {
    throw new ProviderKeyRequired(`The gateway has no key for '${provider.id}' here, and takes none from its callers.`)
  }
  return {
    settings: mayBring
      ? settings
      : {
          ...provider.defaultSettings,
          ...withoutSecrets({ ...ofCall, ...leaf.settings }),
          ...(isSaved ? leaf.settings : undefined),
        },
    apiKey: isBrought ? brought : (ofConfig ?? (isOwnPlace || customHost !== undefined ? undefined : '')),
    customHost: customHost === undefined ? undefined : checkedHost(host, customHost, ofSetting),
    isCallersHost: named === undefined || (isSaved && named === ofLeaf) ? undefined : true,
  }
}

/** @throws EgressRefused, which names the setting where one says the host */
const checkedHost = (
  { checkCustomHost }: Pick<Host, 'checkCustomHost'>,
  url: string,
  setting: string | undefined,
): string => {
  try {
    return checkCustomHost(url)
  } catch (thrown) {
    if (setting === undefined || !(thrown instanceof EgressRefused)) throw thrown
    throw new EgressRefused(thrown.message, { ...thrown.options, param: setting })
  }
}

/** The host that a setting of the provider names. */
const hostOf = (
  { hostSetting }: Provider,
  settings: Readonly<Record<string, string>> | undefined,
): string | undefined => (hostSetting === undefined ? undefined : settings?.[hostSetting]?.trim()) || undefined

const withoutSecrets = (settings: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !isSecretSetting(name)))

/** Settings that hold credentials say so by their name: `azure_ad_token`, `aws_secret_access_key`. */
const isSecretSetting = (name: string): boolean =>
  /(?:^|_)(?:key|key_id|secret|token|password|passphrase|account_json)$/.test(name)

/** The header's host goes with the header's provider: among several targets, those with one of their own keep its host. */
const headerHost = (leaf: Leaf, { call, isOnly }: Binding): string | undefined => {
  const isMeant = isOnly || (leaf.provider === undefined && leaf.virtualKey === undefined)
  return isMeant ? call.get(gatewayHeaders).get('custom-host')?.trim() : undefined
}

/**
 * A stored provider: only what is stored decides where its key goes.
 * @throws InvalidRequest when the call would send it elsewhere; ModelNotAllowed.
 */
const storedPlace = (
  leaf: Leaf,
  model: string | undefined,
  stored: StoredProvider,
  provider: Provider,
  binding: Binding,
): Place => {
  const { call } = binding
  if ((leaf.customHost ?? headerHost(leaf, binding)) !== undefined) {
    throw new InvalidRequest('The key of a stored provider only goes to its own host: leave the custom host out.', {
      param: 'x-gateway-custom-host',
    })
  }
  if (model === undefined) refuseUnknownModel(call, stored)
  else if (!stored.allows(model)) {
    throw new ModelNotAllowed(`The stored provider '@${stored.slug}' does not allow the model '${model}'.`, {
      param: 'model',
    })
  }
  const place = stored.forModel(model)
  const customHost = place.customHost ?? hostOf(provider, place.settings)
  if (hostInPath(call, provider, place.settings, customHost) !== undefined) {
    throw new InvalidRequest('The key of a stored provider only goes to its own host: name that one, or none.', {
      param: 'path',
    })
  }
  const keys = call.get(callerKeys)
  const brought = broughtKey(undefined, keys, provider)
  const known = place.withoutKey ? '' : stored.apiKey
  const isBrought = usesBrought(keys.policy, { brought, known, isOfTarget: true })
  return {
    storedProvider: stored.slug,
    apiKey: isBrought ? brought : known,
    isCallersKey: isBrought || undefined,
    limits: stored.limits,
    allows: stored.isRestricted === true ? (other) => stored.allows(other) : undefined,
    budgets: stored.budgets,
    settings: withOpen(
      leaf,
      place.withoutKey ? withoutLogin(place.settings, provider) : place.settings,
      provider,
      call,
    ),
    headers: place.headers,
    customHost,
    withoutKey: place.withoutKey,
  }
}

/** Adds what a call may say of a stored provider, and that says nothing of. */
const withOpen = (leaf: Leaf, stored: Target['settings'], provider: Provider, call: Call): Target['settings'] => {
  const { openSettings: names } = provider
  if (names === undefined) return stored
  const said = { ...settingsFromHeaders(provider, call.get(gatewayHeaders)), ...leaf.settings }
  return { ...Object.fromEntries(Object.entries(said).filter(([name]) => names.includes(name))), ...stored }
}

const providerOf = (stored: StoredProvider, { providers }: Pick<Host, 'providers'>): Provider => {
  const provider = providers.get(stored.providerId)
  if (provider !== undefined) return provider
  const { slug, providerId } = stored
  throw new UnknownProvider(
    `The stored provider '@${slug}' is an account with '${providerId}', and no provider of models of that name runs.`,
    { param: `@${slug}` },
  )
}

/** @throws ModelNotAllowed for a call that may be for any model, where only some are allowed. */
const refuseUnknownModel = (call: Call, stored: StoredProvider): void => {
  if (!call.endpoint.hasModel || stored.isRestricted !== true || asksNoModel(call)) return
  throw new ModelNotAllowed(
    `The stored provider '@${stored.slug}' allows some models only, and this call does not say which one it is for.`,
    { param: 'model' },
  )
}

/** The model as it will be sent: what the allow list is asked about. */
const modelOf = (
  call: Call,
  leaf: Leaf,
  named: Named | undefined,
  prompt: RenderedPrompt | undefined,
): string | undefined => {
  if (!call.endpoint.hasModel) return undefined
  // What passes through is not changed by a config.
  const isProxy = call.endpoint.form === undefined
  const ofCall = (prompt?.params ?? call.params).model ?? call.find(passThrough)?.model
  const model = isProxy
    ? (splitModel(ofCall)?.model ?? ofCall)
    : (named?.model ?? leaf.overrideParams?.model ?? ofCall ?? leaf.defaultParams?.model)
  return typeof model === 'string' ? model : undefined
}

/**
 * A stored provider of the caller's workspace. A running provider may be named with `@` too, so that one way of writing
 * fits both; the stored one wins.
 */
const findStored = (
  call: Call,
  slug: string,
  host: Directories,
): StoredProvider | undefined | Promise<StoredProvider | undefined> => {
  const { stored, providers } = host
  const { workspaceId } = call.get(principal)
  const found = workspaceId === undefined ? undefined : stored.find(workspaceId, slug)
  if (found !== undefined || providers.get(slug) !== undefined) return found
  throw unknownStored(slug, host, workspaceId)
}

/** The model without its provider in front takes the place of the one that was asked for. */
const overrideParamsOf = ({ overrideParams }: Leaf, model: string | undefined): Target['overrideParams'] =>
  model === undefined ? overrideParams : { ...overrideParams, model }
