/**
 * ElevenLabs: speech, transcripts and its list of models. Sources: types of @elevenlabs/elevenlabs-js 2.73.0, generated from its
 * OpenAPI document, and "Errors" of its documentation (eleven-api/resources/errors), read 2026-11-22.
 */
import { defined, definePlugin, isRecord, keyInHeader, type Provider, providerConfig, t, UpstreamInvalid } from '#kit'
import { type Adapter, type ModelList, openaiFailure } from '#kit/provider'
import { speechOf } from './speech.ts'
import { transcriptions } from './transcriptions.ts'
import { voiceIds } from './voices.ts'

const models: Adapter<'models'> = {
  method: 'GET',
  path: '/models',
  wire: 'own',
  params: {},
  reply: (body, { created }) => {
    if (!Array.isArray(body)) throw new UpstreamInvalid('The answer is no list of models.')
    const data = body
      .filter(isRecord)
      .flatMap(({ model_id: id, ...rest }): ModelList['data'] =>
        typeof id === 'string' ? [{ ...rest, id, object: 'model', created, owned_by: 'elevenlabs' }] : [],
      )
    return { reply: { object: 'list', data } }
  },
}

/** `{detail: {type, code, message, status, param}}`, where older errors have `status` for `code`; or FastAPI's violations. */
const failure: Provider['failure'] = (status, body) => {
  const detail = isRecord(body) ? body.detail : undefined
  if (!isRecord(detail)) return openaiFailure(status, body)
  return openaiFailure(status, { error: { ...detail, code: detail.code ?? detail.status } })
}

export default definePlugin({
  name: 'elevenlabs',
  config: providerConfig('https://api.elevenlabs.io/v1', {
    voices: t.Record(t.String(), t.String({ minLength: 1 }), {
      default: {},
      description: 'Names that calls may give voices, with the id of a voice each: `alloy: JBFqnCBsd6RMkjVDRZzb`.',
    }),
  }),
  setup: ({ baseURL, apiKey, models: listed, voices }) => ({
    providers: [
      {
        id: 'elevenlabs',
        baseURL,
        needsKey: true,
        keyHeader: 'xi-api-key',
        ...defined({ apiKey, models: listed }),
        endpoints: { speech: speechOf(voiceIds(voices)), transcriptions, models },
        authorize: keyInHeader('xi-api-key'),
        failure,
      },
    ],
  }),
})
