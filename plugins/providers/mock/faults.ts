/** Where a fault shows: in any answer, only in a stream, or only in what a model says. */
export type FaultScope = 'any' | 'stream' | 'chat'

export interface MockFault {
  /** Failure class that the fault stands for: `F1` to `F32` of the reliability notes. */
  readonly failureClass: string
  /** `stream` needs `stream: true`, `chat` a chat or a text completion (about tools: a chat); the mock refuses the fault elsewhere with a 400. */
  readonly scope: FaultScope
  readonly description: string
}

const fault = (failureClass: string, scope: FaultScope, description: string): MockFault => ({
  failureClass,
  scope,
  description,
})

/** Faults of a WebSocket: those that say what becomes of it after `at` events. Its goodbye stands for the end of a body. */
const OF_SESSIONS: ReadonlySet<string> = new Set([
  'cut-connection',
  'cut-mid-stream',
  'error-event',
  'hang-mid-stream',
  'usage-missing',
])

export const isFaultOfSessions = (name: FaultName): boolean => OF_SESSIONS.has(name)

/** Every fault the mock can act out, by the name that selects it. The documentation prints this table. */
export const MOCK_FAULTS = {
  'never-answer': fault('F1', 'any', 'Takes the request and never sends a byte.'),
  'hang-mid-stream': fault(
    'F2',
    'any',
    'Stops after `at` events (half of a plain body) and keeps the connection open.',
  ),
  'cut-mid-stream': fault(
    'F3',
    'any',
    'Ends the body cleanly after `at` events or `atBytes` bytes, with no finish reason.',
  ),
  'cut-connection': fault(
    'F3',
    'any',
    'Closes the connection after `at` events or `atBytes` bytes, inside the HTTP body.',
  ),
  'cut-before-done': fault('F3', 'stream', 'Sends the finish reason but no `[DONE]`.'),
  'done-without-finish': fault('F3', 'stream', 'Sends `[DONE]` but no finish reason.'),
  'error-in-200': fault('F4', 'any', 'Answers 200 with an error body.'),
  'empty-choices': fault('F4', 'chat', 'Answers 200 with no choices at all.'),
  'not-json': fault('F4', 'any', 'Answers 200, typed as JSON, with text that is none.'),
  'empty-body': fault('F4', 'any', 'Answers 200 with an empty body.'),
  'first-event-error': fault('F5', 'stream', 'Opens the stream with an overload error as its first event.'),
  'error-event': fault('F6', 'stream', 'Sends an error event after `at` events and ends without `[DONE]`.'),
  status: fault('F7', 'any', 'Answers with `status` (default 500) and an error body; `retryAfter` sets the header.'),
  overloaded: fault('F7', 'any', 'Answers 529 with an overload error.'),
  'rate-limited': fault('F7', 'any', 'Answers 429 with `Retry-After: 1`.'),
  'html-error': fault('F7', 'any', 'Answers 502 with an HTML page, as a load balancer does.'),
  'spend-cap': fault('F8', 'any', 'Answers 429 for a used-up quota, with no hint when to retry.'),
  'retry-after-ms': fault('F9', 'any', 'Answers 429 with `retry-after-ms: 250`.'),
  'retry-after-date': fault('F9', 'any', 'Answers 429 with `Retry-After` as a date two seconds ahead.'),
  'retry-after-huge': fault('F9', 'any', 'Answers 429 with `Retry-After: 31536000`, one year.'),
  'retry-after-past': fault('F9', 'any', 'Answers 429 with `Retry-After` as a date in 2015.'),
  'retry-after-malformed': fault('F9', 'any', 'Answers 429 with `Retry-After: soon`.'),
  'newline-cr': fault('F11', 'stream', 'Ends every line with CR.'),
  'newline-crlf': fault('F11', 'stream', 'Ends every line with CRLF.'),
  'newline-mixed': fault('F11', 'stream', 'Ends lines with LF, CR and CRLF in turn.'),
  'no-final-blank-line': fault('F11', 'stream', 'Ends right after `data: [DONE]`, without a line end.'),
  'byte-order-mark': fault('F11', 'stream', 'Begins the stream with a byte order mark.'),
  comments: fault('F11', 'stream', 'Sends comments between events and inside them.'),
  'empty-data': fault('F11', 'stream', 'Sends events with empty data between the others.'),
  'multi-line-data': fault('F11', 'stream', 'Spreads the JSON of each event over several data lines.'),
  'unknown-fields': fault('F11', 'stream', 'Adds fields that no standard names, `id` and `retry` to each event.'),
  'giant-line': fault('F11', 'stream', 'Sends one data line of `bytes` (default 5 MiB).'),
  'split-utf8': fault('F12', 'chat', 'Answers with multi-byte characters and writes every byte on its own.'),
  'json-split': fault('F13', 'stream', 'Spreads the JSON of event number `at` over two events.'),
  'two-in-one': fault('F13', 'stream', 'Puts two JSON objects into event number `at`.'),
  'truncated-json': fault('F13', 'stream', 'Cuts the JSON of event number `at` in half and goes on.'),
  'huge-tool-arguments': fault('F14', 'chat', 'Calls a tool with `bytes` (default 10 MiB) of arguments.'),
  'deep-json': fault('F14', 'chat', 'Adds a field nested `depth` (default 100000) levels deep.'),
  'huge-body': fault('F14', 'any', 'Answers with a plain body of `bytes` (default 60 MiB).'),
  'tool-index-gaps': fault('F15', 'stream', 'Numbers the tool calls 0, 2, 5.'),
  'tool-name-split': fault('F15', 'stream', 'Sends the name of each tool in pieces.'),
  'tool-duplicate-ids': fault('F15', 'chat', 'Gives every tool call the same id.'),
  'tool-interleaved': fault('F15', 'stream', 'Sends the arguments of the tool calls in turns.'),
  'tool-bad-arguments': fault('F15', 'chat', 'Calls tools with arguments that are not JSON.'),
  'usage-missing': fault('F16', 'chat', 'Reports no usage.'),
  'usage-zero': fault('F16', 'chat', 'Reports usage of zero tokens.'),
  'usage-double': fault('F16', 'stream', 'Reports the usage twice.'),
  'usage-cumulative': fault('F16', 'stream', 'Reports a running total with every event.'),
  'usage-late': fault('F16', 'stream', 'Reports the usage after `[DONE]`.'),
  'wrong-content-type': fault('F17', 'any', 'Labels the answer text/plain.'),
  gzip: fault('F17', 'any', 'Compresses with gzip, whatever the request accepts.'),
  br: fault('F17', 'any', 'Compresses with Brotli, whatever the request accepts.'),
  zstd: fault('F17', 'any', 'Compresses with Zstandard, whatever the request accepts.'),
  'decompression-bomb': fault('F17', 'any', 'Sends a gzip body that unpacks to `bytes` (default 100 MiB).'),
  'content-length-long': fault('F18', 'any', 'Declares 100 bytes more than it sends, then closes.'),
  'content-length-short': fault('F18', 'any', 'Declares half of the bytes that it sends.'),
  'bad-chunk': fault('F18', 'any', 'Sends a chunk size that is not a number.'),
  'not-http': fault('F18', 'any', 'Answers with bytes that are not HTTP.'),
  'reset-before-head': fault('F18', 'any', 'Resets the connection before the first byte.'),
  'reset-mid-body': fault('F18', 'any', 'Resets the connection after `at` events or `atBytes` bytes.'),
  'half-close': fault('F18', 'any', 'Closes its half of the connection inside the body and goes on reading.'),
  'empty-deltas': fault('F22', 'stream', 'Sends `count` (default 100000) empty deltas before the end.'),
  'done-in-content': fault('F30', 'chat', 'Answers with text that holds the terminator of a stream.'),
  redirect: fault('F32', 'any', 'Answers 302 to a metadata address inside the network.'),
} as const satisfies Record<string, MockFault>

export type FaultName = keyof typeof MOCK_FAULTS

export const isFaultName = (name: string): name is FaultName => Object.hasOwn(MOCK_FAULTS, name)
