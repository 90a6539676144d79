import { ManagementInvalid } from '../errors/gateway-error.ts'

/** As HTML's `input type=email` takes them (WHATWG HTML, 4.10.5.1.5, read 2026-11-25): ASCII alone, so that none looks like another. */
const FORM =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i
/** RFC 5321, 4.5.3.1.3, without the angle brackets. */
export const MAXIMUM_ADDRESS = 254
/** The form as JSON Schema has it, for either case. */
export const ADDRESS_PATTERN = FORM.source.replaceAll('a-z0-9', 'a-zA-Z0-9')

/**
 * An address of electronic mail as it is stored and compared: in lower case.
 * @throws ManagementInvalid naming the field
 */
export const toAddress = (text: string, param = 'email'): string => {
  if (text.length > MAXIMUM_ADDRESS || !FORM.test(text)) {
    const violation = { path: param, message: 'must be an address of electronic mail, in ASCII' }
    throw new ManagementInvalid(`The call is not valid: \`${param}\` ${violation.message}.`, {
      param,
      violations: [violation],
    })
  }
  return text.toLowerCase()
}
