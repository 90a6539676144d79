import { guardrailRows } from '../../store/objects/guardrails.ts'
import { WorkspaceQuery } from '../fields.ts'
import { entryOf, resource, scopesIn } from '../resource/resource.ts'
import type { AnyRoute } from '../route.ts'
import type { GuardrailDeps } from './deps.ts'
import { evaluationRoute } from './evaluation.ts'
import { mcpServerRoutes } from './mcp-servers.ts'
import { GuardrailChange, GuardrailsQuery, MAX_GUARDRAIL_BYTES, NewGuardrail } from './model.ts'
import {
  type GuardrailGroup,
  OF_ORGANISATION,
  OF_WORKSPACES,
  placeOfCall,
  reachGuardrail,
  type ShownGuardrail,
  withMappings,
} from './reach.ts'
import { changeGuardrail, createGuardrail, refuseWhileUsed } from './service.ts'
import { GuardrailReceipt, guardrailDetail, guardrailRow, toReceipt } from './view.ts'

/** Stored guardrails, of workspaces and of the organisation (interface contract, section 3.2). */
export const guardrailsRoutes = (deps: GuardrailDeps): readonly AnyRoute[] =>
  [OF_WORKSPACES, OF_ORGANISATION].flatMap((group) => [
    ...routesOf(group, deps),
    ...mcpServerRoutes(group),
    evaluationRoute(group, deps),
  ])

const routesOf = (group: GuardrailGroup, deps: GuardrailDeps): readonly AnyRoute[] => {
  const { tag, plane, roots, family, of } = group
  const entry = entryOf(family, 'guardrail')
  const guardrails = resource<ShownGuardrail, Awaited<ReturnType<typeof placeOfCall>>>({
    tag,
    plane,
    roots,
    path: '/guardrails/:guardrailId',
    scopes: scopesIn(family),
    entry: (verb, { object }) => entry(verb, object),
    query: WorkspaceQuery,
    answer: guardrailDetail,
    place: (call) => placeOfCall(group, call),
    one: (call, reference, verb) => reachGuardrail(group, call, reference, verb),
  })
  return [
    guardrails.list({
      summary: `List the guardrails of ${of}`,
      query: GuardrailsQuery,
      shown: guardrailRow,
      async rows(call, page) {
        const { organisationId, workspaceId } = await placeOfCall(group, call)
        return guardrailRows.list(call.db, { organisationId, of: workspaceId }, page)
      },
    }),
    guardrails.create({
      summary: `Create a guardrail of ${of}`,
      maxBodyBytes: MAX_GUARDRAIL_BYTES,
      body: NewGuardrail,
      response: GuardrailReceipt,
      run: async ({ db, actor, body }, place) => withMappings(db, await createGuardrail(db, deps, actor, place, body)),
      receipt: toReceipt,
    }),
    guardrails.read({ summary: 'Show a guardrail' }),
    guardrails.update({
      summary: 'Change a guardrail; `checks` and `actions` make a new version, each as a whole',
      maxBodyBytes: MAX_GUARDRAIL_BYTES,
      body: GuardrailChange,
      response: GuardrailReceipt,
      run: async ({ db, actor, body }, { mappings, ...stored }) => ({
        ...(await changeGuardrail(db, deps, actor, stored, body)),
        mappings,
      }),
      receipt: toReceipt,
    }),
    guardrails.delete({
      summary: 'Delete a guardrail with its versions; refused while defaults or active configs name it',
      async run({ db }, { object }) {
        await refuseWhileUsed(db, object, 'deleted')
        await guardrailRows.remove(db, object.id)
      },
    }),
  ]
}
