/**
 * A gateway in a process of its own, without stores, in front of the upstream that `UPSTREAM` names: for measurements
 * that an embedded database would blur. SIGUSR2 collects garbage.
 */
import { startTestGateway } from '../../../support/gateway.ts'
import { providerAt } from './probe.ts'

const { url } = await startTestGateway({
  plugins: [providerAt(`${process.env.UPSTREAM}/v1`)],
  config: { server: { keepAliveMs: 100 }, plugins: ['defaults', 'probe'] },
})
process.on('SIGUSR2', () => Bun.gc(true))
process.stderr.write(`A test gateway is listening on ${url}\n`)
