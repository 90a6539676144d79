import { UpstreamUnreachable } from '../../errors/gateway-error.ts'
import { isPublicAddress } from '../../upstream/addresses.ts'
import type { Looking, Resolver } from '../../upstream/resolver.ts'
import type { TrustedHosts } from '../../upstream/trusted-hosts.ts'
import type { Asking } from './ask-server.ts'

/** Names are asked for as those of web servers. */
const PORT = 443

/**
 * Whether a name leads to public addresses, or to ones that the operator trusts. What names mean inside the operator's network is
 * nobody's business: they are not known.
 * @throws what the signal is aborted with while the name is looked up
 */
export const isKnownName = async (
  { resolver, trusted }: { readonly resolver: Resolver; readonly trusted: TrustedHosts },
  { owner, signal }: Asking,
  hostname: string,
): Promise<boolean> => {
  try {
    const found = resolver.resolve(hostname, owner)
    const addresses = 'found' in found ? await waitFor(found, signal) : found
    return addresses.every(isPublicAddress) || trusted.trusts(hostname, PORT, addresses)
  } catch (thrown) {
    if (signal.aborted) throw signal.reason
    if (thrown instanceof UpstreamUnreachable) return false
    throw thrown
  }
}

const waitFor = async (looking: Looking, signal: AbortSignal): Promise<readonly string[]> => {
  const leave = (): void => looking.leave()
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave)
  try {
    return await looking.found
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
