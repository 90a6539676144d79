import type { SpanHandle, Tracing } from '#core/ports'
import type { Usage } from '#kit'
import { defined } from '#kit'
import type { Report } from '#kit/slots'

/** Well-known values of `gen_ai.provider.name`; any other provider goes by its own id. */
const PROVIDER_NAME: Readonly<Record<string, string>> = {
  'azure-openai': 'azure.ai.openai',
  google: 'gcp.gemini',
  'mistral-ai': 'mistral_ai',
}

/**
 * The client span of one provider call, named `{operation} {model}` as the OpenTelemetry semantic conventions for generative AI
 * ask (status: development), read 2026-11.
 */
export const clientSpan = (
  tracing: Tracing,
  { provider, model, stream }: Report,
  operation: string,
  url: string,
  parent: SpanHandle | undefined,
): SpanHandle | undefined =>
  tracing.start(() => {
    const { hostname, port, protocol } = new URL(url)
    return {
      name: model === '' ? operation : `${operation} ${model}`,
      kind: 'client',
      attributes: {
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': PROVIDER_NAME[provider] ?? provider,
        ...(model === '' ? {} : { 'gen_ai.request.model': model }),
        ...(stream ? { 'gen_ai.request.stream': true } : {}),
        'server.address': hostname,
        'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      },
    }
  }, parent)

export const recordUsage = (span: SpanHandle, usage: Usage): void =>
  span.set(
    defined({
      'gen_ai.usage.input_tokens': usage.inputTokens,
      'gen_ai.usage.output_tokens': usage.outputTokens,
      'gen_ai.usage.cache_read.input_tokens': usage.cachedInputTokens,
      'gen_ai.usage.cache_creation.input_tokens': usage.cacheWriteTokens,
    }),
  )
