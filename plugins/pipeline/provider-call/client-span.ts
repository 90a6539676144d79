import { genAiProvider } from '#core/gen-ai'
import type { SpanHandle, Tracing } from '#core/ports'
import type { Call, Usage } from '#kit'
import { defined } from '#kit'
import type { Report } from '#kit/slots'

/**
 * The client span of one provider call, named `{operation} {model}` as the OpenTelemetry semantic conventions for generative AI
 * ask (status: development), read 2026-11.
 */
export const clientSpan = (
  tracing: Tracing,
  { provider, model, stream }: Report,
  call: Call,
  url: string,
  parent: SpanHandle | undefined,
): SpanHandle | undefined =>
  tracing.start(() => {
    const { hostname, port, protocol } = new URL(url)
    const { operation } = call.endpoint
    return {
      name: model === '' ? operation : `${operation} ${model}`,
      kind: 'client',
      attributes: {
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': genAiProvider(provider),
        ...(model === '' ? {} : { 'gen_ai.request.model': model }),
        ...(stream ? { 'gen_ai.request.stream': true } : {}),
        ...requestAttributes(call.params),
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
      'gen_ai.usage.reasoning.output_tokens': usage.reasoningTokens,
    }),
  )

/** Parameters of the reference form, and of forms that have some of the same, by the attributes of the conventions. */
const NUMBERS = {
  max_tokens: 'gen_ai.request.max_tokens',
  max_completion_tokens: 'gen_ai.request.max_tokens',
  max_output_tokens: 'gen_ai.request.max_tokens',
  temperature: 'gen_ai.request.temperature',
  top_p: 'gen_ai.request.top_p',
  top_k: 'gen_ai.request.top_k',
  frequency_penalty: 'gen_ai.request.frequency_penalty',
  presence_penalty: 'gen_ai.request.presence_penalty',
  seed: 'gen_ai.request.seed',
  n: 'gen_ai.request.choice.count',
} as const

const requestAttributes = (params: Readonly<Record<string, unknown>>): Record<string, number> => {
  const found: Record<string, number> = {}
  for (const [name, attribute] of Object.entries(NUMBERS)) {
    const value = params[name]
    if (typeof value === 'number' && Number.isFinite(value)) found[attribute] = value
  }
  return found
}
