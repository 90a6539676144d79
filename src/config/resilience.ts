import { type Static, Type as t } from '@sinclair/typebox'
import type { Resilience } from '../core/ports.ts'

const DEFAULTS: Readonly<Record<'standard' | 'counterpart', Resilience>> = {
  standard: { useRetryAfterHeader: true, streamRecovery: 'continue', skipMalformedEvent: true },
  counterpart: { useRetryAfterHeader: false, streamRecovery: 'error', skipMalformedEvent: false },
}

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
  },
  {
    default: {},
    additionalProperties: false,
    description: 'What calls survive where their configs do not say.',
  },
)

/** The section with what its mode says for the keys that are left out. */
export const toResilience = ({ mode, ...own }: Static<typeof ResilienceSettings>): Resilience => ({
  ...DEFAULTS[mode],
  ...own,
})
