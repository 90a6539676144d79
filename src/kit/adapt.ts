import { applyParams, type ParamMap } from './params.ts'
import type { Adapter, AdapterContext, EndpointName, RequestOf } from './provider.ts'

export interface AdaptedRequest {
  /** Path and query below the base URL. */
  readonly path: string
  /** Absent for a request without a body. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly dropped: readonly string[]
  /** False when `body` says just what the client said, so that its bytes may go out as they came. */
  readonly changed: boolean
}

/** What an adapter makes of a request: the one function behind the `transform` stage and the conformance kit. */
export const adaptRequest = <E extends EndpointName>(
  adapter: Adapter<E>,
  request: RequestOf<E>,
  context: AdapterContext,
): AdaptedRequest => {
  const path = typeof adapter.path === 'string' ? adapter.path : adapter.path(context)
  if (adapter.method === 'GET') return { path, dropped: [], changed: false }
  const rules: ParamMap<RequestOf<E>> = adapter.params
  const unlisted = adapter.unlisted ?? (adapter.wire === 'openai' ? 'keep' : 'drop')
  const result = applyParams<RequestOf<E>>(rules, request, context, unlisted)
  const always = adapter.always?.(request, context)
  if (always === undefined) return { path, ...result }
  return { path, body: { ...result.body, ...always }, dropped: result.dropped, changed: true }
}
