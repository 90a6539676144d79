import type { Endpoint } from '#kit'
import type { AdapterContext, Bridge, EndpointName, RequestOf } from '#kit/provider'

const NONE: readonly string[] = []

export interface Checked {
  readonly request: RequestOf<EndpointName>
  /** Lost already, before the adapter of the provider has seen it. */
  readonly dropped: readonly string[]
}

/** The request that a provider's adapter gets, once its body is what its endpoint takes. */
export const checked = (
  { body }: Endpoint,
  params: Readonly<Record<string, unknown>>,
  context: AdapterContext,
  bridge: Bridge | undefined,
): Checked => {
  if (body.kind !== 'json' && body.kind !== 'multipart') return { request: {}, dropped: NONE }
  body.check(params)
  const { request, dropped } = bridge?.request(params, context) ?? { request: params, dropped: NONE }
  // The checks are what makes this cast true.
  return { request: request as RequestOf<EndpointName>, dropped }
}
