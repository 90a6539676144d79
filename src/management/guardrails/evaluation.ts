import { type Static, Type as t } from '@sinclair/typebox'
import { defined } from '../../core/defined.ts'
import type { HookReport } from '../../core/guardrails.ts'
import { toHeaders } from '../dry-run-call.ts'
import { invalidField } from '../invalid-field.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import type { DryRunSubject, GuardrailDeps, StageVerdict } from './deps.ts'
import { MAX_GUARDRAIL_BYTES, place } from './model.ts'
import { type GuardrailGroup, reachOwner } from './reach.ts'
import { revealHeaders } from './secrets.ts'

/** Body and answer of the dry run of a guardrail. The interface has none. */

const AnyFields = (description: string) => t.Object({}, { additionalProperties: true, description })

const Evaluation = t.Object({
  text: t.Optional(t.String({ minLength: 1, description: 'A text alone, instead of `request`.' })),
  stage: t.Optional(
    t.Union([t.Literal('input'), t.Literal('output')], {
      description: 'Of `text`: whether it is looked at as what is asked, unless given, or as what is answered.',
    }),
  ),
  request: t.Optional(
    t.Object({
      path: t.String({ minLength: 1, maxLength: 1024, default: '/v1/chat/completions' }),
      body: AnyFields('As the call would have it.'),
      headers: t.Optional(
        t.Record(t.String(), t.String({ maxLength: 16_384 }), { maxProperties: 100, additionalProperties: false }),
      ),
      metadata: t.Optional(
        t.Record(t.String(), t.String({ maxLength: 128 }), { maxProperties: 64, additionalProperties: false }),
      ),
      provider: t.Optional(t.String({ maxLength: 255, description: 'Id of the provider that would be asked.' })),
    }),
  ),
  response: t.Optional(AnyFields('Body of the answer to `request`: it is looked at too.')),
  ...place,
})
type EvaluationBody = Static<typeof Evaluation>

const Check = t.Object(
  {
    id: t.String(),
    verdict: t.Boolean(),
    transformed: t.Boolean(),
    execution_time: t.Number({ description: 'Milliseconds.' }),
    created_at: t.String(),
  },
  { additionalProperties: true },
)

const Hook = t.Object(
  { id: t.String(), verdict: t.Boolean(), checks: t.Array(Check), execution_time: t.Number() },
  { additionalProperties: true, description: 'As `hook_results` of an answer have it.' },
)

const EvaluationAnswer = t.Object({
  verdict: t.Boolean({ description: 'True: all checks pass.' }),
  status: t.Integer({ description: 'What a call that is answered well would be answered with: 200, 246 or 446.' }),
  hook_results: t.Object({ before_request_hooks: t.Array(Hook), after_request_hooks: t.Array(Hook) }),
  transformed: t.Object(
    {
      text: t.Optional(t.String()),
      request: t.Optional(AnyFields('Its body.')),
      response: t.Optional(AnyFields('Its body.')),
    },
    { description: 'What would be changed, as it would be then.' },
  ),
})

/** @throws ManagementInvalid */
const toSubject = ({ text, stage, request, response }: EvaluationBody): DryRunSubject => {
  if (text !== undefined) {
    if (request !== undefined) throw invalidField('request', 'cannot be given together with `text`')
    if (response !== undefined) throw invalidField('response', 'needs `request`')
    return { kind: 'text', stage: stage ?? 'input', text }
  }
  if (request === undefined) throw invalidField('text', 'or `request` is needed')
  if (stage !== undefined) throw invalidField('stage', 'is for `text` alone')
  const { path, body, headers = {}, metadata = {}, provider = '' } = request
  return {
    ...{ kind: 'call', path, body, metadata, provider },
    headers: toHeaders(headers, 'request.headers'),
    ...defined({ response }),
  }
}

/** What guardrails make of the status of a call (contract, section 7). */
const statusOf = ({ verdict, deny, async: isAsync }: HookReport, isSoft: boolean): number => {
  if (verdict || isAsync) return 200
  if (!deny) return 246
  return isSoft ? 200 : 446
}

const isText = (changed: StageVerdict['changed']): changed is string => typeof changed === 'string'

const toChanges = ({ input, output }: Readonly<Partial<Record<'input' | 'output', StageVerdict>>>) => {
  const [request, response] = [input?.changed, output?.changed]
  const text = [request, response].find(isText)
  return defined({
    text,
    request: isText(request) ? undefined : request,
    response: isText(response) ? undefined : response,
  })
}

/** Tries a guardrail out without making a call. Ours: the interface has no such route. */
export const evaluationRoute = (
  group: GuardrailGroup,
  { dryRunGuardrail, secretBox }: Pick<GuardrailDeps, 'dryRunGuardrail' | 'secretBox'>,
): AnyRoute => {
  const { tag, plane, roots, family } = group
  return defineRoute({
    ...{ tag, plane, roots },
    method: 'POST',
    path: '/guardrails/:guardrailId/evaluate',
    summary: 'Say what a guardrail would do to a text or a call, without making the call',
    scopes: family === 'guardrails' ? ['guardrails.invoke', 'guardrails.update'] : ['organisation_guardrails.update'],
    changes: false,
    maxBodyBytes: MAX_GUARDRAIL_BYTES,
    body: Evaluation,
    response: EvaluationAnswer,
    async handle(call) {
      const { db, actor, body, signal } = call
      const { object, version } = await reachOwner(group, call, call.params.guardrailId ?? '', 'read')
      const subject = toSubject(body)
      const workspace = await resolveWorkspace(db, actor, object.workspaceId ?? undefined)
      const { organisationId } = actor
      const owner = { organisationId, guardrailId: object.id }
      const checks = await revealHeaders(secretBox, owner, version.checks)
      const verdicts = await dryRunGuardrail({
        ...{ organisationId, workspaceId: workspace.id, subject, signal },
        guardrail: {
          id: object.id,
          name: object.name,
          definition: { type: 'guardrail', checks, ...version.actions },
        },
      })
      const { input, output } = verdicts
      const reports = [input, output].filter((each) => each !== undefined).map(({ report }) => report)
      return {
        verdict: reports.every(({ verdict }) => verdict),
        status: Math.max(...reports.map((report) => statusOf(report, version.actions.soft_deny_200))),
        hook_results: {
          before_request_hooks: input === undefined ? [] : [input.report],
          after_request_hooks: output === undefined ? [] : [output.report],
        },
        transformed: toChanges(verdicts),
      }
    },
  })
}
