import type { GuardrailDefinition, StoredGuardrail } from '../../../src/core/guardrails.ts'
import { API_KEY, startTestGateway } from '../../support/gateway.ts'
import { plain, type Row, us } from '../limits/table.ts'

const EVENTS = 1_000
const STREAMS = 40
const AT_ONCE = 4
const ROUNDS = 15
const TARGET = 1.3

const definition: GuardrailDefinition = {
  type: 'guardrail',
  deny: true,
  async: false,
  sequential: false,
  soft_deny_200: false,
  stream_mode: 'window',
  stream_window: 200,
  checks: [
    { id: 'default.contains', parameters: { words: ['Apollo', 'Zeus'], operator: 'none' }, is_enabled: true },
    { id: 'default.regexMatch', parameters: { rule: '\\b\\d{4}( \\d{4}){3}\\b', not: true }, is_enabled: true },
  ],
}
const guardrail: StoredGuardrail = {
  id: 'guardrail-1',
  slug: 'pg-window',
  versionId: 'version-1',
  name: 'Window',
  scope: 'workspace',
  target: 'llm',
  definition,
}

const NONE = { input: [], output: [] }
const WINDOW = { input: [], output: [guardrail] }

const start = (program: string, ...args: readonly string[]) =>
  Bun.spawn([process.execPath, `${import.meta.dir}/${program}`, ...args], { stdout: 'pipe', stderr: 'inherit' })

/** What a window adds to an event of a stream of Anthropic's, translated to a chat, in a gateway between two other processes. */
export const gatewayRows = async (): Promise<readonly Row[]> => {
  const upstream = start('upstream.ts', String(EVENTS))
  const { value: port } = await upstream.stdout.getReader().read()
  let defaults = NONE as { readonly input: readonly StoredGuardrail[]; readonly output: readonly StoredGuardrail[] }
  const baseURL = `http://127.0.0.1:${new TextDecoder().decode(port).trim()}/v1`
  const running = await startTestGateway({
    config: { plugins: ['defaults', { anthropic: { baseURL } }] },
    deps: { guardrails: { find: () => undefined, defaultsOf: () => defaults } },
  })
  const ask = async (those: typeof defaults): Promise<number> => {
    defaults = those
    const before = process.cpuUsage()
    const client = start('client.ts', running.url, API_KEY, String(STREAMS), String(AT_ONCE))
    const bytes = Number(await new Response(client.stdout).text())
    const { user, system } = process.cpuUsage(before)
    if (bytes < STREAMS * EVENTS * 100) throw new Error(`the clients got ${bytes} bytes`)
    return (user + system) / (STREAMS * EVENTS)
  }
  let bare = Infinity
  let window = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    bare = Math.min(bare, await ask(NONE))
    window = Math.min(window, await ask(WINDOW))
  }
  upstream.kill()
  await running.close()
  return [
    plain('An event of a translated stream, in a gateway', us(bare)),
    {
      metric: 'The same with `window`',
      target: `≤ ${TARGET} ×`,
      measured: `${us(window)}, ${(window / bare).toFixed(2)} ×`,
      met: window / bare <= TARGET,
    },
  ]
}
