import { type Static, Type as t } from '@sinclair/typebox'
import type { CheckStage, GuardrailDefinition } from '../../core/guardrails.ts'
import { DEFAULT_STREAM_WINDOW } from '../../core/guardrails.ts'

/** Where a config lists guardrails, and what an entry is unless it says otherwise. Those of a stage run in this order. */
export const GUARDRAIL_LISTS = {
  before_request_hooks: { stage: 'input', type: 'guardrail' },
  input_guardrails: { stage: 'input', type: 'guardrail' },
  input_mutators: { stage: 'input', type: 'mutator' },
  after_request_hooks: { stage: 'output', type: 'guardrail' },
  output_guardrails: { stage: 'output', type: 'guardrail' },
  output_mutators: { stage: 'output', type: 'mutator' },
} as const satisfies Readonly<Record<string, { stage: CheckStage; type: GuardrailDefinition['type'] }>>

export type GuardrailList = keyof typeof GUARDRAIL_LISTS

export const isGuardrailList = (name: string): name is GuardrailList => Object.hasOwn(GUARDRAIL_LISTS, name)

/** Guardrails of a whole config, and checks in them. */
export const MAX_GUARDRAILS = 100
export const MAX_CHECKS = 100

/** Longest window of a stream, in characters: it is held in memory, and its reader waits for it. */
const MAX_STREAM_WINDOW = 100_000

const Name = t.String({ minLength: 1, maxLength: 256 })

/** Id or slug of a saved guardrail. */
export const Reference = Name

const action = (value: number) =>
  t.Object({
    feedback: t.Optional(
      t.Object({
        value: t.Integer({ minimum: -10, maximum: 10, default: value }),
        weight: t.Number({ minimum: 0, maximum: 1, default: 1 }),
        metadata: t.Union([t.String({ maxLength: 4_096 }), t.Record(t.String(), t.String())], { default: '' }),
      }),
    ),
  })

/** A guardrail that is written out, by the names of the interface. */
export const HookFields = t.Object({
  id: t.Optional(Name),
  name: t.Optional(t.String({ maxLength: 256 })),
  type: t.Optional(t.Union([t.Literal('guardrail'), t.Literal('mutator')])),
  checks: t.Array(
    t.Object({
      id: Name,
      name: t.Optional(t.String({ maxLength: 256 })),
      parameters: t.Record(t.String(), t.Unknown(), { default: {} }),
      is_enabled: t.Boolean({ default: true }),
    }),
    { minItems: 1, maxItems: MAX_CHECKS },
  ),
  deny: t.Boolean({ default: false }),
  async: t.Boolean({ default: false }),
  sequential: t.Boolean({ default: false }),
  soft_deny_200: t.Boolean({ default: false }),
  stream_mode: t.Union([t.Literal('after'), t.Literal('window'), t.Literal('buffer')], { default: 'after' }),
  stream_window: t.Integer({ minimum: 1, maximum: MAX_STREAM_WINDOW, default: DEFAULT_STREAM_WINDOW }),
  on_success: t.Optional(action(5)),
  on_fail: t.Optional(action(-5)),
})

export type Hook = Static<typeof HookFields>

/** A saved guardrail has all but these itself. */
export const ReferenceFields = t.Object({
  id: Name,
  name: HookFields.properties.name,
  type: HookFields.properties.type,
})
