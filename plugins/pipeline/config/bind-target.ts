import {
  type Call,
  type Host,
  InvalidRequest,
  type Leaf,
  ModelNotAllowed,
  type StoredTarget,
  UnknownProvider,
} from '#kit'
import { callerKeys, gatewayHeaders, principal, type Target } from '#kit/slots'
import { checkForwardHeaders, readFlag, readForwardHeaders, readRequestTimeout } from './call-headers.ts'
import { findProvider, settingsFromHeaders } from './find-provider.ts'
import { type Named, namedProvider } from './named-provider.ts'

/** What a leaf cannot say of itself. */
export interface Binding {
  readonly call: Call
  readonly host: Host
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
  const named = namedProvider(call, leaf, call.get(gatewayHeaders))
  const stored = named?.isStored === true ? findStored(call, named.name, host) : undefined
  return stored instanceof Promise
    ? stored.then((found) => toTarget(leaf, named, found, binding))
    : toTarget(leaf, named, stored, binding)
}

const toTarget = (leaf: Leaf, named: Named | undefined, stored: StoredTarget | undefined, binding: Binding): Target => {
  const { call } = binding
  const headers = call.get(gatewayHeaders)
  const model = modelOf(call, leaf, named)
  const place = stored === undefined ? ownPlace(leaf, named, binding) : storedPlace(leaf, model, stored, binding)
  const requestTimeoutMs = readRequestTimeout(headers) ?? leaf.requestTimeoutMs
  return {
    path: leaf.path,
    strict: readFlag(headers, 'strict-open-ai-compliance') ?? leaf.strict ?? true,
    forwardHeaders: checkForwardHeaders(leaf.forwardHeaders ?? readForwardHeaders(headers) ?? []),
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
    ...(leaf.firstTokenTimeoutMs === undefined ? {} : { firstTokenTimeoutMs: leaf.firstTokenTimeoutMs }),
    ...(leaf.cache === undefined ? {} : { cache: leaf.cache }),
    ...(model === undefined ? {} : { model }),
    ...paramsOf(leaf, named?.model),
    ...place,
  }
}

type Place = Pick<
  Target,
  'provider' | 'storedSlug' | 'limits' | 'settings' | 'apiKey' | 'withoutKey' | 'customHost' | 'headers'
>

/** A provider of the operator's file, with the key of the config or the one that the call brings. */
const ownPlace = (leaf: Leaf, named: Named | undefined, binding: Binding): Place => {
  const { call, host, isSaved } = binding
  const provider = findProvider(named, host.providers)
  const customHost = leaf.customHost ?? headerHost(leaf, binding)
  // Where the workspace's key goes, its config alone decides: headers could lead it anywhere.
  const isWorkspaceKey = isSaved && leaf.apiKey !== undefined
  if (isWorkspaceKey && customHost !== leaf.customHost) {
    throw new InvalidRequest('The key of a saved config only goes to its own host: leave the custom host out.', {
      param: 'x-gateway-custom-host',
    })
  }
  const apiKey = leaf.apiKey ?? call.get(callerKeys).providerKey(provider.keyHeader)
  return {
    provider,
    settings: {
      ...provider.defaultSettings,
      ...(isWorkspaceKey ? {} : settingsFromHeaders(provider, call.get(gatewayHeaders))),
      ...leaf.settings,
    },
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(customHost === undefined ? {} : { customHost: host.checkCustomHost(customHost) }),
  }
}

/** The header's host goes with the header's provider: among several targets, those with one of their own keep its host. */
const headerHost = (leaf: Leaf, { call, isOnly }: Binding): string | undefined => {
  const isMeant = isOnly || (leaf.provider === undefined && leaf.virtualKey === undefined)
  return isMeant ? call.get(gatewayHeaders).get('custom-host')?.trim() : undefined
}

/**
 * A stored provider: only what is stored decides where its key goes.
 * @throws InvalidRequest when the call would send it elsewhere; ModelNotAllowed.
 */
const storedPlace = (leaf: Leaf, model: string | undefined, stored: StoredTarget, binding: Binding): Place => {
  if ((leaf.customHost ?? headerHost(leaf, binding)) !== undefined) {
    throw new InvalidRequest('The key of a stored provider only goes to its own host: leave the custom host out.', {
      param: 'x-gateway-custom-host',
    })
  }
  const provider = binding.host.providers.get(stored.providerId)
  if (provider === undefined) {
    throw new UnknownProvider(
      `The stored provider '@${stored.slug}' needs '${stored.providerId}', which does not run.`,
      { param: `@${stored.slug}` },
    )
  }
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
const modelOf = (call: Call, leaf: Leaf, named: Named | undefined): string | undefined => {
  if (call.endpoint === 'models') return undefined
  const model =
    named?.model ?? leaf.overrideParams?.model ?? call.request.body.json().model ?? leaf.defaultParams?.model
  return typeof model === 'string' ? model : undefined
}

/**
 * A stored provider of the caller's workspace. A running provider may be named with `@` too, so that one way of writing
 * fits both; the stored one wins.
 */
const findStored = (
  call: Call,
  slug: string,
  { stored, providers }: Host,
): StoredTarget | undefined | Promise<StoredTarget | undefined> => {
  const { workspaceId } = call.get(principal)
  const found = workspaceId === undefined ? undefined : stored.find(workspaceId, slug)
  if (found !== undefined || providers.get(slug) !== undefined) return found
  throw new UnknownProvider(`There is no stored provider '@${slug}' in this workspace.`, { param: `@${slug}` })
}

const paramsOf = (
  { overrideParams, defaultParams, dropParams }: Leaf,
  model: string | undefined,
): Pick<Target, 'overrideParams' | 'defaultParams' | 'dropParams'> => ({
  ...(overrideParams === undefined && model === undefined
    ? {}
    : { overrideParams: { ...overrideParams, ...(model === undefined ? {} : { model }) } }),
  ...(defaultParams === undefined ? {} : { defaultParams }),
  ...(dropParams === undefined ? {} : { dropParams }),
})
