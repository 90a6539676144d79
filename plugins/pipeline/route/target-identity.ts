import { splitModel } from '#calls/config/model-name'
import type { Call } from '#kit'
import type { Leaf } from '#kit/plan'
import { gatewayHeaders, principal } from '#kit/slots'

/** What headers say of a target that does not name its provider itself. */
const NAMING_HEADERS = ['provider', 'virtual-key', 'mode', 'custom-host'] as const

const digests = new WeakMap<Leaf, string>()

/**
 * Says which place a target of an inline config is, so that calls which bring the same one know of each other: within one
 * workspace, whatever else their configs hold. Keys and settings are only in it as a digest.
 */
export const targetIdentity = (call: Call, leaf: Leaf): string => {
  const { organisationId, workspaceId = organisationId } = call.get(principal)
  const own = digests.getOrInsertComputed(leaf, digestOfLeaf)
  return namesProvider(leaf) ? `${workspaceId}:${own}` : `${workspaceId}:${own}:${digestOfCall(call)}`
}

const digestOfLeaf = ({ provider, virtualKey, apiKey, customHost, settings, overrideParams }: Leaf): string =>
  digest([provider, virtualKey, apiKey, customHost, Object.entries(settings).sort(), overrideParams?.model])

const digestOfCall = (call: Call): string => {
  const headers = call.get(gatewayHeaders)
  return digest([...NAMING_HEADERS.map((name) => headers.get(name)), call.params.model])
}

const namesProvider = ({ provider, virtualKey, overrideParams }: Leaf): boolean =>
  provider !== undefined || virtualKey !== undefined || splitModel(overrideParams?.model) !== undefined

const digest = (parts: readonly unknown[]): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(parts.map((part) => part ?? null))).digest('base64url')
