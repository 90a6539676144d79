import { ManagementInvalid } from '../errors/gateway-error.ts'

/** A rule that no schema can say was broken at one place of the body or query. */
export const invalidField = (path: string, message: string): ManagementInvalid =>
  new ManagementInvalid(`The call is not valid: \`${path}\` ${message}.`, {
    param: path,
    violations: [{ path, message }],
  })

/**
 * Clients send what the path names along in the body, since their application said both in one object.
 * @throws ManagementInvalid when the two differ: what else would be changed is anybody's guess
 */
export const refuseOtherThanPath = (field: string, inBody: string | undefined, inPath: string | undefined): void => {
  if (inBody !== undefined && inBody !== inPath) throw invalidField(field, 'must be that of the path, or absent')
}
