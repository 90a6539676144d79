/**
 * Azure OpenAI: OpenAI's wire format behind a resource, a deployment and a dated version, or the undated v1 API.
 * Sources: Microsoft Learn, "API version lifecycle" of Azure OpenAI in Foundry (v1 and `api-version=preview`);
 * openai-node 7.55.0, azure.js and docs/azure.md (path of a deployment, `api-key`); all read 2026-11-21. Its content filter answers 400 with code
 * `content_filter`, ends a choice with that finish reason, and sends a first chunk without choices: all pass as they are.
 */
import { defined, definePlugin, openaiCompatible, providerConfig, t } from '#kit'
import {
  nativeBatchOutput,
  OPENAI_CHAT_PARAMS,
  OPENAI_MESSAGE_FIELDS,
  OPENAI_STRICT,
  OPENAI_TOOL_IDS,
} from '#kit/provider'
import {
  baseURLOf,
  deploymentInPath,
  deploymentOf,
  deploymentPath,
  HOST_SUFFIXES,
  modelOf,
  modelsPath,
  RESOURCE_NAME,
  realtimePlace,
  referencePath,
  resourcePath,
  SETTINGS,
} from './address.ts'
import { createAzureLogin } from './login.ts'
import { LOGIN_CONFIG, LOGIN_NAMES } from './login-settings.ts'
import { media } from './media.ts'

const { apiKey, models } = providerConfig('').properties

export default definePlugin({
  name: 'azure-openai',
  config: t.Object({
    apiKey,
    models,
    baseURL: t.Optional(
      t.String({
        description:
          'Base URL of all calls, up to but without `/openai`: for a sovereign cloud or a proxy. Calls cannot choose a resource then.',
      }),
    ),
    resourceName: t.Optional(
      t.String({
        pattern: RESOURCE_NAME.source,
        description: 'Resource of calls that name none. `apiKey` is sent to no other.',
      }),
    ),
    deploymentId: t.Optional(
      t.String({ minLength: 1, description: 'Deployment of calls that name none. Default: the model of the call.' }),
    ),
    apiVersion: t.Optional(
      t.String({
        pattern: '^[A-Za-z0-9.-]{1,30}$',
        description: 'API version of calls that name none: a date, `preview` or `v1`. Default: `v1`.',
      }),
    ),
    ...LOGIN_CONFIG,
  }),
  needs: ['clock', 'log', 'logins'],
  setup: (
    { baseURL, resourceName, deploymentId, apiVersion, login, storedMachineLogin, authorityHost, scope, ...common },
    host,
  ) => {
    const isOwnPlace = ({ resource_name: asked }: Readonly<Record<string, string>>): boolean =>
      baseURL !== undefined || asked === resourceName
    const logins = createAzureLogin({
      provider: 'azure-openai',
      host,
      isOwnPlace,
      // The resource names a host of Azure.
      isAtAzure: () => true,
      ...defined({ login, storedMachineLogin, authorityHost, scope, apiKey: common.apiKey }),
    })
    const provider = openaiCompatible({
      id: 'azure-openai',
      keeps: ['files', 'batches'],
      ...common,
      needsKey: login === undefined,
      baseURL: baseURL ?? baseURLOf,
      takes: { unknown: 'ignored', params: OPENAI_CHAT_PARAMS, messages: OPENAI_MESSAGE_FIELDS },
      openElsewhere: true,
      strictSchemas: OPENAI_STRICT,
      toolIds: OPENAI_TOOL_IDS,
      answers: { reasoning: 'reasoning' },
      keyHeader: 'api-key',
      realtime: realtimePlace,
      settings: SETTINGS,
      defaultSettings: defined({
        resource_name: resourceName,
        deployment_id: deploymentId,
        api_version: apiVersion,
      }),
      paths: {
        chat: deploymentPath('chat/completions'),
        completions: deploymentPath('completions'),
        embeddings: deploymentPath('embeddings'),
        models: modelsPath,
      },
      responses: {
        place: resourcePath,
        params: { model: (model, _request, context) => ({ model: deploymentOf(model, context) }) },
      },
      // No deployment's own (openai-node 7.55.0, azure.mjs, read 2026-11-24): what is trained is a model, and no deployment yet.
      fineTuning: { place: resourcePath },
      params: { model: (model, _request, context) => ({ model: modelOf(model, context) }) },
      completionsParams: { model: (model, _request, context) => ({ model: modelOf(model, context) }) },
      embeddingsParams: { model: (model, _request, context) => ({ model: modelOf(model, context) }) },
      authorize: logins.authorize,
    })
    return {
      providers: [
        {
          ...provider,
          endpoints: { ...provider.endpoints, ...media, ...nativeBatchOutput(referencePath) },
          refused: logins.refused,
          keySettings: LOGIN_NAMES,
          ownKeyIsFor: isOwnPlace,
          // Of browsers, which cannot send the header (Microsoft Learn, "Use the GPT Realtime API via WebSockets", read 2026-11-24).
          keyParameter: 'api-key',
          hostSuffixes: HOST_SUFFIXES,
          modelInPath: deploymentInPath,
          referencePath,
        },
      ],
    }
  },
})
