/**
 * OpenRouter. Sources: OpenRouter docs, "Streaming" and "Errors and Debugging", read 2026-11-21.
 * An error while the model answers comes in a 200: in the body, or as a data event with `error` beside `choices`.
 * Comments (`: OPENROUTER PROCESSING`) keep streams awake. `HTTP-Referer` and `X-Title` name the calling application.
 */
import { clip, definePlugin, type Failure, openaiCompatible, openaiFailure, providerConfig } from '#kit'

export default definePlugin({
  name: 'openrouter',
  config: providerConfig('https://openrouter.ai/api/v1'),
  setup: (config) => ({
    providers: [openaiCompatible({ id: 'openrouter', ...config, headers: ['http-referer', 'x-title'], failure })],
  }),
})

/** "Provider returned error" alone helps nobody: `metadata` says which provider, and what it said. */
const failure = (status: number, body: unknown): Failure => {
  const said = openaiFailure(status, body)
  const metadata = recordOf(recordOf(recordOf(body).error).metadata)
  const details = [metadata.provider_name, metadata.raw].filter((detail) => typeof detail === 'string' && detail !== '')
  return details.length === 0 ? said : { ...said, message: clip(`${said.message} (${details.join(': ')})`, status) }
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
