/** A gateway whose provider is `PROVIDER`, as a process of its own. Prints its port. */
import { startTestGateway } from '../../support/gateway.ts'

const { url } = await startTestGateway({
  config: { plugins: ['defaults', { openai: { baseURL: `${process.env.PROVIDER}/v1` } }] },
  deps: { spoolFolder: process.env.SPOOL ?? '' },
})
process.stdout.write(`${url}\n`)
