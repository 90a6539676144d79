import { isRecord } from '#kit'
import type { AdapterContext, Model, ModelList } from '#kit/provider'
import { throwError } from './failure.ts'
import { textOf, unreadable } from './json.ts'
import { bareModel } from './model.ts'

/** The answer of `GET /models`, which gives no times. @throws UpstreamInvalid for another form. */
export const toModelList = (body: unknown, { created }: AdapterContext): { reply: ModelList } => {
  throwError(body)
  if (!isRecord(body) || !Array.isArray(body.models)) throw unreadable('it is not a list of models')
  return { reply: { object: 'list', data: body.models.map((entry: unknown) => modelOf(entry, created)) } }
}

/** The answer of `GET /models/{model}`. @throws UpstreamInvalid for another form. */
export const toModel = (body: unknown, { created }: AdapterContext): { reply: Model } => {
  throwError(body)
  return { reply: modelOf(body, created) }
}

const modelOf = (entry: unknown, created: number): Model => {
  const name = isRecord(entry) ? textOf(entry.name) : undefined
  if (name === undefined) throw unreadable('a model has no name')
  return { id: bareModel(name), object: 'model', created, owned_by: 'google' }
}
