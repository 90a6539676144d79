import { defined } from '../../core/defined.ts'
import type { Prices, PublicPrice } from '../../core/prices.ts'
import { listOf, toList, toPage } from '../list.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { ListedPrice, PriceAnswer, PriceMissing, PriceQuery, PricesQuery } from './model.ts'

export interface ModelPricesDeps {
  readonly prices: Pick<Prices, 'describe' | 'list'>
}

/** Prices change with a version of Weir or its config: caches may keep them for an hour, and their absence for a minute. */
const CACHE_FOUND = 'public, max-age=3600'
const CACHE_MISSING = 'public, max-age=60'

/** What a model costs, for anybody (interface contract, section 5.5). */
export const modelPricesRoutes = ({ prices }: ModelPricesDeps): readonly AnyRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/model-configs/pricing',
    tag: 'Model pricing',
    summary: 'List what models cost',
    scopes: [],
    plane: 'workspace',
    changes: false,
    query: PricesQuery,
    response: listOf(ListedPrice),
    async handle({ query: { provider, search, ...query } }) {
      const { rows, total } = prices.list({ provider, search, ...toPage(query) })
      const listed = rows.map(({ provider: id, model, price }) => ({
        ...{ provider: id, model_slug: model },
        ...toAnswer(price),
        ...toDetails(price),
      }))
      return toList(listed, total)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/model-configs/pricing/:provider/:model',
    // Names of models have slashes, which clients do not always encode.
    aliases: ['/model-configs/pricing/:provider/*'],
    roots: ['/v2', '/v1', '/admin/v2', ''],
    tag: 'Model pricing',
    summary: 'Show what a model costs',
    scopes: [],
    plane: 'workspace',
    isPublic: true,
    changes: false,
    query: PriceQuery,
    response: PriceAnswer,
    missing: PriceMissing,
    async handle({ params: { provider = '', model, '*': rest = '' }, query: { details } }) {
      const name = model ?? rest
      const found = prices.describe(provider, name)
      if (found === undefined) {
        const error = `No price is known of the model '${cut(name)}' of the provider '${cut(provider)}'.`
        return Response.json({ error }, { status: 404, headers: { 'cache-control': CACHE_MISSING } })
      }
      const answer = details === true ? { ...toAnswer(found), ...toDetails(found) } : toAnswer(found)
      return Response.json(answer, { headers: { 'cache-control': CACHE_FOUND } })
    },
  }),
]

/** Anybody may ask for any name. */
const cut = (name: string): string => (name.length > 128 ? `${name.slice(0, 128)}…` : name)

const toAnswer = ({ pay_as_you_go, calculate, currency, finetune_config }: PublicPrice) =>
  defined({ pay_as_you_go, calculate, currency, finetune_config })

const toDetails = ({ context_tiers, service_tiers, about, priceId }: PublicPrice) =>
  defined({ context_tiers, service_tiers, price_id: priceId, model: about })
