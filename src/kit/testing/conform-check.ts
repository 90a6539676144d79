import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { check as checkSchema } from '../../core/json/check.ts'
import { areEditsOf } from '../../core/text-edits.ts'
import { type Check, InvalidParameters } from '../check.ts'
import { inputOf, isHit, prepareWith, silentPowers, verdictOf } from './check-input.ts'
import { checkReach } from './check-reach.ts'
import { deepFreeze } from './deep-freeze.ts'
import { mutated } from './fuzz.ts'

/** Parameters of a check, and texts that show what they mean. */
export interface CheckSample {
  /** Default none. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** Texts that it lets pass as they are. Only for a check that asks nobody. */
  readonly passes?: readonly string[]
  /** Texts that it refuses or changes. Likewise. */
  readonly fails?: readonly string[]
}

const ID = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*\.[a-z][A-Za-z0-9]*$/
/** Milliseconds that a check may need to notice that it is given up. */
const GIVE_UP_MS = 5_000

/**
 * Registers the conformance tests of a check: what every check must hold, whatever it looks for. Call it at the top of a test file.
 *
 * @example
 * conformCheck(noShouting, [{ parameters: { minLength: 3 }, passes: ['Hello'], fails: ['HELLO'] }])
 */
export const conformCheck = (check: Check, samples: readonly CheckSample[]): void => {
  describe(`${check.id} conforms`, () => {
    test('says what it is', () => {
      expect(check.id).toMatch(ID)
      expect(check.summary).toMatch(/^[A-Z].*\.$/)
      expect(check.stages.length).toBeGreaterThan(0)
      expect(new Set(check.stages).size).toBe(check.stages.length)
      expect(samples.length, 'samples').toBeGreaterThan(0)
    })
    test('refuses parameters that it does not have, and survives any', () => checkParameters(check, samples))
    for (const [index, sample] of samples.entries()) {
      const name = `sample ${index}`
      test(`${name}: is made ready without a trace`, () => checkPrepare(check, sample))
      if ((check.needs ?? []).length > 0) {
        test(`${name}: gives up when it is given up`, () => checkGivingUp(check, sample))
        continue
      }
      test(`${name}: judges as it says, and the same each time`, () => checkVerdicts(check, sample))
      test(`${name}: finds in parts what it finds in the whole`, () => checkReach(check, sample))
      test(`${name}: takes time in proportion to the text`, () => checkTime(check, sample), 60_000)
    }
  })
}

const checkParameters = async (check: Check, samples: readonly CheckSample[]): Promise<void> => {
  const given = samples.map(({ parameters = {} }) => parameters)
  // Some hand on whatever a service of theirs takes.
  const isOpen = check.parameters.additionalProperties === true
  for (const parameters of isOpen ? [] : given) {
    expect(checkSchema(check.parameters, { ...parameters, conform_unknown: 1 }).ok, 'an unknown parameter').toBe(false)
  }
  await fc.assert(
    fc.asyncProperty(mutated(given), async (parameters) => {
      const checked = checkSchema(check.parameters, parameters)
      if (!checked.ok) {
        expect(checked.violations.length).toBeGreaterThan(0)
        return
      }
      try {
        check.prepare(deepFreeze(checked.value))
      } catch (thrown) {
        if (!(thrown instanceof InvalidParameters)) throw thrown
        expect(thrown.violations.length).toBeGreaterThan(0)
      }
    }),
    { numRuns: 100 },
  )
}

/** Twice from the same parameters, which are frozen: both are the same. */
const checkPrepare = (check: Check, { parameters = {} }: CheckSample): void => {
  const [one, other] = [prepareWith(check, parameters), prepareWith(check, parameters)]
  expect([one.reach, one.deadlineMs, one.failsClosed]).toEqual([other.reach, other.deadlineMs, other.failsClosed])
  const deadlineMs = one.deadlineMs ?? check.deadlineMs ?? 1
  expect(deadlineMs).toBeGreaterThan(0)
  expect(deadlineMs).toBeLessThanOrEqual(60_000)
}

