import { ManagementInvalid } from '../errors/gateway-error.ts'

/** A rule that no schema can say was broken at one place of the body or query. */
export const invalidField = (path: string, message: string): ManagementInvalid =>
  new ManagementInvalid(`The call is not valid: \`${path}\` ${message}.`, {
    param: path,
    violations: [{ path, message }],
  })
