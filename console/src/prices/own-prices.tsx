import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import type { paths } from '../api/schema.d.ts'
import { useMay } from '../api/session.tsx'
import type { Draft, FieldSpec } from '../resource/fields-dialog.tsx'
import { FieldsDialog } from '../resource/fields-dialog.tsx'
import { ResourceList } from '../resource/resource-list.tsx'
import { SelectField } from '../ui/field.tsx'
import { Name } from '../ui/name.tsx'
import { Answered, Empty } from '../ui/states.tsx'
import { forMillion, toCents, toDollars } from './model.ts'

type Models = paths['/admin/v2/integrations/{slug}/models']
type Model = Models['get']['responses'][200]['content']['application/json']['models'][number]

const PAGE_SIZE = 100

/** Prices that hold for calls through one integration. */
export const OwnPrices = () => {
  const [chosen, setChosen] = useState<string>()
  const query = useQuery({
    queryKey: ['integrations'],
    queryFn: () => take(gateway.GET('/admin/v2/integrations', { params: { query: { page_size: PAGE_SIZE } } })),
  })
  return (
    <>
      <h2 className="font-semibold">Own prices</h2>
      <Answered query={query}>
        {({ data }) => {
          const slug = chosen ?? data[0]?.slug
          if (slug === undefined) {
            return <Empty>An own price belongs to an integration: there is none yet.</Empty>
          }
          return (
            <>
              <div className="max-w-sm">
                <SelectField
                  label="Integration"
                  options={Object.fromEntries(data.map((each) => [each.slug, `${each.name} (${each.ai_provider_id})`]))}
                  value={slug}
                  onChange={(event) => setChosen(event.target.value)}
                />
              </div>
              <PricesOf key={slug} slug={slug} />
            </>
          )
        }}
      </Answered>
    </>
  )
}

const RATES: readonly FieldSpec[] = [
  { name: 'input', label: 'Input', isRequired: true, hint: 'Dollars for a million tokens.' },
  { name: 'output', label: 'Output', isRequired: true, hint: 'Dollars for a million tokens.' },
  { name: 'cached', label: 'Cached input', hint: 'Empty: as other input.' },
]

const newFields = (models: readonly string[]): readonly FieldSpec[] => [
  { name: 'slug', label: 'Model', isRequired: true, offers: models },
  ...RATES,
]

const PricesOf = ({ slug }: { readonly slug: string }) => {
  const mayRead = useMay('organisation_integrations.read')
  const params = { path: { slug } }
  const query = useQuery({
    queryKey: ['integration-models', slug],
    queryFn: async () => {
      const { models } = await take(gateway.GET('/admin/v2/integrations/{slug}/models', { params }))
      const data = models.filter(({ pricing_config: price }) => price !== null)
      return { data, total: data.length, models }
    },
    enabled: mayRead,
  })
  const known = query.data?.models ?? []
  const put = (model: Pick<Model, 'slug' | 'pricing_config'>) => {
    // What else is said of the model stays.
    const enabled = known.find((each) => each.slug === model.slug)?.enabled ?? true
    return take(
      gateway.PUT('/admin/v2/integrations/{slug}/models', { params, body: { models: [{ ...model, enabled }] } }),
    )
  }
  const save = (existing: Model | undefined) => (draft: Draft) => put(toModel(draft, existing))
  if (!mayRead) return <Empty>Those of the organisation are not yours to see.</Empty>
  return (
    <ResourceList
      noun="own price"
      query={query}
      idOf={(model) => model.slug}
      nameOf={(model) => model.slug}
      texts={(model) => [model.slug, model.name]}
      mayCreate={['organisation_integrations.update']}
      mayUpdate={['organisation_integrations.update']}
      mayDelete={['organisation_integrations.update']}
      dialog={(existing, onClose) => (
        <FieldsDialog
          title={existing === undefined ? 'New own price' : `Price of ${existing.slug}`}
          fields={existing === undefined ? newFields(known.map((each) => each.slug)) : RATES}
          initial={existing === undefined ? {} : toDraft(existing)}
          save={save(existing)}
          onClose={onClose}
        />
      )}
      remove={(model) => put({ slug: model.slug, pricing_config: null })}
      removal="Calls cost what the list says from then on."
      columns={[
        { title: 'Model', cell: (model) => <Name text={model.slug} /> },
        { title: 'Input', isNumber: true, cell: (model) => forMillion(rateOf(model, 'request_token')) },
        { title: 'Output', isNumber: true, cell: (model) => forMillion(rateOf(model, 'response_token')) },
        { title: 'Cached', isNumber: true, cell: (model) => forMillion(rateOf(model, 'cache_read_input_token')) },
      ]}
    />
  )
}

type Rate = 'request_token' | 'response_token' | 'cache_read_input_token'

const rateOf = ({ pricing_config: price }: Model, rate: Rate): number | undefined => price?.pay_as_you_go[rate]?.price

const toDraft = (model: Model): Draft => ({
  input: toDollars(rateOf(model, 'request_token')),
  output: toDollars(rateOf(model, 'response_token')),
  cached: toDollars(rateOf(model, 'cache_read_input_token')),
})

/** What the form does not show of a price stays as it is. */
const toModel = ({ slug = '', input = '', output = '', cached = '' }: Draft, existing: Model | undefined) => {
  const { cache_read_input_token: _, ...others } = existing?.pricing_config?.pay_as_you_go ?? {}
  return {
    slug: existing?.slug ?? slug,
    pricing_config: {
      type: 'static' as const,
      pay_as_you_go: {
        ...others,
        request_token: { price: toCents(input) },
        response_token: { price: toCents(output) },
        ...(cached === '' ? {} : { cache_read_input_token: { price: toCents(cached) } }),
      },
    },
  }
}
