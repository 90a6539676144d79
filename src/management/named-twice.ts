import { invalidField } from './invalid-field.ts'

/**
 * Clients send what the path names along in the body, since their application said both in one object.
 * @throws ManagementInvalid when the two differ: what else would be changed is anybody's guess
 */
export const refuseOtherThanPath = (field: string, inBody: string | undefined, inPath: string | undefined): void => {
  if (inBody !== undefined && inBody !== inPath) throw invalidField(field, 'must be that of the path, or absent')
}
