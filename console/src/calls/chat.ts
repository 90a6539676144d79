import { eventsOf } from '../api/events.ts'
import { failureOf, toFailure } from '../api/failure.ts'
import { PREFIX } from '../api/page.ts'

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** What is called: a model by name, or a stored config. */
export interface Target {
  readonly model: string
  /** Slug of a stored config, or empty. */
  readonly config: string
}

export interface ChatOptions {
  readonly key: string
  readonly target: Target
  readonly messages: readonly Message[]
  readonly signal: AbortSignal
  /** Hears of each piece of the answer, with all that came so far. */
  readonly onText: (text: string) => void
}

/** How a call went. Times are milliseconds, as this browser saw them. */
export interface ChatAnswer {
  readonly text: string
  readonly requestId: string | undefined
  readonly firstByteMs: number | undefined
  readonly totalMs: number
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
}

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[]
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null
  readonly error?: unknown
}

/** A bare `mock` names no provider: the provider is said beside it. */
const headersOf = ({ model, config }: Target): Readonly<Record<string, string>> => ({
  ...(config === '' ? {} : { 'x-gateway-config': config }),
  ...(config === '' && /^mock(?:[-:]|$)/.test(model) ? { 'x-gateway-provider': 'mock' } : {}),
})

/** Calls a model like any client of the gateway, and streams the answer. @throws Failure */
export const chat = async ({ key, target, messages, signal, onText }: ChatOptions): Promise<ChatAnswer> => {
  const startedMs = performance.now()
  const response = await fetch(`${PREFIX}/v1/chat/completions`, {
    method: 'POST',
    // The key says who calls, and nothing else.
    credentials: 'omit',
    signal,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headersOf(target) },
    body: JSON.stringify({
      ...(target.model === '' ? {} : { model: target.model }),
      ...{ messages, stream: true, stream_options: { include_usage: true } },
    }),
  }).catch((thrown: unknown) => {
    throw toFailure(thrown)
  })
  if (!response.ok || response.body === null) throw failureOf(await bodyOf(response), response)
  let text = ''
  let firstByteMs: number | undefined
  let usage: Chunk['usage']
  for await (const { data } of eventsOf(response.body)) {
    if (data === '[DONE]') break
    const chunk = JSON.parse(data) as Chunk
    if (chunk.error !== undefined) throw failureOf(chunk, response)
    const piece = chunk.choices?.[0]?.delta?.content ?? ''
    if (piece !== '') firstByteMs ??= performance.now() - startedMs
    usage = chunk.usage ?? usage
    text += piece
    onText(text)
  }
  return {
    ...{ text, firstByteMs, totalMs: performance.now() - startedMs },
    requestId: response.headers.get('x-gateway-request-id') ?? undefined,
    inputTokens: usage?.prompt_tokens,
    outputTokens: usage?.completion_tokens,
  }
}

const bodyOf = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return { message: text.slice(0, 500) }
  }
}
