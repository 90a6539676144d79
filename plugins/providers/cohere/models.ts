import { isRecord, UpstreamInvalid } from '#kit'
import type { Adapter, ModelList } from '#kit/provider'

/** 1000 is the largest page ("List Models"), far above the number of models there are. They have no time. */
export const models: Adapter<'models'> = {
  method: 'GET',
  path: '/v1/models?page_size=1000',
  wire: 'own',
  params: {},
  reply: (body, { created }) => {
    const listed = isRecord(body) ? body.models : undefined
    if (!Array.isArray(listed)) throw new UpstreamInvalid('The answer is no list of models.', { provider: 'cohere' })
    const data = listed
      .filter(isRecord)
      .flatMap(({ name, ...rest }): ModelList['data'] =>
        typeof name === 'string' ? [{ ...rest, id: name, object: 'model', created, owned_by: 'cohere' }] : [],
      )
    return { reply: { object: 'list', data } }
  },
}
