import { splitModel } from '#calls/config/model-name'
import { wholeBody } from '#core/bodies/body'
import { plainName, readTwice, withMultipartField } from '#core/forms/form-fields'
import { FormReader } from '#core/forms/form-reader'
import { readParametrised } from '#core/forms/parametrised'
import { type Call, isRecord, parseJson } from '#kit'
import type { PassThrough } from '#kit/slots'

/**
 * The model of a session that is asked for in a body: `session.model` of JSON, or that of the part `session` of a form
 * (openai-node 7.55.0, resources/realtime/client-secrets.ts and calls.ts, read 2026-11-24). The body goes on with the name that
 * the provider knows.
 */
export const modelOfSession = (call: Call): Pick<PassThrough, 'model' | 'body'> => {
  const { body, headers } = call.request
  const { session } = call.params
  if (isRecord(session)) {
    return named(session, (other) => Buffer.from(JSON.stringify({ ...call.params, session: other })))
  }
  const type = readParametrised(headers.get('content-type') ?? '')
  if (type?.value !== 'multipart/form-data' || body.kind === 'streamed') return {}
  const { bytes } = wholeBody(body)
  const form = new FormReader(type.parameters.get('boundary'), ({ name }) => plainName(name) === 'session')
  form.push(bytes)
  form.end()
  // The official client sends it like a file, with a content type.
  const [part, second] = form.parts.filter(({ name }) => plainName(name) === 'session')
  if (second !== undefined) throw readTwice('session')
  const ofForm = part?.content === undefined ? undefined : parseJson(Buffer.from(part.content).toString())
  if (!isRecord(ofForm)) return {}
  return named(ofForm, (other) => withMultipartField(bytes, form.parts, 'session', JSON.stringify(other)))
}

type Fields = Readonly<Record<string, unknown>>

const named = (session: Fields, write: (session: Fields) => Uint8Array): Pick<PassThrough, 'model' | 'body'> => {
  const { model } = session
  if (typeof model !== 'string') return {}
  const bare = splitModel(model)?.model
  return bare === undefined ? { model } : { model, body: write({ ...session, model: bare }) }
}
