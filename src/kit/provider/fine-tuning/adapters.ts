import type { ParamMap } from '../params.ts'
import type { Adapter, AdapterContext } from '../provider.ts'

/** Forms of all that has to do with jobs of fine-tuning. */
export type FineTuningForm =
  | 'fine-tuning-create'
  | 'fine-tuning-list'
  | 'fine-tuning-retrieve'
  | 'fine-tuning-cancel'
  | 'fine-tuning-events'
  | 'fine-tuning-checkpoints'

/** An adapter for each of them. */
export type FineTuningAdapters = { readonly [Form in FineTuningForm]: Adapter<Form> }

/** How a host of OpenAI's format is asked for jobs of fine-tuning. */
export interface FineTuningHost {
  /** Where a place below the base URL is, such as `/fine_tuning/jobs/ftjob-1/events`. Default: there. */
  readonly place?: (path: string, context: AdapterContext) => string
}

/** Adapters of a host that speaks OpenAI's fine-tuning itself: bytes pass, but for what only other providers know. */
export const fineTuningAdapters = ({ place = (path) => path }: FineTuningHost): FineTuningAdapters => {
  const path = (rest: string) => (context: AdapterContext) =>
    withQuery(place(`/fine_tuning/jobs${rest}`, context), context.search)
  const ofJob = (rest: string) => (context: AdapterContext) => path(`/${tuningJobId(context)}${rest}`)(context)
  return {
    'fine-tuning-create': { method: 'POST', path: path(''), wire: 'native', params: OF_OTHERS },
    'fine-tuning-list': { method: 'GET', path: path(''), wire: 'native', params: {} },
    'fine-tuning-retrieve': { method: 'GET', path: ofJob(''), wire: 'native', params: {} },
    'fine-tuning-cancel': { method: 'POST', path: ofJob('/cancel'), wire: 'native', params: {} },
    'fine-tuning-events': { method: 'GET', path: ofJob('/events'), wire: 'native', params: {} },
    'fine-tuning-checkpoints': { method: 'GET', path: ofJob('/checkpoints'), wire: 'native', params: {} },
  }
}

/** The job that the path of a call names, as a segment of another path. */
export const tuningJobId = ({ pathParams }: Pick<AdapterContext, 'pathParams'>): string =>
  encodeURIComponent(pathParams?.fine_tuning_job_id ?? '')

/** Fields of the interface (contract, section 2.2) that providers of clouds take. */
const OF_OTHERS: ParamMap<Readonly<Record<string, unknown>>> = { job_name: null, role_arn: null, output_file: null }

/** The client's query, behind one that the place has already. */
const withQuery = (path: string, search = ''): string =>
  search === '' || !path.includes('?') ? `${path}${search}` : `${path}&${search.slice(1)}`
