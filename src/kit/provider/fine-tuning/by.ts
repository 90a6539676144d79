import { isRecord } from '../../../core/json/record.ts'
import { type Exchange, type Performing, performing } from '../exchange.ts'
import type { Adapter, AdapterContext } from '../provider.ts'
import type { FineTuningAdapters } from './adapters.ts'
import { tuningJobId } from './adapters.ts'
import {
  partOf,
  readTuningQuery,
  showCheckpoints,
  showEvents,
  showJob,
  showPart,
  type TunedJob,
  type TuningCheckpoint,
  type TuningEvent,
  type TuningNumbers,
  type TuningQuery,
  tuningNumbers,
} from './jobs.ts'

type Fields = Readonly<Record<string, unknown>>

/** What is at hand for a call about jobs. */
export interface TuningCall {
  readonly context: AdapterContext
  readonly send: Exchange['send']
  /** Of the job that its path names, as a segment of a path. */
  readonly id: string
}

/** A provider whose jobs have a form of their own. Jobs, events and checkpoints that it gives are translated for it. */
export interface TuningHost {
  /** Where it is asked, where that is another host than the provider's. */
  readonly baseURL?: Adapter<string>['baseURL']
  /** Fields of a request that it takes besides `model` and `training_file`, those of its own among them. Others are lost, and named. */
  readonly takes: readonly string[]
  /** The numbers that it can be told. */
  readonly numbers: readonly (keyof TuningNumbers)[]
  create(asked: Fields, call: TuningCall): Promise<TunedJob>
  retrieve(call: TuningCall): Promise<TunedJob>
  cancel(call: TuningCall): Promise<TunedJob>
  /** The newest first. */
  list(query: TuningQuery, call: TuningCall): Promise<{ readonly jobs: readonly TunedJob[]; readonly hasMore: boolean }>
  /** The oldest first. Absent: it tells of none. */
  events?(call: TuningCall): Promise<readonly TuningEvent[]>
  /** The oldest first. Absent: it keeps none that it tells of. */
  checkpoints?(call: TuningCall): Promise<readonly TuningCheckpoint[]>
}

/** The adapters of such a provider. */
export const fineTuningBy = (host: TuningHost): FineTuningAdapters => {
  const adapter = <Form extends keyof FineTuningAdapters>(
    answer: (asked: Fields, call: TuningCall) => Promise<Fields>,
  ): Adapter<Form> => ({
    ...performing<Form>(async ({ request, context }: Performing<Form>, exchange) => {
      const call = { context, send: exchange.send, id: tuningJobId(context) }
      return { reply: (await answer(request, call)) as never }
    }),
    ...(host.baseURL === undefined ? {} : { baseURL: host.baseURL }),
  })
  /** The id of the client's own words. */
  const idOf = ({ context }: TuningCall): string => context.pathParams?.fine_tuning_job_id ?? ''
  return {
    'fine-tuning-create': {
      ...adapter<'fine-tuning-create'>(async (asked, call) => showJob(await host.create(asked, call))),
      loses: (asked) => lostOf(asked, host),
    },
    'fine-tuning-retrieve': adapter(async (_asked, call) => showJob(await host.retrieve(call))),
    'fine-tuning-cancel': adapter(async (_asked, call) => showJob(await host.cancel(call))),
    'fine-tuning-list': adapter(async (_asked, call) => {
      const { jobs, hasMore } = await host.list(readTuningQuery(call.context.search ?? '', 20), call)
      return showPart(jobs.map(showJob), hasMore)
    }),
    'fine-tuning-events': adapter(async (_asked, call) => {
      const query = readTuningQuery(call.context.search ?? '', 20)
      return partOf(showEvents(idOf(call), (await host.events?.(call)) ?? []).toReversed(), query)
    }),
    'fine-tuning-checkpoints': adapter(async (_asked, call) => {
      const query = readTuningQuery(call.context.search ?? '', 10)
      return partOf(showCheckpoints(idOf(call), (await host.checkpoints?.(call)) ?? []).toReversed(), query)
    }),
  }
}

/** Fields that are about the numbers, which are looked at one by one. */
const OF_NUMBERS = ['method', 'hyperparameters']

const NUMBER_NAMES: Readonly<Record<keyof TuningNumbers, string>> = {
  epochs: 'n_epochs',
  batchSize: 'batch_size',
  learningRateMultiplier: 'learning_rate_multiplier',
  beta: 'beta',
}

/** What of a request the host cannot be told. */
const lostOf = (asked: Fields, { takes, numbers }: TuningHost): readonly string[] => {
  const known = new Set(['model', 'training_file', ...OF_NUMBERS, ...takes])
  const names = Object.entries(asked).flatMap(([name, value]) => (known.has(name) || value === null ? [] : [name]))
  const said = Object.entries(tuningNumbers(asked)).flatMap(([name, value]) =>
    value === undefined ? [] : [name as keyof TuningNumbers],
  )
  return [
    ...names,
    ...said.filter((name) => !numbers.includes(name)).map((name) => `hyperparameters.${NUMBER_NAMES[name]}`),
  ]
}

/** A page of a list of a host. */
export interface TuningPage {
  readonly jobs: readonly TunedJob[]
  /** Asks for the page behind it. Absent: it is the last. */
  readonly next?: (() => Promise<TuningPage>) | undefined
}

/** Most pages that are gone through for a part of a list. */
const MOST_PAGES = 10

/**
 * A part of a list whose host counts in pages of its own, the newest first: pages are read until the part is whole. A job that is not
 * among the first thousand or so is not found again.
 */
export const partOfPages = async (
  first: Promise<TuningPage>,
  { after, limit }: TuningQuery,
): Promise<{ readonly jobs: readonly TunedJob[]; readonly hasMore: boolean }> => {
  const jobs: TunedJob[] = []
  let isBehind = after === undefined
  let page = await first
  for (let read = 1; ; read++) {
    for (const job of page.jobs) {
      if (isBehind) jobs.push(job)
      else isBehind = job.id === after
    }
    if (jobs.length > limit || page.next === undefined || read === MOST_PAGES) break
    page = await page.next()
  }
  return { jobs: jobs.slice(0, limit), hasMore: jobs.length > limit }
}

/** Those objects of a list in an answer; nothing for an answer without the list. */
export const objectsIn = (answer: Fields, name: string): readonly Fields[] => {
  const items: unknown = answer[name]
  return Array.isArray(items) ? items.filter(isRecord) : []
}
