import { onlyAllowedTools, onlyNamedTool, plainForms } from '../kit/provider/chat-forms.ts'
import type { ChatRequest } from '../kit/provider/openai.ts'
import { applyParams, type ParamMap } from '../kit/provider/params.ts'
import type { Adapter, AdapterContext, EndpointName, RequestOf } from '../kit/provider/provider.ts'

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
  if (adapter.method !== 'POST') return { path, dropped: [], changed: false }
  const rules: ParamMap<RequestOf<E>> = adapter.params
  const asked = inFormsOf(adapter, request)
  const unlisted = adapter.unlisted ?? (adapter.wire === 'native' ? 'keep' : 'drop')
  const result = applyParams<RequestOf<E>>(rules, asked, context, unlisted)
  const dropped = asked === request ? result.dropped : result.dropped.flatMap((name) => inClientsWords(name, request))
  const always = adapter.always?.(asked, context)
  if (always === undefined) return { path, ...result, dropped, changed: result.changed || asked !== request }
  return { path, body: { ...result.body, ...always }, dropped, changed: true }
}

/** The request of a chat in forms that the host knows; those of other endpoints have only one. */
const inFormsOf = <E extends EndpointName>(adapter: Adapter<E>, request: RequestOf<E>): RequestOf<E> => {
  if (!('messages' in request)) return request
  const asked = request as unknown as ChatRequest
  const plain =
    adapter.wire === 'own' ? plainForms(asked) : adapter.allowedTools === false ? onlyAllowedTools(asked) : asked
  return (adapter.namedTool === false ? onlyNamedTool(plain) : plain) as unknown as RequestOf<E>
}

/** What only stands for an older form has that one's name, or is nothing that the client could miss. */
const inClientsWords = (name: string, request: object): readonly string[] => {
  if (Object.hasOwn(request, name)) return [name]
  if (name === 'tool_choice') return ['function_call']
  return name === 'parallel_tool_calls' ? [] : [name]
}
