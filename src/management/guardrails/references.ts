import { ManagementReference } from '../../errors/gateway-error.ts'
import { type Guardrail, type GuardrailPlace, guardrailRows } from '../../store/objects/guardrails.ts'
import type { Db } from '../../store/types.ts'
import { invalidField } from '../invalid-field.ts'

/** Where a guardrail is named. */
export interface NamedGuardrail {
  /** Id or slug. */
  readonly reference: string
  /** `input_guardrails[0]` */
  readonly path: string
}

/**
 * The guardrails that something names, each once: of a workspace its own and those of the organisation, of the organisation
 * those alone. Nobody can take them away until the end of the transaction.
 * @throws ManagementReference for one that is not there or archived; ManagementInvalid for one that looks at tools
 */
export const reachNamed = async (
  transaction: Db,
  { organisationId, workspaceId }: GuardrailPlace,
  named: readonly NamedGuardrail[],
): Promise<readonly Guardrail[]> => {
  const found = new Map<string, Guardrail>()
  const where = workspaceId === null ? { of: null } : { usableIn: workspaceId }
  for (const { reference, path } of named) {
    const guardrail = await guardrailRows.find(transaction, { organisationId, ...where, reference }, 'keep')
    if (guardrail?.status !== 'active') throw unknownGuardrail(reference, path)
    if (guardrail.target !== 'llm') throw invalidField(path, 'names a guardrail for tools of MCP servers')
    found.set(guardrail.id, guardrail)
  }
  return [...found.values()]
}

/** @param param the field that names the guardrail */
export const unknownGuardrail = (reference: string, param: string): ManagementReference =>
  new ManagementReference(`There is no guardrail '${reference}' here.`, { param })
