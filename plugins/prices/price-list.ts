import type { ModelFacts, ModelPrice } from '#core/price-form'
import lines from './data/models.jsonl' with { type: 'text' }

/** What the list says about one model. */
export interface Listed extends ModelPrice, ModelFacts {
  readonly provider: string
  readonly model: string
}

/** Prices and abilities of models, as they ship with Weir. */
export interface PriceList {
  /** Date on which they were read, as `2026-11-22`. */
  readonly date: string
  /** How many models it has. */
  readonly size: number
  has(provider: string, model: string): boolean
  find(provider: string, model: string): Listed | undefined
  /** All of them, by provider and then by name. */
  names(): readonly PricedName[]
}

export interface PricedName {
  readonly provider: string
  readonly model: string
}

const HEAD = /^\{"provider":"([^"]+)","model":"([^"]+)"/

/**
 * Opens the list: only where each model stands is read now, and a model when it is asked for. Capitals make no other name: no
 * two models of one provider differ in them alone.
 */
export const openPriceList = (text: string = lines): PriceList => {
  const places = new Map<string, number>()
  const names: PricedName[] = []
  let from = text.indexOf('\n') + 1
  const { read: date, models: size } = JSON.parse(text.slice(0, from)) as { read: string; models: number }
  while (from < text.length) {
    const [, provider = '', model = ''] = HEAD.exec(text.slice(from, from + 300)) ?? []
    places.set(`${provider}/${model.toLowerCase()}`, from)
    names.push({ provider, model })
    from = text.indexOf('\n', from) + 1
  }
  const place = (provider: string, model: string): number | undefined =>
    places.get(`${provider}/${model.toLowerCase()}`)
  return {
    date,
    size,
    names: () => names,
    has: (provider, model) => place(provider, model) !== undefined,
    find(provider, model) {
      const start = place(provider, model)
      return start === undefined ? undefined : (JSON.parse(text.slice(start, text.indexOf('\n', start))) as Listed)
    },
  }
}
