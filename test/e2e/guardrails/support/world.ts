import type { GuardrailDefinition, HookReport, StoredGuardrail } from '#core/guardrails'
import type { CallRecord, FeedbackRecord } from '#core/records'
import { type Check, definePlugin, openaiCompatible, t } from '#kit'
import { startMockServer } from '../../../../plugins/providers/mock/server.ts'
import { NO_RECORDS } from '../../../../src/core/local-stores.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../../support/gateway.ts'
import { SAMPLE_PROMPTS } from '../../../support/sample-prompts.ts'

type Fields = Readonly<Record<string, unknown>>

export const guardrail = (
  checks: readonly (Fields & { readonly id: string })[],
  more: Partial<GuardrailDefinition> = {},
): GuardrailDefinition => ({
  type: 'guardrail',
  deny: false,
  async: false,
  sequential: false,
  soft_deny_200: false,
  stream_mode: 'after',
  stream_window: 200,
  checks: checks.map(({ id, parameters = {} }) => ({ id, parameters: parameters as Fields, is_enabled: true })),
  ...more,
})

export interface Stored {
  readonly slug: string
  readonly definition: GuardrailDefinition
  readonly scope?: StoredGuardrail['scope']
  readonly on: 'input' | 'output'
}

export interface Reply {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly text: string
  readonly headers: Headers
}

/** A gateway whose workspace has these guardrails, before a provider that keeps what it was asked. */
export interface GuardedWorld {
  readonly running: TestGateway
  /** Bodies that the provider got since the guardrails were changed last. */
  asked(): readonly string[]
  readonly feedback: FeedbackRecord[]
  /** Records of calls and of their attempts. */
  readonly records: CallRecord[]
  /** Those that hold for every call from now on. */
  hold(...stored: readonly Stored[]): void
  /** Only those calls have them from now on that name them. */
  release(): void
  post(path: string, body: Fields, headers?: Readonly<Record<string, string>>): Promise<Reply>
  chat(text: string, more?: Fields, headers?: Readonly<Record<string, string>>): Promise<Reply>
  close(): Promise<void>
}

export const guardedWorld = async (checks: readonly Check[] = []): Promise<GuardedWorld> => {
  const upstream = await startMockServer({ maxRecorded: 1_000 })
  const feedback: FeedbackRecord[] = []
  const records: CallRecord[] = []
  let held: readonly StoredGuardrail[] = []
  let defaults: { input: readonly StoredGuardrail[]; output: readonly StoredGuardrail[] } = { input: [], output: [] }
  const running = await startTestGateway({
    plugins: [
      definePlugin({
        name: 'test-parts',
        config: t.Object({}),
        setup: () => ({
          checks,
          providers: [
            openaiCompatible({
              id: 'acme',
              baseURL: `${upstream.url}/v1`,
              needsKey: false,
              endpoints: ['chat', 'completions', 'embeddings', 'moderations', 'images'],
            }),
          ],
        }),
      }),
    ],
    config: { plugins: ['defaults', 'mock', 'test-parts'] },
    deps: {
      guardrails: {
        find: (_workspaceId, reference) => held.find(({ slug }) => slug === reference),
        defaultsOf: () => defaults,
      },
      prompts: SAMPLE_PROMPTS,
      records: { ...NO_RECORDS, feedback: (rows) => feedback.push(...rows), close: (rows) => records.push(...rows) },
    },
  })
  const post: GuardedWorld['post'] = async (path, body, headers = {}) => {
    const response = await fetch(`${running.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gateway-api-key': API_KEY,
        'x-gateway-provider': 'acme',
        ...headers,
      },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text.startsWith('{') ? JSON.parse(text) : {},
    }
  }
  let seenBefore = 0
  return {
    running,
    asked: () => upstream.requests.slice(seenBefore).map(({ body }) => new TextDecoder().decode(body)),
    feedback,
    records,
    hold(...stored) {
      seenBefore = upstream.requests.length
      const of = (on: Stored['on']) =>
        stored
          .filter((each) => each.on === on)
          .map(({ slug, definition, scope = 'workspace' }) => ({
            id: slug,
            slug,
            versionId: slug,
            name: slug,
            scope,
            target: 'llm' as const,
            definition,
          }))
      defaults = { input: of('input'), output: of('output') }
      held = [...defaults.input, ...defaults.output]
    },
    release() {
      defaults = { input: [], output: [] }
    },
    post,
    chat: (text, more = {}, headers) =>
      post('/v1/chat/completions', { model: 'mock', messages: [{ role: 'user', content: text }], ...more }, headers),
    async close() {
      await running.close()
      await upstream.close()
    },
  }
}

export const hooksOf = ({ body }: Reply): Record<'before_request_hooks' | 'after_request_hooks', HookReport[]> => {
  const { hook_results: results } = body
  if (typeof results !== 'object' || results === null) throw new Error(`no hook_results in ${JSON.stringify(body)}`)
  return results as Record<'before_request_hooks' | 'after_request_hooks', HookReport[]>
}

/** The text of a whole chat, without what the mock puts in front of what it repeats. */
export const contentOf = ({ body }: Reply): string => {
  const [choice] = Array.isArray(body.choices) ? body.choices : []
  return String(choice?.message?.content).replace(/^Mock answer to: /, '')
}
