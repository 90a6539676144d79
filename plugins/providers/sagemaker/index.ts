/**
 * Amazon SageMaker: endpoints of one's own whose containers speak OpenAI's format, as those of vLLM, SGLang and TGI do ("Messages API" of
 * text-generation-inference; `SageMakerAIModel` of strands-agents). Sources, read 2026-11-22: API reference of "Amazon SageMaker Runtime"
 * as botocore 1.44.5 publishes it; langchain-aws, `LineIterator` (events may be cut anywhere over the parts of a stream).
 */
import { defined, definePlugin, type HeaderFields, InvalidHeader, InvalidRequest, openaiCompatible, t } from '#kit'
import {
  AWS_SETTINGS,
  awsConfig,
  awsFailure,
  createAwsAccess,
  payloadBytes,
  type StreamException,
  serviceURL,
} from '#kit/aws'
import { type AdapterContext, VLLM_FIELDS } from '#kit/provider'

type Settings = Readonly<Record<string, string>>

/** Settings that are headers of a call (`InvokeEndpoint`). */
const HEADERS = {
  amzn_sagemaker_custom_attributes: 'amzn-sagemaker-custom-attributes',
  amzn_sagemaker_target_model: 'amzn-sagemaker-target-model',
  amzn_sagemaker_target_variant: 'amzn-sagemaker-target-variant',
  amzn_sagemaker_target_container_hostname: 'amzn-sagemaker-target-container-hostname',
  amzn_sagemaker_inference_id: 'amzn-sagemaker-inference-id',
  amzn_sagemaker_enable_explanations: 'amzn-sagemaker-enable-explanations',
  amzn_sagemaker_inference_component: 'amzn-sagemaker-inference-component',
  amzn_sagemaker_session_id: 'amzn-sagemaker-session-id',
} as const

/** An endpoint's name ("EndpointName"), which the model of a call is. */
const ENDPOINT = /^[a-zA-Z0-9](?:-?[a-zA-Z0-9]){0,62}$/

const path = ({ model, stream }: AdapterContext): string => {
  if (!ENDPOINT.test(model)) {
    throw new InvalidRequest('At SageMaker the model is the name of an endpoint, and this can be none.', {
      param: 'model',
    })
  }
  return `/endpoints/${model}/invocations${stream ? '-response-stream' : ''}`
}

/** The name that the container knows its model by, where it has another than the endpoint. */
const model = (name: unknown, _request: unknown, { settings }: AdapterContext) => ({
  model: settings.amzn_sagemaker_model_name || name,
})

/** As a container would say it in a stream. */
const toError = ({ type, message, status }: StreamException): object => ({ error: { type, message, status } })

const setHeaders = (headers: HeaderFields, settings: Settings): void => {
  for (const [name, suffix] of Object.entries(HEADERS)) {
    const value = settings[name] ?? ''
    if (value === '') continue
    if (!/^[\x20-\x7e]+$/.test(value)) {
      throw new InvalidHeader(`\`${name}\` holds characters that no header can hold.`, { param: name })
    }
    headers.set(`x-${suffix}`, value)
  }
}

export default definePlugin({
  name: 'sagemaker',
  config: t.Object({
    ...awsConfig,
    baseURL: t.Optional(
      t.String({
        description: 'Base URL of all calls, for an endpoint of your own network. Default: the host of the region.',
      }),
    ),
    models: t.Optional(
      t.Array(t.String({ minLength: 1 }), {
        description: 'Models that `GET /models` lists for this provider when a call names no provider.',
      }),
    ),
  }),
  needs: ['clock', 'log', 'logins', 'randomId'],
  setup({ baseURL, models, ...config }, host) {
    const access = createAwsAccess({ provider: 'sagemaker', service: 'sagemaker', config, host, takesApiKeys: false })
    const provider = openaiCompatible({
      id: 'sagemaker',
      baseURL: baseURL ?? (({ aws_region: region }) => serviceURL('runtime.sagemaker', region)),
      endpoints: ['chat', 'completions', 'embeddings'],
      paths: { chat: path, completions: path, embeddings: path },
      // Chat templates know system, user, assistant and tool.
      developerRole: false,
      allowedTools: false,
      takes: VLLM_FIELDS,
      answers: { reasoning: 'reasoning', finishReasons: { eos_token: 'stop', stop_sequence: 'stop' } },
      params: { model },
      completionsParams: { model },
      embeddingsParams: { model },
      settings: { ...AWS_SETTINGS, ...HEADERS, amzn_sagemaker_model_name: 'amzn-sagemaker-model-name' },
      failure: awsFailure,
      ...defined({ models }),
      ...access,
    })
    const framing = payloadBytes(toError)
    const { chat, completions, embeddings } = provider.endpoints
    return {
      providers: [
        {
          ...provider,
          ...access,
          endpoints: defined({
            chat: chat && { ...chat, framing },
            completions: completions && { ...completions, framing },
            embeddings,
          }),
          authorize: (headers, credentials, request) => {
            setHeaders(headers, credentials.settings)
            return access.authorize(headers, credentials, request)
          },
          modelInPath: (place) => /^\/endpoints\/([^/]+)\//.exec(place)?.[1],
        },
      ],
    }
  },
})
