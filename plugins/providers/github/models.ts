import { isRecord, UpstreamInvalid } from '#kit'
import type { Adapter, ModelList } from '#kit/provider'

/**
 * The catalogue, a bare list of `{id, name, publisher, …}` beside the address of calls ("REST API endpoints for models catalog",
 * read 2026-11-22). A token that may not read models gets an empty one.
 */
export const modelsOf = (baseURL: string): Adapter<'models'> => ({
  method: 'GET',
  baseURL: baseURL.replace(/\/inference$/, ''),
  path: '/catalog/models',
  wire: 'own',
  params: {},
  reply: (body) => {
    if (!Array.isArray(body)) throw new UpstreamInvalid('The answer is no list of models.', { provider: 'github' })
    const data: ModelList['data'] = body.filter(isRecord).map(({ id, publisher, ...rest }) => ({
      ...rest,
      id: typeof id === 'string' ? id : '',
      object: 'model',
      created: 0,
      owned_by: typeof publisher === 'string' ? publisher : 'github',
    }))
    return { reply: { object: 'list', data: data.filter(({ id }) => id !== '') } }
  },
})
