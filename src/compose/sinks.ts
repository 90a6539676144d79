import type { Metrics } from '../core/metrics.ts'
import type { Clock, Logger } from '../core/ports.ts'
import type { CallRecord, CallRecorder, CallSink } from '../core/records.ts'
import { within } from '../timing/within.ts'
import { type Messages, SINK_LIMITS, type SinkLimits, SinkQueue } from './sink-queue.ts'

export interface SinksOptions {
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly limits?: SinkLimits
}

/** Hands records to all sinks, behind the calls. */
export interface Sinks {
  /** @param isOwn it is closed with the others */
  add(sink: CallSink, isOwn: boolean): void
  push(records: readonly CallRecord[], messages?: Messages): void
  /** Hands over what is queued, and closes those that are its own. Takes seconds at most, and never throws. */
  close(): Promise<void>
}

export const createSinks = ({ clock, log, metrics, limits = SINK_LIMITS }: SinksOptions): Sinks => {
  const dropped = metrics.counter({
    name: 'weir.sink.dropped',
    description: 'Records that a sink did not take.',
    unit: '{record}',
  })
  const queues: SinkQueue[] = []
  return {
    add(sink, isOwn) {
      queues.push(new SinkQueue(sink, { clock, log, dropped: dropped({ sink: sink.name }), isOwn, limits }))
    },
    push(records, messages) {
      for (const queue of queues) queue.push(records, messages)
    },
    async close() {
      await within(Promise.all(queues.map((queue) => queue.close())), limits.closeMs)
      for (const queue of queues) queue.abandon()
    },
  }
}

/** A recorder whose ends of calls the sinks hear of too. */
export const withSinks = (recorder: CallRecorder, sinks: Pick<Sinks, 'push'>): CallRecorder => ({
  prepare: (organisationId, workspaceId) => recorder.prepare(organisationId, workspaceId),
  open: (call) => recorder.open(call),
  announce: (workspaceId, charges, endedUs) => recorder.announce(workspaceId, charges, endedUs),
  close(records, messages) {
    recorder.close(records, messages)
    sinks.push(records, messages)
  },
  durable: () => recorder.durable(),
  feedback: (rows) => recorder.feedback(rows),
  stored: (withinMs) => recorder.stored(withinMs),
})
