import { type Call, type Endpoint, InvalidRequest, isRecord, UpstreamInvalid } from '#kit'
import type { ListedModel } from '#kit/plugin'
import type { Bridge } from '#kit/provider'
import { anthropicErrors } from '../messages/errors.ts'
import { numberIn } from './list-query.ts'
import { ownModelOf } from './own-list.ts'

type Fields = Readonly<Record<string, unknown>>

/** Anthropic's clients say the version of its interface with each call. */
export const wantsAnthropic = ({ request: { headers } }: Call): boolean => headers.has('anthropic-version')

/**
 * A model as Anthropic shows one: `ModelInfo` of @anthropic-ai/sdk 1.12.0, read 2026-11-22, "may be set to an epoch value if the
 * release date is unknown". What nobody knows is null there.
 */
const show = (id: string, name: string, createdSeconds: number): Fields => ({
  type: 'model',
  id,
  display_name: name,
  created_at: new Date(createdSeconds * 1000).toISOString().replace('.000Z', 'Z'),
  capabilities: null,
  max_input_tokens: null,
  max_tokens: null,
})

const showOwn = ({ id, slug }: ListedModel): Fields => show(id, slug, 0)

const showOther = (model: unknown): Fields => {
  if (!isRecord(model) || typeof model.id !== 'string')
    throw new UpstreamInvalid('The provider lists a model without an id.')
  const { id, name, created } = model
  const isTime = typeof created === 'number' && created >= 0 && created < MAX_SECONDS
  return show(id, typeof name === 'string' ? name : id, isTime ? created : 0)
}

/** The year 9999. */
const MAX_SECONDS = 253_402_300_800

/** Models on a page, where the call says nothing ("List Models"). */
const PAGE = 20
const MAX_PAGE = 1_000

/**
 * A page of a list, in Anthropic's way: behind the id `after_id`, or in front of `before_id`.
 * @throws InvalidRequest naming the parameter
 */
const page = (models: readonly Fields[], query: URLSearchParams): Fields => {
  const limit = numberIn(query, 'limit', 1) ?? PAGE
  if (limit > MAX_PAGE) throw new InvalidRequest(`\`limit\` must be at most ${MAX_PAGE}.`, { param: 'limit' })
  const placeOf = (name: 'after_id' | 'before_id'): number | undefined => {
    const id = query.get(name)
    if (id === null || id === '') return undefined
    const place = models.findIndex((model) => model.id === id)
    if (place !== -1) return place
    throw new InvalidRequest(`\`${name}\` names no model of this list.`, { param: name })
  }
  const after = placeOf('after_id')
  const before = placeOf('before_id')
  const rest = models.slice(after === undefined ? 0 : after + 1, before)
  const isBackwards = before !== undefined && after === undefined
  const data = isBackwards ? rest.slice(-limit) : rest.slice(0, limit)
  return {
    data,
    has_more: rest.length > data.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  }
}

/** How the endpoint of the list differs for those clients. */
export const anthropicList: Pick<Endpoint, 'form' | 'errors' | 'fromCatalogue'> = {
  form: 'anthropic-models',
  errors: anthropicErrors,
  fromCatalogue:
    ({ request: { query } }) =>
    (models) =>
      page(models.map(showOwn), query),
}

export const anthropicModel: Pick<Endpoint, 'form' | 'errors' | 'fromCatalogue'> = {
  form: 'anthropic-model',
  errors: anthropicErrors,
  fromCatalogue: ownModelOf(showOwn),
}

const nothingAsked: Bridge['request'] = () => ({ request: {}, dropped: [] })
const noStream: Bridge['stream'] = () => ({ push: () => '', end: () => '' })

/** Anthropic's list over that of any provider. */
export const anthropicModelsByModels: Bridge = {
  from: 'anthropic-models',
  to: 'models',
  request: nothingAsked,
  reply: ({ data }, { search = '' }) => {
    if (!Array.isArray(data)) throw new UpstreamInvalid('The provider answered with no list of models.')
    return page(data.map(showOther), new URLSearchParams(search))
  },
  stream: noStream,
}

export const anthropicModelByModel: Bridge = {
  from: 'anthropic-model',
  to: 'model',
  request: nothingAsked,
  reply: showOther,
  stream: noStream,
}
