/** `bun run bench:guardrails`: measures what guardrails cost against their targets, and prints a table in Markdown. */

import { type Row, toTable } from '../limits/table.ts'
import { gatewayRows } from './gateway.ts'
import { noneRow } from './none.ts'
import { streamRows } from './streams.ts'
import { textRow } from './texts.ts'

const rows: readonly Row[] = [await textRow(), await noneRow(), ...(await gatewayRows()), ...(await streamRows())]
console.log(`Guardrails. Bun ${Bun.version}, ${navigator.hardwareConcurrency} cores\n`)
console.log(toTable(rows))
