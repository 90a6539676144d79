import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { TObject } from '@sinclair/typebox'
import type { Plugin } from '../plugin.ts'
import { checkFailure, checkReply, checkRequest } from './check-case.ts'
import { checkAuthorize, checkFailures, checkReplyFuzz, checkRequestFuzz, checkStreamFuzz } from './check-provider.ts'
import { checkCutOff, checkRandomPieces, checkSameAs, checkStream, checkUsageOnce } from './check-stream.ts'
import { type FixtureCase, isStreamed, loadFixtures } from './fixture.ts'
import { providerOf, type Subject, setUp } from './subject.ts'

export interface ConformOptions {
  /** Config of the plugin, over its defaults and the test key. */
  readonly config?: Readonly<Record<string, unknown>>
}

/**
 * Registers the conformance tests of a provider plugin: each recorded case replayed against its goldens, and what every
 * provider must hold whatever was recorded. See `Fixture` for the form of a case. Call it at the top of a test file.
 * @throws Error when the folder holds no case or a file that is not one.
 *
 * @example
 * conform(acme, new URL('./fixtures/', import.meta.url))
 */
export const conform = <Config extends TObject>(
  plugin: Plugin<Config>,
  folder: URL,
  { config }: ConformOptions = {},
): void => {
  const cases = loadFixtures(folder)
  const fixtures = cases.map(({ fixture }) => fixture)
  describe(`${plugin.name} conforms`, () => {
    let running: Subject | undefined
    const subject = (): Subject => {
      if (running === undefined) throw new Error(`plugin '${plugin.name}' did not start`)
      return running
    }
    beforeAll(async () => {
      running = await setUp(plugin, config)
    })
    afterAll(() => running?.parts.close?.())

    for (const recorded of cases) registerCase(subject, recorded, cases)

    test('the cases that every provider owes', () => checkRequiredCases(subject(), cases))
    test('the key goes into a header only', () => checkAuthorize(subject()))
    test('every unsuccessful answer finds words', () => checkFailures(subject(), fixtures))
    test('no request makes it crash', () => checkRequestFuzz(subject(), fixtures))
    test('no answer makes it crash', () => checkReplyFuzz(subject(), fixtures))
    test('no event makes it crash', () => checkStreamFuzz(subject(), fixtures))
  })
}

const registerCase = (subject: () => Subject, recorded: FixtureCase, cases: readonly FixtureCase[]): void => {
  const { name, fixture } = recorded
  test(`${name}: request`, () => checkRequest(subject(), recorded))
  if ((fixture.status ?? 200) >= 400) {
    test(`${name}: failure`, () => checkFailure(subject(), recorded))
    return
  }
  if (fixture.answer !== undefined) test(`${name}: reply`, () => checkReply(subject(), recorded))
  if (!isStreamed(fixture)) return
  test(`${name}: stream`, () => checkStream(subject(), recorded))
  test(`${name}: stream in random pieces`, () => checkRandomPieces(subject(), recorded))
  test(`${name}: stream cut off`, () => checkCutOff(subject(), recorded))
  test(`${name}: usage once`, () => checkUsageOnce(subject(), recorded))
  if (fixture.sameAs === undefined) return
  test(`${name}: adds up to ${fixture.sameAs}`, () => {
    const twin = cases.find((other) => other.name === fixture.sameAs)
    if (twin?.fixture.answer === undefined) throw new Error(`${name}: no answer case '${fixture.sameAs}' in the folder`)
    checkSameAs(subject(), recorded, twin)
  })
}

/** At least one answer, and one stream where chat is translated: without them the other checks prove nothing. */
const checkRequiredCases = (subject: Subject, cases: readonly FixtureCase[]): void => {
  expect(subject.providers.length, 'the plugin brings a provider').toBeGreaterThan(0)
  for (const provider of subject.providers) {
    const own = cases.map(({ fixture }) => fixture).filter((fixture) => providerOf(subject, fixture) === provider)
    const good = own.filter(({ status }) => (status ?? 200) < 400)
    expect(
      good.some(({ answer }) => answer !== undefined),
      `${provider.id}: a case with an answer`,
    ).toBe(true)
    if (provider.endpoints.chat?.wire !== 'own') continue
    const streams = good.filter((fixture) => fixture.endpoint === 'chat' && isStreamed(fixture))
    expect(streams.length, `${provider.id}: cases with a stream`).toBeGreaterThan(0)
  }
}