const checkGivingUp = async (check: Check, { parameters = {} }: CheckSample): Promise<void> => {
  const aborting = new AbortController()
  const powers = silentPowers(aborting.signal)
  const input = inputOf(check, ['Some text, and https://example.com/picture.png'])
  const settled = Promise.resolve(prepareWith(check, parameters).run(input, powers)).then(
    ({ verdict }) => typeof verdict,
    (thrown) => thrown instanceof Error,
  )
  // A check may find that it has to ask nobody.
  aborting.abort(new Error('given up'))
  const late = Bun.sleep(GIVE_UP_MS).then(() => 'it still waits')
  expect(['boolean', true] as unknown[]).toContain(await Promise.race([settled, late]))
}

const checkVerdicts = async (
  check: Check,
  { parameters = {}, passes = [], fails = [] }: CheckSample,
): Promise<void> => {
  const prepared = prepareWith(check, parameters)
  const others = ['', ' ', 'a', '\u0000', '\uD800', '😀'.repeat(3), '{"a":[1]}']
  for (const text of [...passes, ...fails, ...others]) {
    const texts = [text, 'b']
    const verdict = await verdictOf(check, prepared, texts)
    expect(typeof verdict.verdict).toBe('boolean')
    if (verdict.texts !== undefined) expect(verdict.texts.length, 'texts, as many as it was given').toBe(texts.length)
    if (verdict.edits !== undefined) {
      expect(verdict.edits.length, 'edits for as many texts as it was given').toBe(texts.length)
      for (const [index, edits] of verdict.edits.entries())
        expect(areEditsOf(edits, texts[index] ?? ''), 'edits in the order of the text, none over another').toBe(true)
    }
    expect(await verdictOf(check, prepared, texts)).toEqual(verdict)
    expect(await verdictOf(check, prepareWith(check, parameters), texts)).toEqual(verdict)
    expect(JSON.stringify(verdict.data ?? null)).toBeString()
  }
  for (const text of passes)
    expect(isHit(await verdictOf(check, prepared, [text]), [text]), `passes: ${text}`).toBe(false)
  for (const text of fails) expect(isHit(await verdictOf(check, prepared, [text]), [text]), `fails: ${text}`).toBe(true)
  expect(typeof (await verdictOf(check, prepared, [])).verdict, 'without texts').toBe('boolean')
}

/** Pieces that patterns stumble over when they are repeated. */
const PIECES = [
  'a',
  ' ',
  '1',
  '.',
  '-',
  '(',
  '{"a":',
  '[',
  '\n',
  'http://',
  '@',
  'a.',
  '```',
  '4111 ',
  'é',
  '\u0301',
  '</',
]
const SHORT = 600
/** As many times as long. */
const TIMES = 20
/** Far from 20, which it should be, and from 400, which it would be if each place were looked at from each other one. */
const MOST_TIMES = 200
/** What takes less is not worth being told apart. */
const LEAST_MS = 3

const checkTime = async (check: Check, { parameters = {}, passes = [], fails = [] }: CheckSample): Promise<void> => {
  const prepared = prepareWith(check, parameters)
  const msOf = async (text: string): Promise<number> => {
    let best = Number.POSITIVE_INFINITY
    for (let run = 0; run < 3; run++) {
      const startedMs = performance.now()
      await verdictOf(check, prepared, [text])
      best = Math.min(best, performance.now() - startedMs)
    }
    return best
  }
  for (const piece of [...PIECES, ...passes.slice(0, 3), ...fails.slice(0, 3)]) {
    if (piece === '') continue
    const short = piece.repeat(Math.ceil(SHORT / piece.length))
    const most = Math.max(await msOf(short), LEAST_MS) * MOST_TIMES
    expect(
      await msOf(short.repeat(TIMES)),
      `milliseconds for ${JSON.stringify(piece.slice(0, 20))}, often`,
    ).toBeLessThan(most)
  }
}
