import type { FromWorker, ToWorker } from './flusher/messages.ts'
import { SpoolWorker } from './flusher/spool-worker.ts'

/** The thread of the spool: everything that waits for a disk or a store happens here. */
declare const self: Worker

let worker: SpoolWorker | undefined

self.onmessage = ({ data }: MessageEvent<ToWorker>): void => {
  if (data.type === 'start') worker = new SpoolWorker(data, (message: FromWorker) => self.postMessage(message))
  else worker?.take(data)
}
