import { SCIM_JSON, scimErrors } from './errors.ts'

/** What all routes of SCIM share: they stand at the root, as people enter the address at their directory. */
export const scimRoute = {
  tag: 'SCIM',
  plane: 'organisation',
  roots: [''],
  responseType: SCIM_JSON,
  errors: scimErrors,
} as const
