/**
 * Deepgram: transcripts, speech and its list of models. Sources: types of @deepgram/sdk 5.13.0, generated from its API reference,
 * and the pages of its documentation that stand at each part (github.com/deepgram/deepgram-docs), read 2026-11-22. Its second
 * generation of speech (`/v2/speak`, Flux) has another form, and is not called.
 */
import { defined, definePlugin, isRecord, type Provider, providerConfig, UpstreamInvalid } from '#kit'
import { type Adapter, type ModelList, openaiFailure } from '#kit/provider'
import { speech } from './speech.ts'
import { transcriptions } from './transcriptions.ts'

const models: Adapter<'models'> = {
  method: 'GET',
  path: '/models',
  wire: 'own',
  params: {},
  reply: (body, { created }) => {
    const lists = isRecord(body) ? [body.stt, body.tts].filter((list) => Array.isArray(list)) : []
    if (lists.length === 0) throw new UpstreamInvalid('The answer is no list of models.')
    // A model stands there once for each of its versions; calls name it without one.
    const byId = new Map<string, ModelList['data'][number]>()
    for (const each of lists.flat().filter(isRecord)) {
      const { canonical_name: id } = each
      if (typeof id === 'string') byId.set(id, { ...each, id, object: 'model', created, owned_by: 'deepgram' })
    }
    return { reply: { object: 'list', data: [...byId.values()] } }
  },
}

/** A token that its `auth/grant` gave, which goes as `Bearer`; keys go as `Token`. */
const GRANTED = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/

const authorize: Provider['authorize'] = (headers, { apiKey }) => {
  if (apiKey !== '') headers.set('authorization', `${GRANTED.test(apiKey) ? 'Bearer' : 'Token'} ${apiKey}`)
}

/** `{err_code, err_msg}` or `{category, message, details}` ("Errors" of its documentation). */
const failure: Provider['failure'] = (status, body) => {
  if (!isRecord(body)) return openaiFailure(status, body)
  const { err_msg: told = body.message, err_code: code = body.category, details } = body
  if (typeof told !== 'string') return openaiFailure(status, body)
  const message = typeof details === 'string' && details !== '' ? `${told} ${details}` : told
  return openaiFailure(status, { error: { message, code } })
}

export default definePlugin({
  name: 'deepgram',
  config: providerConfig('https://api.deepgram.com/v1'),
  setup: ({ baseURL, apiKey, models: listed }) => ({
    providers: [
      {
        id: 'deepgram',
        baseURL,
        needsKey: true,
        ...defined({ apiKey, models: listed }),
        endpoints: { transcriptions, speech, models },
        authorize,
        failure,
      },
    ],
  }),
})
