/**
 * Azure AI Foundry: models of many makers behind one resource, serverless deployments and managed endpoints.
 * Sources, read 2026-11-22: azure-ai-inference 1.0.0b9 of PyPI (paths, `api-version`, `extra-parameters`, both headers of a key)
 * and the examples of azure-rest-api-specs, ModelInference 2025-04-01; @anthropic-ai/foundry-sdk 1.1.1 (Claude below
 * `/anthropic/v1`); Microsoft Q&A 5881208 and others for `/providers/mistral/azure/ocr`.
 */
import { defined, definePlugin, type HeaderFields, openaiCompatible, type Provider, providerConfig, t } from '#kit'
import {
  type Adapter,
  type AdapterContext,
  type AnyAdapter,
  messagesParams,
  OPENAI_MESSAGE_FIELDS,
} from '#kit/provider'
import { claudeChat } from '../anthropic/chat.ts'
import { createAzureLogin } from '../azure-openai/login.ts'
import { LOGIN_CONFIG, LOGIN_NAMES } from '../azure-openai/login-settings.ts'
import { rerank } from '../cohere/rerank.ts'
import { createPlaces, readPlace, refused, SETTINGS, takesBearer, versionQuery } from './address.ts'
import { CHAT_PARAMS } from './chat-params.ts'
import { ocrParams } from './ocr.ts'

const { apiKey, models } = providerConfig('').properties

const ANTHROPIC_VERSION = '2023-06-01'

/** What becomes of parameters that Azure does not know; left out, it refuses them ("error" of azure-ai-inference). */
const EXTRA_PARAMS: ReadonlySet<string> = new Set(['pass-through', 'drop', 'error'])

/** Deployments of Claude are named after the model, unless somebody called them otherwise. */
const isClaude = (model: string): boolean => /claude/i.test(model)

