import { isRecord } from '#kit'
import type { Adapter, Model } from '#kit/provider'
import { unreadable } from './reply.ts'

/**
 * `ListFoundationModels` of "Amazon Bedrock", whose host is not that of the models. Inference profiles are another list, which is not
 * asked for; their ids have a geography in front.
 */
export const models: Adapter<'models'> = {
  method: 'GET',
  path: '/foundation-models',
  wire: 'own',
  params: {},
  reply(body, { strict }) {
    if (!isRecord(body) || !Array.isArray(body.modelSummaries)) throw unreadable('no list of models')
    const data = body.modelSummaries.filter(isRecord).map((model): Model => {
      const { modelId: id, providerName: maker, ...extras } = model
      if (typeof id !== 'string') throw unreadable('a model without an id')
      return {
        ...(strict ? {} : extras),
        id,
        object: 'model',
        created: 0,
        owned_by: typeof maker === 'string' ? maker.toLowerCase() : 'aws',
      }
    })
    return { reply: { object: 'list', data } }
  },
}
