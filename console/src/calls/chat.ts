import { eventsOf } from '../api/events.ts'
import { failureOf, toFailure } from '../api/failure.ts'
import { PREFIX } from '../api/page.ts'
import type { Json, Message, ToolCall } from './messages.ts'

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
  /** Further fields of the request: tools, temperature, … */
  readonly parameters?: Json
  readonly signal: AbortSignal
  /** Hears of each piece of the answer, with all that came so far. */
  readonly onText: (text: string) => void
}

/** How a call went. Times are milliseconds, as this browser saw them. */
export interface ChatAnswer {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  readonly requestId: string | undefined
  readonly firstByteMs: number | undefined
  readonly totalMs: number
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
}

/** A piece of a call of a tool: those of one index belong together. */
interface ToolPiece {
  readonly index?: number
  readonly id?: string
  readonly function?: { readonly name?: string; readonly arguments?: string }
}

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null; readonly tool_calls?: readonly ToolPiece[] }
  }[]
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null
  readonly error?: unknown
}

/** A bare `mock` names no provider: the provider is said beside it. */
const headersOf = ({ model, config }: Target): Readonly<Record<string, string>> => ({
  ...(config === '' ? {} : { 'x-gateway-config': config }),
  ...(config === '' && isMock(model) ? { 'x-gateway-provider': 'mock' } : {}),
})

export const isMock = (model: string): boolean => /^mock(?:[-:]|$)/.test(model)

/** Calls a model like any client of the gateway, and streams the answer. @throws Failure */
export const chat = async (options: ChatOptions): Promise<ChatAnswer> => {
  const { key, target, messages, parameters = {}, signal, onText } = options
  const startedMs = performance.now()
  const response = await fetch(`${PREFIX}/v1/chat/completions`, {
    method: 'POST',
    // The key says who calls, and nothing else.
    credentials: 'omit',
    signal,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headersOf(target) },
    body: JSON.stringify({
      ...parameters,
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
  const tools = createToolCalls()
  for await (const { data } of eventsOf(response.body)) {
    if (data === '[DONE]') break
    const chunk = JSON.parse(data) as Chunk
    if (chunk.error !== undefined) throw failureOf(chunk, response)
    const { content, tool_calls: pieces = [] } = chunk.choices?.[0]?.delta ?? {}
    const piece = content ?? ''
    if (piece !== '' || pieces.length > 0) firstByteMs ??= performance.now() - startedMs
    for (const each of pieces) tools.add(each)
    usage = chunk.usage ?? usage
    text += piece
    onText(text)
  }
  return {
    ...{ text, toolCalls: tools.all(), firstByteMs, totalMs: performance.now() - startedMs },
    requestId: response.headers.get('x-gateway-request-id') ?? undefined,
    inputTokens: usage?.prompt_tokens,
    outputTokens: usage?.completion_tokens,
  }
}

/** Puts together what comes of calls of tools, piece by piece. */
const createToolCalls = () => {
  const calls = new Map<number, ToolCall>()
  return {
    add({ index = 0, id, function: piece = {} }: ToolPiece): void {
      const before = calls.get(index)
      const name = (before?.function.name ?? '') + (piece.name ?? '')
      const given = (before?.function.arguments ?? '') + (piece.arguments ?? '')
      calls.set(index, { id: id ?? before?.id ?? '', type: 'function', function: { name, arguments: given } })
    },
    all: (): readonly ToolCall[] => [...calls.values()],
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
