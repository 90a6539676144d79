import { plainForms } from './chat-forms.ts'
import type { ChatRequest } from './openai.ts'
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
  const asked = adapter.wire === 'own' ? inPlainForms(request) : request
  const unlisted = adapter.unlisted ?? (adapter.wire === 'openai' ? 'keep' : 'drop')
  const result = applyParams<RequestOf<E>>(rules, asked, context, unlisted)
  const dropped = asked === request ? result.dropped : result.dropped.flatMap((name) => inClientsWords(name, request))
  const always = adapter.always?.(asked, context)
  if (always === undefined) return { path, ...result, dropped }
  return { path, body: { ...result.body, ...always }, dropped, changed: true }
}

/** The request of a chat; those of other endpoints have no such forms. */
const inPlainForms = <E extends EndpointName>(request: RequestOf<E>): RequestOf<E> =>
  'messages' in request ? (plainForms(request as unknown as ChatRequest) as unknown as RequestOf<E>) : request

/** What only stands for an older form has that one's name, or is nothing that the client could miss. */
const inClientsWords = (name: string, request: object): readonly string[] => {
  if (Object.hasOwn(request, name)) return [name]
  if (name === 'tool_choice') return ['function_call']
  return name === 'parallel_tool_calls' ? [] : [name]
}
