import { defined } from '../../core/defined.ts'
import type { JsonSchema, Operation, PlacedOperation } from './types.ts'

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })
const ANY_OBJECT: JsonSchema = { type: 'object' }

const FAILED: Operation['responses'] = {
  '4XX': { $ref: '#/components/responses/CallFailed' },
  '5XX': { $ref: '#/components/responses/CallFailed' },
}

const pathParameter = (name: string, description: string): NonNullable<Operation['parameters']>[number] => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
})

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** A path whose calls go to the provider as they came. */
const passThrough = (
  path: string,
  name: string,
  summary: string,
  {
    deprecated,
    methods = METHODS,
  }: { readonly deprecated?: true; readonly methods?: typeof METHODS | readonly ['post'] } = {},
): readonly PlacedOperation[] =>
  methods.map((method) => ({
    method,
    path,
    operation: {
      operationId: `${method}${name}`,
      summary,
      tags: ['Pass-through'],
      ...defined({ deprecated }),
      ...(path.endsWith('{path}')
        ? { parameters: [pathParameter('path', 'Below the base URL of the provider.')] }
        : {}),
      responses: { 200: { description: 'The answer of the provider, as it is.' }, ...FAILED },
    },
  }))

/** A route of 2023, with its body `{config, params}`. */
const legacy = (path: string, operationId: string, summary: string): PlacedOperation => ({
  method: 'post',
  path,
  operation: {
    operationId,
    summary,
    tags: ['Deprecated'],
    deprecated: true,
    requestBody: {
      required: true,
      content: json({
        type: 'object',
        properties: { config: { type: ['string', 'object'] }, params: ANY_OBJECT },
      }),
    },
    responses: { 200: { description: 'As its successor answers.', content: json(ANY_OBJECT) }, ...FAILED },
  },
})

const PROMPT_PARAMETERS = [
  pathParameter('promptId', 'Id or slug of a prompt; `@12`, `@latest` or `@label` behind it names a version.'),
]
const PROMPT_BODY: NonNullable<Operation['requestBody']> = {
  required: true,
  content: json({
    type: 'object',
    required: ['variables'],
    properties: {
      variables: { type: 'object', description: 'Values by name.' },
      hyperparameters: {
        type: 'object',
        description: 'Parameters in the place of saved ones; they may also stand beside it.',
      },
      stream: { type: 'boolean', default: false },
    },
  }),
}

const prompt = (
  basePath: string,
  action: string,
  operation: Pick<Operation, 'operationId' | 'summary' | 'deprecated'>,
  description: string,
): PlacedOperation => ({
  method: 'post',
  path: `${basePath}/v1/prompts/{promptId}/${action}`,
  operation: {
    ...operation,
    tags: ['Prompts'],
    ...(operation.deprecated === true ? {} : { 'x-weir-aliases': [`${basePath}/v2/prompts/{promptId}/${action}`] }),
    parameters: PROMPT_PARAMETERS,
    requestBody: PROMPT_BODY,
    responses: { 200: { description, content: json(ANY_OBJECT) }, ...FAILED },
  },
})

/** What is asked over HTTP to have a session of speech and text; the provider's answer passes. */
const session = (basePath: string, place: string, operationId: string, summary: string): PlacedOperation => ({
  method: 'post',
  path: `${basePath}/v1/realtime/${place}`,
  operation: {
    operationId,
    summary,
    tags: ['Pass-through'],
    'x-weir-aliases': [`${basePath}/openai/v1/realtime/${place}`],
    responses: { 200: { description: 'The answer of the provider, as it is.' }, ...FAILED },
  },
})

/** Calls that reach a provider by other ways than the endpoints of the reference. */
export const callOperations = (basePath: string): readonly PlacedOperation[] => [
  prompt(
    basePath,
    'completions',
    { operationId: 'runPrompt', summary: 'Run a stored prompt.' },
    'A completion, or its stream.',
  ),
  prompt(
    basePath,
    'render',
    { operationId: 'renderPrompt', summary: 'Fill in a stored prompt, and reach no provider.' },
    '`{success, data}`, where `data` is the request that a run would send.',
  ),
  prompt(
    basePath,
    'generate',
    { operationId: 'generateFromPrompt', summary: 'Run a stored prompt, as of 2023.', deprecated: true },
    '`{success, data}`, where `data` is the completion.',
  ),
  session(
    basePath,
    'client_secrets',
    'createRealtimeClientSecret',
    'Make a secret with which a browser opens a session at the provider.',
  ),
  session(basePath, 'calls', 'createRealtimeCall', 'Offer a call of WebRTC to the provider (SDP).'),
  ...passThrough(`${basePath}/v1/gateway`, 'BaseURL', 'Call the base URL of the provider.'),
  ...passThrough(`${basePath}/v1/gateway/{path}`, 'Path', 'Call a path of the provider.'),
  ...passThrough(`${basePath}/v1/{path}`, 'OtherPath', 'Call a path of the provider that is no other route here.'),
  ...passThrough(`${basePath}/v1/proxy/{path}`, 'ProxyPath', 'Call a path of the provider, as of 2023.', {
    deprecated: true,
  }),
  ...passThrough(`${basePath}/openai/v1/{path}`, 'OpenAiPath', 'The same for clients of the undated API of Azure.'),
  ...passThrough(`${basePath}/v1beta/{path}`, 'GeminiPath', 'Call a path of Gemini, as its clients do.'),
  ...passThrough(
    `${basePath}/openai/deployments/{path}`,
    'AzureDeployment',
    'Call a deployment of Azure, as its clients do: `<deployment>/chat/completions?api-version=…`.',
    { methods: ['post'] },
  ),
  legacy(`${basePath}/v1/complete`, 'complete', 'Text completion, as of 2023.'),
  legacy(`${basePath}/v1/chatComplete`, 'chatComplete', 'Chat, as of 2023.'),
  legacy(`${basePath}/v1/embed`, 'embed', 'Embeddings, as of 2023.'),
]
