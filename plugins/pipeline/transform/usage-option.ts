/** Whether `stream_options` ask for the usage of a stream. */
export const isIncluded = (options: unknown): boolean =>
  typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage === true

/** The `stream_options` of a request. */
export const optionsOf = (request: object): object =>
  'stream_options' in request && typeof request.stream_options === 'object' ? { ...request.stream_options } : {}

const encoder = new TextEncoder()
const USAGE_OPTION = encoder.encode(',"stream_options":{"include_usage":true}}')
const CLOSE_BRACE = 0x7d

/**
 * Asks for usage at the end of a stream, in the bytes as the client sent them: the option is put before the last brace,
 * so nothing else changes, numbers beyond 2^53 included. The body is a JSON object that has no `stream_options` yet.
 */
export const withUsageOption = (bytes: Uint8Array): Uint8Array => {
  const end = bytes.lastIndexOf(CLOSE_BRACE)
  const spliced = new Uint8Array(end + USAGE_OPTION.length)
  spliced.set(bytes.subarray(0, end))
  spliced.set(USAGE_OPTION, end)
  return spliced
}
