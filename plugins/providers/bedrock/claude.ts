import { isRecord, UpstreamInvalid } from '#kit'
import { chunkEvents, type StreamException } from '#kit/aws'
import {
  type Adapter,
  type AdapterContext,
  type AnyAdapter,
  type MessagesRequest,
  type MessagesTokenCount,
  messagesParams,
  type ParamMap,
} from '#kit/provider'
import { betasOf } from './betas.ts'
import { baseModelOf, modelPath } from './models.ts'

/**
 * Anthropic's Messages API at InvokeModel: the model stands in the path, the version and the betas in the body
 * (@anthropic-ai/bedrock-sdk 1.1.3, client.mjs: `_adaptRequest`; read 2026-11-22). Bytes of answers and events pass.
 */
const VERSION = 'bedrock-2023-05-31'

const NOTHING = {}

const params: ParamMap<MessagesRequest> = {
  ...messagesParams,
  model: () => NOTHING,
  stream: () => NOTHING,
  // Together with those of the header, which are named there.
  anthropic_beta: () => NOTHING,
  anthropic_version: () => NOTHING,
}

/** Version and betas, which are headers elsewhere. */
const ofHeaders = (request: MessagesRequest, context: AdapterContext): Record<string, unknown> => {
  const betas = betasOf(request.anthropic_beta, context)
  return { anthropic_version: VERSION, ...(betas.length === 0 ? {} : { anthropic_beta: betas }) }
}

/** Types of Anthropic's errors for exceptions inside a stream, by their names there ("Errors" of Anthropic's API reference, read 2026-11-22). */
const ERROR_TYPES: Readonly<Record<string, string | undefined>> = {
  modelTimeoutException: 'timeout_error',
  serviceUnavailableException: 'overloaded_error',
  throttlingException: 'rate_limit_error',
  validationException: 'invalid_request_error',
}

const toError = ({ type, message, status }: StreamException): object => ({
  type: 'error',
  error: { type: ERROR_TYPES[type] ?? 'api_error', message, status },
})

export const messages: Adapter<'messages'> = {
  method: 'POST',
  path: ({ model, stream }) => `${modelPath(model)}/${stream ? 'invoke-with-response-stream' : 'invoke'}`,
  wire: 'native',
  params,
  always: ofHeaders,
  framing: chunkEvents(toError),
}

/** The whole of a request as InvokeModel takes it, in base64 ("CountTokens", API reference, read 2026-11-22). */
const counted = (request: MessagesRequest, context: AdapterContext): Record<string, unknown> => {
  const { model: _, stream: _stream, anthropic_beta: _betas, ...asked } = request
  const body = { max_tokens: 1, ...asked, ...ofHeaders(request, context) }
  return { input: { invokeModel: { body: Buffer.from(JSON.stringify(body)).toString('base64') } } }
}

const COUNTED =
  'model stream messages system tools tool_choice thinking output_config max_tokens temperature top_p top_k'
    .concat(
      ' stop_sequences metadata service_tier cache_control container context_management mcp_servers output_format',
    )
    .concat(' anthropic_beta anthropic_version')
    .split(' ')

export const countTokens: Adapter<'messages-count-tokens'> = {
  method: 'POST',
  path: ({ model }) => `${modelPath(baseModelOf(model))}/count-tokens`,
  wire: 'own',
  params: Object.fromEntries(COUNTED.map((name) => [name, () => NOTHING])),
  always: counted,
  reply(body): { readonly reply: MessagesTokenCount } {
    const count = isRecord(body) ? body.inputTokens : undefined
    if (typeof count !== 'number') throw new UpstreamInvalid('Bedrock answered without a count of tokens.')
    return { reply: { input_tokens: count } }
  },
}

export const CLAUDE_FORMS: Readonly<Record<string, AnyAdapter>> = { messages, 'messages-count-tokens': countTokens }
