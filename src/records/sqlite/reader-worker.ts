/** The worker of the embedded store's reader: answers requests in turns of one step each, so that a long one holds up no other. */
import type { FromWorker, Opening, Result, ToWorker } from './protocol.ts'
import { read } from './read.ts'
import { openReadFiles, type ReadFiles, type Steps } from './read-files.ts'

declare const self: Worker

interface Running {
  readonly message: ToWorker
  readonly steps: Steps<Result>
}

const send = (message: FromWorker): void => self.postMessage(message)

let files: ReadFiles | undefined
const running: Running[] = []
let isTurning = false

self.onmessage = ({ data }: MessageEvent<Opening | ToWorker>) => {
  if ('folder' in data) {
    files = openReadFiles(data.folder, (warning) => send({ warning }))
    return
  }
  if (files === undefined) return
  running.push({ message: data, steps: read(files, data) })
  if (!isTurning) turn()
}

/** One step of the request whose turn it is; messages come in between two turns. */
const turn = (): void => {
  const next = running.shift()
  isTurning = next !== undefined
  if (next === undefined) return
  if (!step(next)) running.push(next)
  setImmediate(turn)
}

/** @returns whether that was the last step */
const step = ({ message, steps }: Running): boolean => {
  const { id, deadlineMs } = message
  try {
    if (Date.now() > deadlineMs) {
      send({ id, failure: 'It takes too long' })
      steps.return(undefined)
      return true
    }
    const { done, value } = steps.next()
    if (done) send({ id, result: value })
    return done ?? false
  } catch (error) {
    send({ id, failure: error instanceof Error ? `${error.name}: ${error.message}` : String(error) })
    return true
  }
}
