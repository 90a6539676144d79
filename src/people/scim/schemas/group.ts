import { attribute, type SchemaDefinition } from './attribute.ts'

export const GROUP_SCHEMA: SchemaDefinition = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'A group of the directory; mappings give its members a role in workspaces',
  attributes: [
    attribute('displayName', 'Its name', { required: true, uniqueness: 'server', caseExact: true }),
    attribute('members', 'Who is in it', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('value', 'Id of the user', { mutability: 'immutable', caseExact: true }),
        attribute('$ref', 'Address of the user', {
          type: 'reference',
          mutability: 'immutable',
          caseExact: true,
          referenceTypes: ['User'],
        }),
        attribute('type', 'Always `User`: there are no groups of groups', {
          mutability: 'immutable',
          canonicalValues: ['User'],
        }),
      ],
    }),
  ],
}
