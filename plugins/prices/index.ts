import { definePlugin, t } from '#kit'
import { type PriceFile, readPriceFile } from './price-file.ts'
import { openPriceList, type PriceList } from './price-list.ts'
import { createPrices } from './prices.ts'

/** Opened once, whichever gateways of a process use it. */
let shipped: PriceList | undefined

const NO_FILE: PriceFile = {}

/** What models cost: a list that ships with Weir, over it the operator's file, over that what integrations say. */
export default definePlugin({
  name: 'prices',
  config: t.Object({
    file: t.Optional(
      t.String({
        minLength: 1,
        description:
          'A JSON file with prices that win over the list that ships with Weir, from the folder of this file. See [prices.md](prices.md).',
      }),
    ),
  }),
  needs: ['log', 'readFile', 'storedPrices'],
  async setup({ file }, { log, readFile, storedPrices }) {
    shipped ??= openPriceList()
    const own = file === undefined ? NO_FILE : readPriceFile(file, await readFile(file))
    return { prices: createPrices({ list: shipped, file: own, storedPrices, log }) }
  },
})