export default definePlugin({
  name: 'azure-ai',
  config: t.Object({
    apiKey,
    models,
    baseURL: t.Optional(
      t.String({
        description:
          'Address of all calls, up to but without `/chat/completions`: for a proxy. Calls cannot choose one then.',
      }),
    ),
    foundryURL: t.Optional(
      t.String({
        pattern: '^https?://[^?#\\s]+$',
        description:
          'Address of calls that name none: `https://contoso.services.ai.azure.com`, or that of a deployment. `apiKey` is sent to no other.',
      }),
    ),
    apiVersion: t.Optional(
      t.String({
        pattern: '^[A-Za-z0-9.-]{1,30}$',
        description: 'API version of calls that name none. Default: `2024-05-01-preview`.',
      }),
    ),
    ...LOGIN_CONFIG,
  }),
  needs: ['clock', 'log', 'logins', 'checkCustomHost'],
  setup: ({ baseURL, foundryURL, apiVersion, login, storedMachineLogin, authorityHost, scope, ...common }, host) => {
    const own = baseURL === undefined ? undefined : readPlace(baseURL)
    // The operator's own address needs no check of what callers name.
    const placeOf = createPlaces((url) => (url === foundryURL ? url : host.checkCustomHost(url)))
    const at = (settings: Readonly<Record<string, string>>) => own ?? placeOf(settings)
    const query = (context: AdapterContext): string =>
      versionQuery(context, context.customHost === true ? undefined : (baseURL ?? context.settings.azure_foundry_url))
    const isOwnPlace = ({ azure_foundry_url: url }: Readonly<Record<string, string>>): boolean =>
      baseURL !== undefined || (foundryURL !== undefined && url === foundryURL)
    const logins = createAzureLogin({
      provider: 'azure-ai',
      host,
      isOwnPlace,
      isAtAzure: (settings) => own !== undefined || at(settings).isResource,
      setKey: (headers, key, { url }) => {
        if (takesBearer(url)) headers.set('authorization', `Bearer ${key}`)
        else headers.set('api-key', key)
      },
      ...defined({ login, storedMachineLogin, authorityHost, scope, apiKey: common.apiKey }),
    })
    const originOf: Provider['baseURL'] = (settings) => at(settings).origin
    const compatible = openaiCompatible({
      id: 'azure-ai',
      ...common,
      baseURL: baseURL ?? ((settings) => placeOf(settings).base),
      needsKey: login === undefined,
      endpoints: ['chat', 'embeddings'],
      developerRole: false,
      takes: { unknown: 'ignored', params: CHAT_PARAMS, messages: OPENAI_MESSAGE_FIELDS },
      keyHeader: 'api-key',
      settings: SETTINGS,
      defaultSettings: defined({ azure_foundry_url: foundryURL, api_version: apiVersion }),
      paths: {
        chat: (context) => `/chat/completions${query(context)}`,
        embeddings: (context) => `/embeddings${query(context)}`,
      },
      params: { max_completion_tokens: limitOf },
      authorize: (headers, credentials, request) => {
        if (request.url.includes('/anthropic/v1/')) setVersion(headers)
        else setModelHeaders(headers, credentials.settings)
        return logins.authorize(headers, credentials, request)
      },
    })
    const endpoints: Provider['endpoints'] = {
      ...compatible.endpoints,
      models: { method: 'GET', path: '/openai/v1/models', wire: 'native', params: {}, baseURL: originOf },
      // Cohere's, below the resource.
      rerank: { ...rerank, path: '/providers/cohere/v2/rerank', baseURL: originOf },
      ocr: {
        method: 'POST',
        path: '/providers/mistral/azure/ocr',
        wire: 'native',
        params: ocrParams,
        baseURL: originOf,
      },
    }
    const claude: AnyAdapter = { ...claudeChat('/anthropic/v1/messages'), baseURL: originOf }
    const messages: Readonly<Record<string, AnyAdapter>> = {
      messages: claudeForm(({ search = '' }) => `/anthropic/v1/messages${search}`, originOf),
      'messages-count-tokens': claudeForm(
        ({ search = '' }) => `/anthropic/v1/messages/count_tokens${search}`,
        originOf,
      ),
    }
    return {
      providers: [
        {
          ...compatible,
          endpoints: { ...endpoints, ...messages },
          adapterFor: (form, model) =>
            isClaude(model) ? (messages[form] ?? (form === 'chat' ? claude : endpoints[form])) : endpoints[form],
          refused: logins.refused,
          headers: ['anthropic-version', 'anthropic-beta'],
          keySettings: LOGIN_NAMES,
          ownKeyIsFor: isOwnPlace,
        },
      ],
    }
  },
})

/** Models of OpenAI refuse the older name, the others know no other. */
const limitOf: NonNullable<Adapter<'chat'>['params']['max_completion_tokens']> = (value, _request, { model }) =>
  /^(?:gpt-|o\d|codex|chatgpt)/i.test(model) ? { max_completion_tokens: value } : { max_tokens: value }

const claudeForm = (path: Adapter<'messages'>['path'], baseURL: Provider['baseURL']): AnyAdapter => ({
  method: 'POST',
  path,
  wire: 'native',
  params: messagesParams,
  baseURL,
})

const setVersion = (headers: HeaderFields): void => {
  if (!headers.has('anthropic-version')) headers.set('anthropic-version', ANTHROPIC_VERSION)
}

/** @throws InvalidHeader */
const setModelHeaders = (headers: HeaderFields, settings: Readonly<Record<string, string>>): void => {
  const { azure_extra_params: extra = '', azure_deployment_name: deployment = '' } = settings
  if (extra !== '' && !EXTRA_PARAMS.has(extra)) {
    throw refused('azure_extra_params', 'Extra parameters must be `pass-through`, `drop` or `error`.')
  }
  headers.set('extra-parameters', extra || 'pass-through')
  if (deployment === '') return
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(deployment)) {
    throw refused('azure_deployment_name', 'The deployment is no name of a deployment.')
  }
  headers.set('azureml-model-deployment', deployment)
}
