import { toDryRunCall } from '../dry-run-call.ts'
import { invalidField } from '../invalid-field.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import type { RouteDryRun } from './deps.ts'
import { Evaluation, EvaluationAnswer, toConfigHeader, toEvaluationAnswer } from './evaluation.ts'

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
