import { ModelPrice, PayAsYouGo } from '#core/price-form'
import { check, isRecord, type Static, t } from '#kit'

/** One model of the operator's file: unlike the list's it has a price. */
const FilePrice = t.Object({
  ...ModelPrice.properties,
  pay_as_you_go: t.Object(PayAsYouGo.properties, { minProperties: 1 }),
})

const name = t.String({ pattern: '^.{1,256}$' })

/** The operator's own prices: models by provider, `*` for every other model of one. */
const PriceFile = t.Record(name, t.Record(name, FilePrice, { additionalProperties: false }), {
  additionalProperties: false,
})
export type PriceFile = Static<typeof PriceFile>

/** Faults that are told of one file: whoever wrote it by a program would get thousands. */
const MOST_FAULTS = 100

/** @throws Error that tells all that is wrong with it, a fault a line */
export const readPriceFile = (path: string, text: string): PriceFile => {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (cause) {
    throw new Error(`${path} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
  if (!isRecord(content)) throw new Error(`${path} must be an object: models by the id of their provider`)
  const checked = check(PriceFile, content, MOST_FAULTS)
  if (checked.ok) return checked.value
  throw new Error(checked.violations.map((fault) => `${path}: ${fault.path}: ${fault.message}`).join('\n'))
}
