/**
 * A gateway in a process of its own, because extra certificate authorities are read when a process starts. Every name
 * resolves to the loopback address; the provider `<name>` is at `https://<name>:UPSTREAM_PORT/v1` for each of `NAMES`.
 */
import { startTestGateway } from '../../../support/gateway.ts'
import { providerAt } from './probe.ts'

const names = (process.env.NAMES ?? '').split(',')
const id = (name: string): string => name.replaceAll('.', '-')
const { url } = await startTestGateway({
  plugins: names.map((name) => providerAt(`https://${name}:${process.env.UPSTREAM_PORT}/v1`, id(name))),
  config: { plugins: ['defaults', ...names.map(id)] },
  deps: { lookup: async () => ['127.0.0.1'] },
})
process.stderr.write(`A test gateway is listening on ${url}\n`)
