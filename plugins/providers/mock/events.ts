import type { FaultName } from './faults.ts'
import type { MockOptions } from './options.ts'
import { errorBody } from './plan.ts'

export const OVERLOADED = errorBody('The mock is overloaded.', 'overloaded_error', 'overloaded')

const DEFAULT_AT = 2

/** Chunks (JSON, and `[DONE]`) to the text of server-sent events, with the fault of the request worked in. */
export function* toEvents(chunks: Iterable<string>, options: MockOptions): Generator<string> {
  const frame = (options.fault === undefined ? undefined : FRAMES[options.fault]) ?? plainFrame
  let index = 0
  for (const data of brokenData(chunks, options)) yield frame(data, index++)
}

/** Number of events before a fault that strikes inside a stream. */
export const eventsBefore = (options: MockOptions): number => options.at ?? DEFAULT_AT

function* brokenData(chunks: Iterable<string>, options: MockOptions): Generator<string> {
  const { fault } = options
  const at = fault === 'first-event-error' ? 0 : eventsBefore(options)
  let index = 0
  let held = ''
  for (const data of chunks) {
    if (index++ !== at || data === '[DONE]') {
      yield held + data
      held = ''
      continue
    }
    switch (fault) {
      case 'first-event-error':
      case 'error-event':
        yield JSON.stringify(OVERLOADED)
        return
      case 'json-split':
        yield data.slice(0, data.length / 2)
        yield data.slice(data.length / 2)
        break
      case 'truncated-json':
        yield data.slice(0, data.length / 2)
        break
      case 'two-in-one':
        held = data
        break
      case 'deep-json':
        yield deepened(data, options)
        break
      default:
        yield data
    }
  }
}

/** The JSON object with one more field, nested as deep as asked. Written as text: a recursive encoder would overflow. */
export const deepened = (json: string, { depth = 100_000 }: MockOptions): string =>
  `${json.slice(0, -1)},"nested":${'['.repeat(depth)}${']'.repeat(depth)}}`

type Frame = (data: string, index: number) => string

const plainFrame: Frame = (data) => `data: ${data}\n\n`

/** Every pair of line ends that closes an event. CR then LF is missing, because that is one line end. */
const MIXED_ENDS = ['\n\n', '\r\n\r\n', '\r\r', '\n\r\n', '\r\n\r', '\r\r\n', '\n\r', '\r\n\n'] as const

const FRAMES: { readonly [Name in FaultName]?: Frame } = {
  'newline-cr': (data) => `data: ${data}\r\r`,
  'newline-crlf': (data) => `data: ${data}\r\n\r\n`,
  'newline-mixed': (data, index) => `data: ${data}${MIXED_ENDS[index % MIXED_ENDS.length]}`,
  'no-final-blank-line': (data) => (data === '[DONE]' ? `data: ${data}` : plainFrame(data, 0)),
  'byte-order-mark': (data, index) => `${index === 0 ? '\ufeff' : ''}data: ${data}\n\n`,
  comments: (data) => `: PROCESSING\n\n: before\ndata: ${data}\n:after\n\n`,
  'empty-data': (data) => `data:\n\ndata\n\ndata: \n\ndata: ${data}\n\n`,
  'multi-line-data': (data) =>
    data === '[DONE]'
      ? plainFrame(data, 0)
      : `${JSON.stringify(JSON.parse(data), null, 1).replace(/^/gm, 'data: ')}\n\n`,
  'unknown-fields': (data, index) => `id: ${index}\nretry: 3000\nx-mock: 1\nlonely\ndata: ${data}\n\n`,
}
