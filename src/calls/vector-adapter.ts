import { type Adapter, adapterOf, type Provider } from '../kit/provider/provider.ts'

/** How a provider is asked for the vectors of a model; undefined for one that makes none. */
export const vectorAdapterOf = (provider: Provider, model: string): Adapter<'embeddings'> | undefined =>
  // Each form has adapters of its own type.
  adapterOf(provider, 'embeddings', model) as Adapter<'embeddings'> | undefined
