import { isRecord } from '../../core/json/record.ts'
import type { ParamMap } from './params.ts'
import type { Adapter, AdapterContext } from './provider.ts'
import { isCarriedReasoning, type ResponsesRequest, readOwnResponseId } from './responses.ts'

/** How a host of OpenAI's format is asked for responses. */
export interface ResponsesHost {
  /** False for a host that keeps no responses: it has no reading, deleting and cancelling of them. Default true. */
  readonly keeps?: boolean
  /** Where a place below the base URL is, such as `/responses/resp_1/input_items`. Default: there. */
  readonly place?: (path: string, context: AdapterContext) => string
  /** Parameters that differ from the reference; the others pass through. */
  readonly params?: ParamMap<ResponsesRequest>
}

/** The adapters of all forms that have to do with responses. */
export interface ResponsesAdapters {
  readonly responses: Adapter<'responses'>
  readonly response?: Adapter<'response'>
  readonly 'response-delete'?: Adapter<'response-delete'>
  readonly 'response-cancel'?: Adapter<'response-cancel'>
  readonly 'response-input-items'?: Adapter<'response-input-items'>
}

/** Adapters of a host that speaks OpenAI's Responses itself: bytes pass, all of its own tools with them. */
export const responsesAdapters = ({ keeps = true, place = asIs, params }: ResponsesHost): ResponsesAdapters => {
  const at =
    (rest: string) =>
    (context: AdapterContext): string => {
      const id = context.pathParams?.response_id ?? ''
      return withQuery(place(`/responses/${encodeURIComponent(id)}${rest}`, context), context.search)
    }
  const responses: Adapter<'responses'> = {
    method: 'POST',
    path: (context) => place('/responses', context),
    wire: 'native',
    params: { ...OWN_STATE, ...params },
  }
  if (!keeps) return { responses }
  return {
    responses,
    response: { method: 'GET', path: at(''), wire: 'native', params: {} },
    'response-delete': { method: 'DELETE', path: at(''), wire: 'native', params: {} },
    'response-cancel': { method: 'POST', path: at('/cancel'), wire: 'native', params: {} },
    'response-input-items': { method: 'GET', path: at('/input_items'), wire: 'native', params: {} },
  }
}

const asIs = (path: string): string => path

/** The client's query, behind one that the place has already. */
const withQuery = (path: string, search = ''): string =>
  search === '' || !path.includes('?') ? `${path}${search}` : `${path}&${search.slice(1)}`

/** What only Weir understands: its own ids, whose items stand in `input`, and reasoning of providers that have no responses. */
const OWN_STATE: ParamMap<ResponsesRequest> = {
  previous_response_id: (id: unknown) => (readOwnResponseId(id) === undefined ? { previous_response_id: id } : {}),
  input: (input: ResponsesRequest['input'], _request: ResponsesRequest, _context: AdapterContext, report) => {
    if (!Array.isArray(input)) return { input }
    const items: readonly unknown[] = input
    if (!items.some(isOwnReasoning)) return { input }
    report('input[].encrypted_content')
    return { input: items.filter((item) => !isOwnReasoning(item)) }
  },
}

const isOwnReasoning = (item: unknown): boolean => isRecord(item) && isCarriedReasoning(item)
