import { type Static, Type as t } from '@sinclair/typebox'
import type { Resilience } from '../core/ports.ts'

const milliseconds = (defaultMs: number, description: string) =>
  t.Integer({
    default: defaultMs,
    minimum: 1,
    maximum: 24 * 60 * 60 * 1000,
    description: `${description} Milliseconds.`,
  })

/** What calls survive where their configs do not say. */
export const ResilienceSettings = t.Object(
  {
    mode: t.Union([t.Literal('standard'), t.Literal('counterpart')], {
      default: 'standard',
      description:
        'What holds for the keys of this section that are left out. With `counterpart` nothing happens that a config does not ask for.',
    }),
    useRetryAfterHeader: t.Optional(
      t.Boolean({
        description:
          'Retries wait for as long as a 429 asks, where their config does not say. Default: true; with `counterpart` false.',
      }),
    ),
    streamRecovery: t.Optional(
      t.Union([t.Literal('error'), t.Literal('restart'), t.Literal('continue')], {
        description:
          'What becomes of a stream that breaks half-way, where its strategy does not say. Default: `continue`; with `counterpart` `error`.',
      }),
    ),
    skipMalformedEvent: t.Optional(
      t.Boolean({
        description:
          'An event of a stream that is not JSON is left out when the next one is sound; two in a row break the stream. Default: true; with `counterpart` false.',
      }),
    ),
    firstTokenLimit: t.Optional(
      t.Boolean({
        description:
          'A target that takes much longer than usual to begin its answer is left for another, and a model that thinks is given its time. Default: true; with `counterpart` false.',
      }),
    ),
    firstTokenMinMs: milliseconds(
      10_000,
      'Least of that limit, which is four times what 95 of 100 answers took of late.',
    ),
    firstTokenUnknownMs: milliseconds(15_000, 'That limit before anything is known of a target and model.'),
    firstTokenThinkingMs: milliseconds(
      120_000,
      'Least of it for a model that may think; `deadlines.firstByteMs` and `idleMs` are no shorter for those.',
    ),
    silenceLimit: t.Optional(
      t.Boolean({
        description:
          'Silence in the middle of an answer counts as broken sooner than `deadlines.idleMs` while another target could take over. Default: true; with `counterpart` false.',
      }),
    ),
    silenceMs: milliseconds(20_000, 'How long that silence is.'),
    silenceThinkingMs: milliseconds(60_000, 'How long it is for a model that may think.'),
  },
  {
    default: {},
    additionalProperties: false,
    description: 'What calls survive where their configs do not say.',
  },
)

/** What the modes say for the keys that are left out. */
const DEFAULTS = {
  standard: {
    useRetryAfterHeader: true,
    streamRecovery: 'continue',
    skipMalformedEvent: true,
    firstTokenLimit: true,
    silenceLimit: true,
  },
  counterpart: {
    useRetryAfterHeader: false,
    streamRecovery: 'error',
    skipMalformedEvent: false,
    firstTokenLimit: false,
    silenceLimit: false,
  },
} as const

/** The section with what its mode says for the keys that are left out. */
export const toResilience = (section: Static<typeof ResilienceSettings>): Resilience => {
  const { useRetryAfterHeader, streamRecovery, skipMalformedEvent, firstTokenLimit, silenceLimit, ...own } = {
    ...DEFAULTS[section.mode],
    ...section,
  }
  const { firstTokenMinMs: minMs, firstTokenUnknownMs: unknownMs, firstTokenThinkingMs: thinkingMs } = own
  return {
    useRetryAfterHeader,
    streamRecovery,
    skipMalformedEvent,
    ...(firstTokenLimit ? { firstToken: { minMs, unknownMs, thinkingMs } } : {}),
    ...(silenceLimit ? { silence: { ms: own.silenceMs, thinkingMs: own.silenceThinkingMs } } : {}),
  }
}
