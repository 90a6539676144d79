import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { gateway, take } from '../api/client.ts'
import { count, money } from '../ui/format.ts'
import { Panel } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import type { Log } from './log.ts'

type Metrics = Log['metrics']

const SOURCES: Readonly<Record<string, string>> = {
  provider: 'The provider said what it charges.',
  integration: 'By the own price of the integration.',
  file: 'By the operator’s file of prices.',
}

const sourceOf = (id: string): string =>
  id.startsWith('table:') ? `By the price list of ${id.slice('table:'.length)}.` : (SOURCES[id] ?? `By ${id}.`)

const MILLION = 1_000_000

/** What a call cost, of what, and at which price. */
export const CostPanel = ({ log: { metrics } }: { readonly log: Log }) => {
  const { cost_parts: parts, price_id: priceId, unpriced } = metrics
  const rates = useRates(metrics)
  if (unpriced) {
    return (
      <Panel title="What it cost">
        <p>
          The price of {metrics.ai_model ?? 'the model'} is not known, so the call is in no sum. An own price can be set
          under Prices.
        </p>
      </Panel>
    )
  }
  if (parts === null || priceId === null) return null
  const rows: readonly (readonly [string, ReactNode, number | undefined, number])[] = [
    ['Input', inputWords(metrics), rates?.request_token?.price, parts.input],
    ['Output', `${count(metrics.res_units)} tokens`, rates?.response_token?.price, parts.output],
    ['Cache', `${count(metrics.cached_units)} tokens`, rates?.cache_read_input_token?.price, parts.cache],
    ['All else', '—', undefined, parts.other],
  ]
  return (
    <Panel title="What it cost">
      <div className="grid gap-3">
        <Table
          label="What it cost"
          rows={rows.filter(([name, , , cost]) => cost > 0 || name === 'Input' || name === 'Output')}
          keyOf={([name]) => name}
          columns={[
            { title: 'Part', cell: ([name]) => name },
            { title: 'How much', cell: ([, amount]) => amount },
            {
              title: 'For a million',
              isNumber: true,
              cell: ([, , rate]) => (rate === undefined ? '—' : money(rate * MILLION)),
            },
            { title: 'Cost', isNumber: true, cell: ([, , , cost]) => money(cost) },
          ]}
        />
        <p className="text-soft">
          {money(metrics.cost)} in all. {sourceOf(priceId)}
        </p>
      </div>
    </Panel>
  )
}

const inputWords = ({ req_units: all, cached_units: cached }: Metrics): string =>
  cached === null ? `${count(all)} tokens` : `${count((all ?? 0) - cached)} tokens besides the cached ones`

/** Prices of the public list, where it was that one. */
const useRates = ({ ai_org: provider, ai_model: model, price_id: priceId }: Metrics) => {
  const { data } = useQuery({
    queryKey: ['price', provider, model],
    queryFn: () =>
      take(
        gateway.GET('/v2/model-configs/pricing/{provider}/{model}', {
          params: { path: { provider: provider ?? '', model: model ?? '' } },
        }),
      ),
    enabled: provider !== null && model !== null && (priceId === 'file' || priceId?.startsWith('table:') === true),
    retry: false,
  })
  return data?.pay_as_you_go
}
