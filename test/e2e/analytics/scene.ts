import type { RunningGateway } from '../../support/command.ts'
import { send } from '../management/support/http.ts'
import { ADMIN_KEY, API_KEY } from '../management/support/scene.ts'

type Headers = Readonly<Record<string, string>>

/** The day on which the test runs, as a query. */
export const today = (): { readonly time_of_generation_min: string; readonly time_of_generation_max: string } => {
  const midnight = new Date().setUTCHours(0, 0, 0, 0)
  const iso = (days: number): string => new Date(midnight + days * 86_400_000).toISOString()
  return { time_of_generation_min: iso(-1), time_of_generation_max: iso(2) }
}

/** What a gateway says about its calls, by the path below `/v2/analytics/`. @throws Error with a refusal */
export const ask = async (
  { url }: Pick<RunningGateway, 'url'>,
  path: string,
  more: Headers = {},
  token = ADMIN_KEY,
): Promise<Readonly<Record<string, unknown>>> => {
  const reply = await send(`${url}/v2/analytics/${path}?${new URLSearchParams({ ...today(), ...more })}`, { token })
  if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${reply.text}`)
  return reply.body
}

/** A chat with the mock. */
export const chatAs = (
  { url }: Pick<RunningGateway, 'url'>,
  headers: Headers,
  body: Readonly<Record<string, unknown>> = {},
) =>
  send(`${url}/v1/chat/completions`, {
    method: 'POST',
    token: API_KEY,
    headers: { 'x-gateway-provider': 'mock', ...headers },
    body: { model: 'mock', messages: [{ role: 'user', content: 'Hello' }], ...body },
  })
