import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Plugin } from '#kit'
import { setUp } from '#kit/testing'
import { builtInsByKind } from '../../plugins/built-in.ts'
import type { AnyAdapter, Provider } from '../../src/kit/provider/provider.ts'
import { type Fixture, loadFixtures } from '../../src/kit/testing/fixture.ts'
import { contextOf } from '../../src/kit/testing/subject.ts'

const PROVIDERS = new URL('../../plugins/providers/', import.meta.url)

/** What a host of OpenAI's format is asked for by its path alone: `{list}` is the path of its list of models. */
const BY_PATH: Readonly<Record<string, { readonly method: string; readonly path: string }>> = {
  model: { method: 'GET', path: '{list}/some-model' },
  'model-delete': { method: 'DELETE', path: '{list}/some-model' },
  response: { method: 'GET', path: '/responses/resp_1' },
  'response-delete': { method: 'DELETE', path: '/responses/resp_1' },
  'response-cancel': { method: 'POST', path: '/responses/resp_1/cancel' },
  'response-input-items': { method: 'GET', path: '/responses/resp_1/input_items' },
  'fine-tuning-list': { method: 'GET', path: '/fine_tuning/jobs' },
  'fine-tuning-retrieve': { method: 'GET', path: '/fine_tuning/jobs/ftjob-1' },
  'fine-tuning-cancel': { method: 'POST', path: '/fine_tuning/jobs/ftjob-1/cancel' },
  'fine-tuning-events': { method: 'GET', path: '/fine_tuning/jobs/ftjob-1/events' },
  'fine-tuning-checkpoints': { method: 'GET', path: '/fine_tuning/jobs/ftjob-1/checkpoints' },
}

/** As `Plugin`, so that any of them can be set up. */
const PLUGINS: readonly Plugin[] = builtInsByKind.provider

const SAMPLE: Fixture = {
  note: 'A model, or a response, by its name.',
  endpoint: 'model',
  request: { model: 'some-model' },
  pathParams: { response_id: 'resp_1', fine_tuning_job_id: 'ftjob-1' },
}

const casesOf = (name: string): Fixture[] =>
  loadFixtures(new URL(`${name}/fixtures/`, PROVIDERS)).map(({ fixture }) => fixture)

/** Forms of calls that are made of several requests, which are recorded beside the others (`conformExchanges`). */
const exchangesOf = (name: string): readonly string[] => {
  const folder = new URL(`${name}/exchanges/`, PROVIDERS)
  if (!existsSync(folder)) return []
  return readdirSync(folder).map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')).endpoint)
}

/**
 * Files and batches are streams, which no case can hold: a test of the provider's own asks for each of these forms over a socket, with
 * the official client.
 */
const provesKept = (name: string): boolean => {
  const test = NATIVE_KEPT.has(name) ? 'native' : name
  return existsSync(new URL(`../e2e/kept/${test}.test.ts`, import.meta.url))
}

/** Whose files and batches are OpenAI's: one test asks for the forms of each. */
const NATIVE_KEPT = new Set(['openai', 'azure-openai', 'groq'])

const IS_KEPT = /^(?:file|batch)-/

/** Whether a case compares something of a request, or of an answer that is a success. */
const proves = ({ status = 200, answer, upstream, ...more }: Fixture): boolean =>
  status < 400 && (answer !== undefined || upstream !== undefined || 'stream' in more || 'framedStream' in more)

/**
 * These adapters are the same code at every host of the format, without a rule for parameters or answers, and the cases of `openai`
 * stand for all of them: true where the path is the one that `openai` has too. A host with another path owes a case of its own.
 */
const isAsAtOpenAI = (form: string, adapter: AnyAdapter, provider: Provider): boolean => {
  const shared = BY_PATH[form]
  if (shared === undefined || adapter.wire !== 'native' || adapter.method !== shared.method) return false
  if (Object.keys(adapter.params).length > 0 || adapter.baseURL !== undefined) return false
  const context = contextOf(provider, { ...SAMPLE, endpoint: form })
  const pathOf = (path: AnyAdapter['path']): string => (typeof path === 'string' ? path : path(context))
  const list = provider.endpoints.models === undefined ? '' : pathOf(provider.endpoints.models.path)
  return pathOf(adapter.path) === shared.path.replace('{list}', list)
}

describe('every form that a provider declares is recorded', () => {
  for (const plugin of PLUGINS) {
    test(plugin.name, async () => {
      const { parts } = await setUp(plugin)
      try {
        const cases = casesOf(plugin.name).filter(proves)
        for (const provider of parts.providers ?? []) {
          const own = cases.filter((fixture) => (fixture.provider ?? provider.id) === provider.id)
          const recorded = new Set([...own.map(({ endpoint }) => endpoint), ...exchangesOf(plugin.name)])
          const bare = Object.entries(provider.endpoints).flatMap(([form, adapter]) =>
            adapter === undefined ||
            recorded.has(form) ||
            isAsAtOpenAI(form, adapter, provider) ||
            (IS_KEPT.test(form) && provesKept(plugin.name))
              ? []
              : [form],
          )
          expect(bare, `forms of ${provider.id} without a case`).toEqual([])
        }
      } finally {
        await parts.close?.()
      }
    })
  }

  test('the cases of openai that stand for others are there', () => {
    const recorded = new Set(casesOf('openai').map(({ endpoint }) => endpoint))
    expect(Object.keys(BY_PATH).filter((form) => !recorded.has(form))).toEqual([])
  })
})
