import { defined } from '../../core/defined.ts'
import { ManagementInvalid } from '../../errors/gateway-error.ts'

/** What a refusal is about, in SCIM's words (RFC 7644, section 3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

/** A SCIM request that cannot be done as it was asked. */
export class ScimFault extends ManagementInvalid {
  /** Absent where SCIM has no word for it. */
  readonly scimType: ScimType | undefined

  /** @param status 400 unless given */
  constructor(scimType: ScimType | undefined, message: string, status?: number) {
    super(message, defined({ status }))
    this.scimType = scimType
  }
}
