import { collectUpTo } from '#core/bodies/answer'
import { type Answer, defineEndpoint, isReadyStream, isRecord, parseJson, type Stage, t } from '#kit'
import { report } from '#kit/slots'
import { anthropicList, wantsAnthropic } from './anthropic.ts'
import { geminiModels, wantsGoogle } from './gemini.ts'
import { compared, type ListQuery, listed, paged, readListQuery } from './list-query.ts'
import { showList } from './own-list.ts'

const Model = t.Object({ id: t.String(), object: t.Literal('model'), owned_by: t.String() })

/** Longest list of a provider that is put in order here; a longer one goes on as it came. */
const MAX_LIST_BYTES = 16 * 1024 * 1024

/** Reads the query before anybody is asked, and answers in the form of Anthropic or Google those who ask in it. */
const stage: Stage = {
  name: 'models',
  async run(call, next) {
    if (wantsGoogle(call)) {
      call.become(geminiModels)
      return next()
    }
    if (wantsAnthropic(call)) {
      call.become({ ...call.endpoint, ...anthropicList })
      return next()
    }
    const query = readListQuery(call.request.query)
    const answer = await next()
    // The own list is in order already.
    const isProviders = call.find(report) !== undefined
    return isProviders && asksForOrder(query) ? inOrder(answer, query) : answer
  },
}

const asksForOrder = ({ limit, offset, sort, isDescending }: ListQuery): boolean =>
  limit !== undefined || offset > 0 || sort !== undefined || isDescending

/** The list of a provider, whose models have one owner: by their ids, whatever it is to be sorted by. */
const inOrder = async (answer: Answer, query: ListQuery): Promise<Answer> => {
  const bytes = isReadyStream(answer.body) ? await collectUpTo(answer.body, MAX_LIST_BYTES) : answer.body
  if (isReadyStream(bytes)) return { ...answer, body: bytes }
  const list: unknown = parseJson(new TextDecoder().decode(bytes))
  if (!isRecord(list) || !Array.isArray(list.data)) return { ...answer, body: bytes }
  const models: readonly unknown[] = list.data
  const ordered =
    query.sort === undefined && !query.isDescending ? models : models.toSorted((a, b) => compared(idOf(a), idOf(b)))
  const data = paged(query.isDescending ? ordered.toReversed() : ordered, query)
  return { ...answer, body: new TextEncoder().encode(JSON.stringify({ ...list, data, total: models.length })) }
}

const idOf = (model: unknown): string => (isRecord(model) && typeof model.id === 'string' ? model.id : '')

/** The list of models: that of a provider, or Weir's own. */
export const models = defineEndpoint({
  id: 'models',
  described: { operationId: 'listModels', summary: 'List the models that the caller can use.' },
  routes: [
    { method: 'GET', path: '/models' },
    // Where clients of Azure look.
    { method: 'GET', path: '/models', roots: ['/openai'] },
  ],
  scopes: ['models.list', 'completions.write', 'virtual_keys.list'],
  requestTypes: ['listModels'],
  operation: 'list_models',
  form: 'models',
  body: { kind: 'none' },
  answer: { kind: 'json', schema: t.Object({ object: t.Literal('list'), data: t.Array(Model) }) },
  stages: [stage],
  hasModel: false,
  fromCatalogue: (call) => {
    const query = readListQuery(call.request.query)
    return (own) => {
      const { page, total } = listed(own, query)
      return showList(page, total)
    }
  },
  isCounted: false,
})
