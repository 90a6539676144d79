import { Type as t } from '@sinclair/typebox'
import type { GuardrailMapping } from '../../store/objects/guardrail-mcp-servers.ts'
import type { Guardrail } from '../../store/objects/guardrails.ts'
import type { GuardrailActions } from '../../store/schema/guardrails.ts'
import { DateTime, Status, Uuid } from '../fields.ts'
import { answerOf } from '../resource/answer.ts'
import { Actions, type ActionsBody, Check, DEFAULT_FEEDBACK, Target } from './model.ts'
import type { ShownGuardrail } from './reach.ts'
import { hideHeaders } from './secrets.ts'

/** Answers of guardrails (interface contract, section 3.2). */

/** A guardrail without what it says: a row of a list. */
export const guardrailRow = answerOf<Guardrail>()({
  id: Uuid,
  slug: t.String(),
  name: t.String(),
  target: Target,
  organisation_id: Uuid,
  workspace_id: t.Union([Uuid, t.Null()], { description: 'Null: it is one of the organisation.' }),
  status: Status,
  owner_id: t.String({ description: 'User, key or subject of a token that made it.' }),
  updated_by: t.String(),
  created_at: DateTime,
  last_updated_at: DateTime,
  object: t.Literal('guardrail'),
})

const stage = t.Union([t.Literal('input'), t.Literal('output')])

export const mappingAnswer = answerOf<GuardrailMapping>()(
  {
    id: Uuid,
    guardrail_id: Uuid,
    mcp_server_id: Uuid,
    run_on: t.Array(stage),
    capability_ids: t.Array(Uuid, { description: 'None: everything that the server has.' }),
  },
  { run_on: ({ runOn }) => [...runOn], capability_ids: ({ capabilityIds }) => [...capabilityIds] },
)

export const guardrailDetail = {
  schema: t.Object({
    ...guardrailRow.schema.properties,
    version_id: Uuid,
    checks: t.Array(Check),
    actions: Actions,
    mcp_server_mappings: t.Array(mappingAnswer.schema),
  }),
  of: ({ object, version, mappings }: ShownGuardrail) => ({
    ...guardrailRow.of(object),
    version_id: version.id,
    checks: [...hideHeaders(version.checks)],
    actions: fromActions(version.actions),
    mcp_server_mappings: mappings.map(mappingAnswer.of),
  }),
}

export const GuardrailReceipt = t.Object({
  id: Uuid,
  slug: t.String(),
  version_id: Uuid,
  object: t.Literal('guardrail'),
})

export const toReceipt = ({ object, version }: ShownGuardrail) => ({
  id: object.id,
  slug: object.slug,
  version_id: version.id,
  object: 'guardrail' as const,
})

type Outcome = keyof typeof DEFAULT_FEEDBACK

/** What the store keeps of an outcome: null is no feedback, and so no field. */
const toFeedback = (outcome: Outcome, given: ActionsBody[Outcome]) =>
  given === null ? {} : { [outcome]: { feedback: { ...DEFAULT_FEEDBACK[outcome], ...given?.feedback } } }

/** Actions as the store keeps them. */
export const toActions = ({ on_success: onSuccess, on_fail: onFail, ...actions }: ActionsBody): GuardrailActions => ({
  ...actions,
  ...toFeedback('on_success', onSuccess),
  ...toFeedback('on_fail', onFail),
})

const fromActions = ({ on_success: onSuccess, on_fail: onFail, ...actions }: GuardrailActions): ActionsBody => ({
  ...actions,
  on_success: onSuccess ?? null,
  on_fail: onFail ?? null,
})
