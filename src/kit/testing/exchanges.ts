import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import type { TObject } from '@sinclair/typebox'
import { fromPieces } from '../../core/bodies/ready-stream.ts'
import { isRecord } from '../../core/json/record.ts'
import type { Plugin } from '../plugin.ts'
import type { Exchange, ExchangeAnswer, ExchangeRequest, Performing } from '../provider/exchange.ts'
import { type Adapter, adapterOf } from '../provider/provider.ts'
import type { Fixture } from './fixture.ts'
import { contextOf, providerOf, requestOf, type Subject, setUp } from './subject.ts'

/** One recorded call that is made of several requests: a JSON file of a provider's `exchanges` folder. */
interface RecordedExchange
  extends Pick<Fixture, 'note' | 'provider' | 'endpoint' | 'settings' | 'pathParams' | 'search'> {
  readonly request: Fixture['request']
  /** Names of the parameters that are lost. Default: none. */
  readonly dropped?: readonly string[]
  /** The requests in their order, each with the answer of the provider. A request without a body has none. */
  readonly exchanges: readonly {
    readonly method: ExchangeRequest['method']
    readonly url: string
    readonly body?: unknown
    readonly answer: unknown
  }[]
  /** What the client gets. */
  readonly reply: unknown
}

/**
 * Registers a test for each recorded call of a folder: the requests are those that are recorded, in their order, and what comes of
 * the answers is what the client gets.
 * @throws Error for a folder without any
 */
export const conformExchanges = <Config extends TObject>(
  plugin: Plugin<Config>,
  folder: URL,
  config: Readonly<Record<string, unknown>> = {},
): void => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  if (files.length === 0) throw new Error(`no exchanges in ${folder.pathname}`)
  describe(`exchanges of ${plugin.name}`, () => {
    let subject: Subject | undefined
    beforeAll(async () => {
      subject = await setUp(plugin, config)
    })
    afterAll(() => subject?.parts.close?.())

    test.each(files.toSorted())('%s', async (file) => {
      if (subject === undefined) throw new Error(`plugin '${plugin.name}' did not start`)
      await replay(subject, JSON.parse(readFileSync(new URL(file, folder), 'utf8')))
    })
  })
}

const replay = async (subject: Subject, recorded: RecordedExchange): Promise<void> => {
  expect(recorded.note, 'it says where it comes from').toMatch(/read \d{4}-\d{2}-\d{2}/)
  const provider = providerOf(subject, recorded)
  const { model } = recorded.request
  const adapter = adapterOf(provider, recorded.endpoint, typeof model === 'string' ? model : '')
  const { perform, loses } = adapter as unknown as Adapter<string>
  if (perform === undefined) throw new Error(`provider '${provider.id}' does not perform '${recorded.endpoint}'`)
  const request = requestOf(recorded.request) as unknown as Performing<string>['request']
  expect(loses?.(request) ?? []).toEqual(recorded.dropped ?? [])
  const left = [...recorded.exchanges]
  const asked: Performing<string> = {
    request,
    context: contextOf(provider, recorded),
    ownFiles: new Map(),
    baseURL: 'https://provider.example/v1',
    contentOf: () => {
      throw new Error('a recorded exchange has no files')
    },
    translate: () => undefined,
  }
  const exchange: Exchange = {
    async send({ method, url, body }) {
      const next = left.shift()
      expect({ method, url, body }).toEqual({
        method: next?.method ?? 'GET',
        url: next?.url ?? 'nothing',
        body: next?.body as never,
      })
      return answerOf(next?.answer)
    },
  }
  expect(await perform(asked, exchange)).toEqual({ reply: recorded.reply as never })
  expect(left).toEqual([])
}

const answerOf = (answer: unknown): ExchangeAnswer => {
  const text = JSON.stringify(answer)
  return {
    status: 200,
    headers: new Headers({ 'content-type': 'application/json' }),
    body: fromPieces([new TextEncoder().encode(text)]),
    json: async () => {
      if (!isRecord(answer)) throw new Error('the recorded answer is no object')
      return answer
    },
    text: async () => text,
  }
}
