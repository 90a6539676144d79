import { type Static, Type as t } from '@sinclair/typebox'
import { defined } from '../../core/defined.ts'
import type { ChosenRoute } from '../../core/route-explanation.ts'
import { toEnvelope } from '../../errors/envelope.ts'
import { dryRunCallFields, toDryRunCall } from '../dry-run-call.ts'
import { Reference } from '../fields.ts'
import { invalidField } from '../invalid-field.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import type { RouteDryRun, RouteVerdict } from './deps.ts'

/** Body and answer of the dry run of a config. The interface has none. */

const Evaluation = t.Object({
  ...dryRunCallFields,
  config: t.Optional(
    t.Union([Reference, t.Object({}, { additionalProperties: true, minProperties: 1 })], {
      description:
        'The config that the call would bring, in place of `x-gateway-config`: id or slug of a saved one, or an object.',
    }),
  ),
})

const nullableText = t.Union([t.String(), t.Null()])

const EvaluationAnswer = t.Object({
  chosen: t.Union([
    t.Object({
      path: t.String(),
      provider: t.String(),
      virtual_key: t.Optional(t.String()),
      model: t.Optional(t.String()),
      guardrails: t.Optional(
        t.Object(
          { input: t.Array(t.String()), output: t.Array(t.String()) },
          {
            description:
              'Guardrails of its config, besides those of the workspace: id or slug, or where the config writes one out.',
          },
        ),
      ),
      first_token: t.Optional(
        t.Object(
          {
            limit_ms: t.Integer(),
            answers: t.Integer({ description: 'Answers of late of the same target and model.' }),
            p95_ms: t.Optional(t.Integer({ description: 'What 95 of 100 of them took at most.' })),
            thinks: t.Boolean({ description: 'The model may think before it answers.' }),
          },
          {
            description:
              'How long its answer would be waited for before another target is asked, and what that was learnt from.',
          },
        ),
      ),
    }),
    t.Null(),
  ]),
  steps: t.Array(
    t.Object({
      path: t.String(),
      mode: t.String({ description: 'Strategy of the node; `target` for one that has no targets below it.' }),
      decision: t.String({ description: 'Path that the node goes on with; at a target `chosen` or `skipped`.' }),
      reason: t.String(),
    }),
  ),
  error: t.Optional(
    t.Object(
      { status: t.Integer(), message: t.String(), type: nullableText, param: nullableText, code: nullableText },
      { additionalProperties: true, description: 'The call would be refused with this.' },
    ),
  ),
})

/** The value of `x-gateway-config` for the config of a body: headers hold no characters beyond ASCII. */
const toConfigHeader = (config: NonNullable<Static<typeof Evaluation>['config']>): string =>
  typeof config === 'string'
    ? config
    : JSON.stringify(config).replace(
        /[^\x20-\x7e]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )

const toFirstToken = ({ limitMs, answers, p95Ms, thinks }: NonNullable<ChosenRoute['firstToken']>) => ({
  limit_ms: Math.round(limitMs),
  answers,
  ...defined({ p95_ms: p95Ms && Math.round(p95Ms) }),
  thinks,
})

/** What a dry run found, as the interface writes it. */
const toEvaluationAnswer = ({ chosen, steps, error }: RouteVerdict) => ({
  chosen:
    chosen === undefined || error !== undefined
      ? null
      : defined({
          path: chosen.path,
          provider: chosen.provider,
          virtual_key: chosen.virtualKey,
          model: chosen.model,
          guardrails: chosen.guardrails && {
            input: [...chosen.guardrails.input],
            output: [...chosen.guardrails.output],
          },
          first_token: chosen.firstToken && toFirstToken(chosen.firstToken),
        }),
  steps: steps.map((step) => ({ ...step })),
  ...defined({ error: error && { status: error.status, ...toEnvelope(error).error } }),
})

/** Asks the router without making a call. Ours: the interface has no such route. */
export const configEvaluationRoutes = ({ dryRunRoute }: RouteDryRun): readonly AnyRoute[] => [
  defineRoute({
    tag: 'Configs',
    plane: 'workspace',
    method: 'POST',
    path: '/configs/evaluate',
    summary: 'Say which target of a config a call would go to, and why, without making it',
    scopes: ['configs.read'],
    changes: false,
    body: Evaluation,
    response: EvaluationAnswer,
    async handle({ db, actor, body: { config, ...given } }) {
      const call = await toDryRunCall(db, actor, given)
      if (config !== undefined) {
        if (call.headers.has('x-gateway-config')) throw invalidField('config', 'is there twice: once as a header')
        call.headers.set('x-gateway-config', toConfigHeader(config))
      }
      return toEvaluationAnswer(await dryRunRoute(call))
    },
  }),
]
