import { Type as t } from '@sinclair/typebox'
import { defined } from '../../core/defined.ts'
import type { GatewayError } from '../../errors/gateway-error.ts'
import { ERROR } from '../../people/scim/documents.ts'
import { ScimFault, type ScimType } from '../../people/scim/fault.ts'
import type { RefusalForm } from '../route.ts'

export const SCIM_JSON = 'application/scim+json'

/** How SCIM refuses (RFC 7644, section 3.12). */
export const scimErrors: RefusalForm = {
  mediaType: SCIM_JSON,
  schema: t.Object({
    schemas: t.Array(t.Literal(ERROR)),
    status: t.String({ description: 'The status of the answer, as text.' }),
    scimType: t.Optional(t.String()),
    detail: t.String(),
  }),
  body: (error) =>
    defined({ schemas: [ERROR], status: String(error.status), scimType: scimTypeOf(error), detail: error.message }),
}

/** What stands in the body besides the status, where SCIM has a word for it. */
const scimTypeOf = (error: GatewayError): ScimType | undefined => {
  if (error instanceof ScimFault) return error.scimType
  const { code, options, status } = error
  // The one thing that conflicts and names no field is the last owner.
  if (code === 'management_conflict') return options.param === undefined ? undefined : 'uniqueness'
  if (code !== 'management_invalid' || status !== 400) return undefined
  return options.violations === undefined ? 'invalidSyntax' : 'invalidValue'
}
