/**
 * Amazon Bedrock: Converse for all models, and Anthropic's own form for those of Claude. Sources, read 2026-11-22: API reference of
 * "Amazon Bedrock Runtime" and "Amazon Bedrock" as botocore 1.44.5 and @aws-sdk/client-bedrock-runtime 3.1164.0 publish it;
 * @anthropic-ai/bedrock-sdk 1.1.3; pages of the user guide as named where they are used.
 */
import { defined, definePlugin, type Provider, t } from '#kit'
import { AWS_SETTINGS, awsConfig, awsFailure, createAwsAccess, NAMED_EVENTS, serviceURL } from '#kit/aws'
import { keptAt } from './batches.ts'
import { CLAUDE_FORMS } from './claude.ts'
import { embeddings } from './embeddings.ts'
import { fineTuningAt } from './fine-tuning.ts'
import { images } from './images.ts'
import { models as listed } from './listed.ts'
import { isClaude, modelInPath, modelOf, modelPath } from './models.ts'
import { chatBetas, chatParams } from './params.ts'
import { readReply } from './reply.ts'
import { rerank } from './rerank.ts'
import { hasBucket, S3_SETTINGS } from './s3.ts'
import { createStream } from './stream.ts'

/** Base URL of a service in the region of a call. */
const hostOf =
  (service: string) =>
  ({ aws_region: region }: Readonly<Record<string, string>>): string =>
    serviceURL(service, region)

export default definePlugin({
  name: 'bedrock',
  config: t.Object({
    ...awsConfig,
    baseURL: t.Optional(
      t.String({
        description: 'Base URL of all calls, for an endpoint of your own network. Default: the host of the region.',
      }),
    ),
    s3Bucket: t.Optional(
      t.String({
        pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
        description: 'Bucket of S3 for the files of calls that name none. The login of this file is for no other.',
      }),
    ),
    storageURL: t.Optional(
      t.String({
        pattern: '^https?://[^/?#\\s]+$',
        description: 'Where S3 is, for an endpoint of your own network. Default: the host of the region.',
      }),
    ),
    apiKey: t.Optional(
      t.String({
        minLength: 1,
        description:
          'Bedrock API key of calls that bring no login. Write it as an environment reference: ${AWS_BEARER_TOKEN_BEDROCK}.',
      }),
    ),
    models: t.Optional(
      t.Array(t.String({ minLength: 1 }), {
        description: 'Models that `GET /models` lists for this provider when a call names no provider.',
      }),
    ),
  }),
  needs: ['clock', 'log', 'logins', 'randomId'],
  setup({ baseURL, s3Bucket, storageURL, apiKey, models, ...config }, host) {
    const access = createAwsAccess({
      provider: 'bedrock',
      service: 'bedrock',
      config,
      host,
      apiKey,
      takesApiKeys: true,
      isOwnBucket: ({ aws_s3_bucket: asked }) => asked === s3Bucket,
    })
    /** A service at a host of its own. */
    const at = (name: string) => (baseURL === undefined ? { baseURL: hostOf(name) } : {})
    const endpoints: Provider['endpoints'] = {
      chat: {
        method: 'POST',
        path: ({ model, stream }) => `${modelPath(model)}/${stream ? 'converse-stream' : 'converse'}`,
        wire: 'own',
        params: chatParams,
        always: chatBetas,
        reply: readReply,
        stream: createStream,
        framing: NAMED_EVENTS,
      },
      embeddings,
      images,
      models: { ...listed, ...at('bedrock') },
      rerank: { ...rerank, ...at('bedrock-agent-runtime') },
      ...fineTuningAt(at('bedrock')),
      ...keptAt(at('bedrock'), storageURL),
      ...CLAUDE_FORMS,
    }
    const adapterFor: Provider['adapterFor'] = (form, model) =>
      Object.hasOwn(CLAUDE_FORMS, form) && !isClaude(modelOf(model)) ? undefined : endpoints[form]
    return {
      providers: [
        defined({
          id: 'bedrock',
          baseURL: baseURL ?? hostOf('bedrock-runtime'),
          models,
          needsKey: true,
          ...access,
          headers: ['anthropic-beta'],
          defaultSettings: defined({ ...access.defaultSettings, aws_s3_bucket: s3Bucket }),
          keepsAt: hasBucket,
          openSettings: Object.keys(S3_SETTINGS),
          settings: { ...AWS_SETTINGS, ...S3_SETTINGS, anthropic_beta: 'anthropic-beta' },
          adapterFor,
          modelInPath,
          endpoints,
          failure: awsFailure,
        }),
      ],
    }
  },
})
