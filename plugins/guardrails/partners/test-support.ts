import { readdirSync, readFileSync } from 'node:fs'
import { type Check, type CheckCredentials, type CheckInput, type CheckPowers, check, type PreparedCheck } from '#kit'
import { deepFreeze, fakeHost } from '#kit/testing'
import plugin from './index.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a partner is asked, and what it answers. */
export interface Exchange {
  readonly url: string
  /** Some of those that are sent; null for one that is not. */
  readonly headers: Readonly<Record<string, string | null>>
  readonly body: Fields
  readonly answer: unknown
}

/** A case of a file in `fixtures`. */
export interface Case {
  /** Where its form and its values come from. */
  readonly note: string
  readonly check: string
  readonly parameters: Fields
  readonly account?: Partial<CheckCredentials>
  readonly stage: 'input' | 'output'
  /** Texts of the request, for a check of the answer. */
  readonly asked?: readonly string[]
  readonly texts: readonly string[]
  readonly exchanges: readonly Exchange[]
  readonly verdict: boolean
  readonly data: unknown
  /** Texts as they are changed. */
  readonly after?: readonly string[]
}

export const parts = await plugin.setup({}, fakeHost())

export const checks: readonly Check[] = parts.checks ?? []

const folder = new URL('./fixtures/', import.meta.url)

export const cases: readonly (readonly [name: string, fixture: Case])[] = readdirSync(folder).flatMap((file) => {
  const read: Record<string, Case> = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
  return Object.entries(read).map(([name, fixture]) => [`${file.replace('.json', '')}: ${name}`, fixture] as const)
})

/** The check of a case, with its parameters. @throws Error for those that do not fit */
export const prepare = (id: string, parameters: Fields): PreparedCheck => {
  const kind = checks.find((known) => known.id === id)
  if (kind === undefined) throw new Error(`no check ${id}`)
  const checked = check(kind.parameters, parameters)
  if (!checked.ok) throw new Error(JSON.stringify(checked.violations))
  return kind.prepare(checked.value)
}

/** What the check of a case looks at. Whoever changes it fails. */
export const inputOf = ({ stage, texts, asked = [] }: Pick<Case, 'stage' | 'texts' | 'asked'>): CheckInput => {
  const request = { texts: stage === 'input' ? texts : asked, json: {} }
  return deepFreeze({
    stage,
    texts,
    kinds: texts.map(() => 'text' as const),
    json: {},
    request,
    metadata: { _user: 'ann' },
    headers: { get: () => null },
    requestType: 'chatComplete',
    provider: 'openai',
    model: 'gpt-x',
    isStreamed: false,
    isTransformed: false,
    traceId: 'trace-1',
  })
}

/** A request as a partner got it. */
export interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: unknown
}

/** Powers with an account and a partner that answers as it is told. */
export const powersOf = (
  account: Partial<CheckCredentials>,
  answer: (sent: Sent) => { readonly status?: number; readonly text: string },
): CheckPowers & { readonly sent: readonly Sent[]; readonly accounts: readonly (readonly unknown[])[] } => {
  const sent: Sent[] = []
  const accounts: (readonly unknown[])[] = []
  const refuse = () => Promise.reject(new Error('not among its needs'))
  return {
    sent,
    accounts,
    signal: new AbortController().signal,
    resolves: refuse,
    ask: refuse,
    async credentials(ids, slug) {
      accounts.push([ids, slug])
      return { slug: 'ours', apiKey: '', settings: {}, headers: { 'x-stored': 'yes' }, ...account }
    },
    async fetch(url, { method = 'GET', headers, body } = {}) {
      const request = { url, method, headers: new Headers(headers), body: JSON.parse(String(body)) }
      sent.push(request)
      const { status = 200, text } = answer(request)
      const bytes = new TextEncoder().encode(text)
      return { status, headers: new Headers(), bytes, text: () => text, json: () => JSON.parse(text) }
    },
  }
}

/** A partner that answers what a case says. @throws Error for a request that the case does not have */
export const replay =
  (exchanges: readonly Exchange[]) =>
  ({ url, body }: Pick<Sent, 'url' | 'body'>): { readonly text: string } => {
    const found = exchanges.find((exchange) => exchange.url === url && Bun.deepEquals(exchange.body, body, true))
    if (found === undefined) throw new Error(`not in the fixture: ${url} ${JSON.stringify(body)}`)
    return { text: JSON.stringify(found.answer) }
  }
