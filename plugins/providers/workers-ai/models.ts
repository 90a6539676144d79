import { isRecord, UpstreamInvalid } from '#kit'
import type { Adapter, ModelList } from '#kit/provider'
import { serviceURLOf } from './account.ts'

/**
 * Cloudflare has no list of models in OpenAI's form. Its own search gives `{success, result: [{id, name, description, task}]}`,
 * where `name` is what calls name (`@cf/meta/llama-3.1-8b-instruct`).
 * @param baseURL of the operator, up to `/ai/v1`
 */
export const modelsOf = (baseURL: string | undefined): Adapter<'models'> => ({
  method: 'GET',
  baseURL: baseURL === undefined ? serviceURLOf : baseURL.replace(/\/v1$/, ''),
  path: '/models/search',
  wire: 'own',
  params: {},
  reply: (body) => {
    if (!isRecord(body) || !Array.isArray(body.result)) {
      throw new UpstreamInvalid('The answer is no list of models.', { provider: 'workers-ai' })
    }
    const data: ModelList['data'] = body.result.filter(isRecord).map(({ id: _, name, ...rest }) => ({
      ...rest,
      id: typeof name === 'string' ? name : '',
      object: 'model',
      created: 0,
      owned_by: typeof name === 'string' ? (name.split('/')[1] ?? 'workers-ai') : 'workers-ai',
    }))
    return { reply: { object: 'list', data: data.filter(({ id }) => id !== '') } }
  },
})
