/**
 * Stability AI, the services of Stable Image (`v2beta`), whose requests are forms. Source: its OpenAPI document as tryAGI/StabilityAI
 * has it (openapi.yaml, from api.stability.ai/v2alpha/openapi), read 2026-11-22. A service is asked for as a model: `core`, `inpaint`.
 * It has no list of them.
 */
import { bearer, defined, definePlugin, isRecord, type Provider, providerConfig } from '#kit'
import { clip, openaiFailure } from '#kit/provider'
import { imageEdits, images } from './images.ts'

/** `{id, name, errors: ['some-field: is required']}`, or a `message` in place of `errors`. */
const failure: Provider['failure'] = (status, body) => {
  const { name, errors } = isRecord(body) ? body : {}
  const code = typeof name === 'string' ? name : null
  const said = Array.isArray(errors) ? errors.filter((error): error is string => typeof error === 'string') : []
  if (said.length === 0) return { ...openaiFailure(status, body), code }
  const param = /^([a-z][a-z_-]*): /.exec(said[0] ?? '')?.[1] ?? null
  return { message: clip(said.join('; '), status), type: null, param, code }
}

export default definePlugin({
  name: 'stability-ai',
  config: providerConfig('https://api.stability.ai/v2beta'),
  setup: ({ baseURL, apiKey, models }) => ({
    providers: [
      {
        id: 'stability-ai',
        baseURL,
        needsKey: true,
        ...defined({ apiKey, models }),
        headers: ['stability-client-id', 'stability-client-user-id', 'stability-client-version'],
        // The models of `sd3` are named in the body.
        modelInPath: (path) => /\/stable-image\/(?:generate|edit)\/(?!sd3$)([^/]+)$/.exec(path)?.[1],
        endpoints: { images, 'image-edits': imageEdits },
        authorize: bearer(),
        failure,
      },
    ],
  }),
})
