import { type AdaptedRequest, adaptRequest } from '#calls/adapt'
import { InvalidRequest } from '#kit'
import type { Adapter, AdapterContext, Bridge, EndpointName, RequestOf } from '#kit/provider'
import { inClientsWords } from './clients-words.ts'
import { checkToolArguments } from './tool-arguments.ts'

/** Where a request came from. */
interface Origin {
  readonly context: AdapterContext
  /** That made it of what the client asks. */
  readonly bridge: Bridge | undefined
  /** The client's. */
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * What the adapter makes of a request.
 * @throws InvalidRequest naming the field of the client that cannot be asked
 */
export const adapted = (
  adapter: Adapter<EndpointName>,
  request: RequestOf<EndpointName>,
  { context, bridge, params }: Origin,
): AdaptedRequest => {
  const adapt = (asked: RequestOf<EndpointName>): AdaptedRequest => {
    if (adapter.wire === 'own') checkToolArguments(asked)
    return adaptRequest(adapter, asked, context)
  }
  try {
    return adapt(request)
  } catch (thrown) {
    if (bridge === undefined || !(thrown instanceof InvalidRequest)) throw thrown
    throw inClientsWords(thrown, bridge, params, (fewer) => {
      adapt(bridge.request(fewer, context).request as RequestOf<EndpointName>)
    })
  }
}
