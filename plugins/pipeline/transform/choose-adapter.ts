import type { Host, Provider } from '#kit'
import { type Adapter, adapterOf, type Bridge, type EndpointName } from '#kit/provider'

/** How a provider is asked. */
export interface Chosen {
  readonly adapter: Adapter<EndpointName>
  readonly bridge?: Bridge
}

/** The provider's way to be asked in the client's form, or else in one that there is a bridge to. */
export const chooseAdapter = (
  form: string,
  provider: Provider,
  model: string,
  bridges: Host['bridges'],
): Chosen | undefined => {
  // Each adapter only ever meets the requests of its own form: `checked` makes them for the same one.
  const adapterFor = (form: string) => adapterOf(provider, form, model) as unknown as Adapter<EndpointName> | undefined
  const native = adapterFor(form)
  if (native !== undefined) return { adapter: native }
  for (const bridge of bridges.from(form)) {
    const adapter = adapterFor(bridge.to)
    if (adapter !== undefined) return { adapter, bridge }
  }
  return undefined
}
