import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gateway, type IfMatch, take, takeTagged } from '../api/client.ts'
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

/** What one model costs. */
type Priced = Pick<Model, 'slug' | 'pricing_config'>

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
  const put = (model: Priced, headers: IfMatch) => {
    // What else is said of the model stays.
    const enabled = known.find((each) => each.slug === model.slug)?.enabled ?? true
    return take(
      gateway.PUT('/admin/v2/integrations/{slug}/models', {
        ...{ params, headers },
        body: { models: [{ ...model, enabled }] },
      }),
    )
  }
  const save = (existing: Priced | undefined) => (draft: Draft, headers: IfMatch) =>
    put(toModel(draft, existing), headers)
  /** The tag is that of all models of the integration, which are stored as one. */
  const look = async ({ slug: name }: Model) => {
    const { data, tag } = await takeTagged(gateway.GET('/admin/v2/integrations/{slug}/models', { params }))
    return { data: data.models.find((model) => model.slug === name) ?? { slug: name, pricing_config: null }, tag }
  }
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
      look={look}
      dialog={(existing, onClose) => (
        <FieldsDialog
          existing={existing}
          title={existing === undefined ? 'New own price' : `Price of ${existing.data.slug}`}
          fields={existing === undefined ? newFields(known.map((each) => each.slug)) : RATES}
          initial={existing === undefined ? {} : toDraft(existing.data)}
          save={save(existing?.data)}
          onClose={onClose}
        />
      )}
      remove={(model, headers) => put({ slug: model.slug, pricing_config: null }, headers)}
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

const rateOf = ({ pricing_config: price }: Priced, rate: Rate): number | undefined => price?.pay_as_you_go[rate]?.price

const toDraft = (model: Priced): Draft => ({
  input: toDollars(rateOf(model, 'request_token')),
  output: toDollars(rateOf(model, 'response_token')),
  cached: toDollars(rateOf(model, 'cache_read_input_token')),
})

/** What the form does not show of a price stays as it is. */
const toModel = ({ slug = '', input = '', output = '', cached = '' }: Draft, existing: Priced | undefined) => {
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
