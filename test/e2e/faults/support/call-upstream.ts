/**
 * Calls that the way out makes in a process of its own, because extra certificate authorities are read when a process
 * starts. `CALLS` is a list of URLs, whose names all lead to the loopback address; prints what became of each, as JSON.
 * With `LEAVE_OPEN` its connections are not closed.
 */
import { ask, createClient, outcomeOf } from '../../../../src/upstream/http1/test-support/client.ts'

const client = createClient()
const outcomes: string[] = []
for (const url of JSON.parse(process.env.CALLS ?? '[]')) {
  const body = new URL(url).searchParams.get('bytes') ?? '1'
  outcomes.push(await outcomeOf(ask(client, url, { method: 'POST', body: 'x'.repeat(Number(body)) })))
}
if (process.env.LEAVE_OPEN === undefined) client.close()
console.log(JSON.stringify(outcomes))
