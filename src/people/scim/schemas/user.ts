import { attribute, type SchemaDefinition, shown } from './attribute.ts'

/**
 * What Weir keeps of a user, and nothing else: a directory may send the rest of RFC 7643 (telephones, addresses, photographs …),
 * which is not stored. `required` means here that it is never without a value: left out by a client, `active` is true, and the
 * address is `userName` where that is one.
 */
export const USER_SCHEMA: SchemaDefinition = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'Somebody of the organisation',
  attributes: [
    attribute('userName', 'What the directory calls them, usually their address', {
      required: true,
      uniqueness: 'server',
    }),
    attribute('name', 'Their name', {
      type: 'complex',
      subAttributes: [
        attribute('familyName', 'Family name, or last name'),
        attribute('givenName', 'Given name, or first name'),
      ],
    }),
    shown('displayName', 'Made of their name, or of `userName` without one'),
    attribute('active', 'An inactive one cannot sign in, and has neither keys nor sessions', {
      type: 'boolean',
      required: true,
    }),
    attribute('emails', 'Their address: one is kept, the primary one of several', {
      type: 'complex',
      multiValued: true,
      required: true,
      subAttributes: [
        attribute('value', 'The address', { required: true, uniqueness: 'server' }),
        attribute('type', '`work` unless given', { canonicalValues: ['work', 'home', 'other'] }),
        attribute('primary', 'True unless given', { type: 'boolean' }),
      ],
    }),
    shown('groups', 'Groups they are in; changed at the groups', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        shown('value', 'Id of the group', { caseExact: true }),
        shown('$ref', 'Address of the group', { type: 'reference', caseExact: true, referenceTypes: ['Group'] }),
        shown('display', 'Name of the group'),
        shown('type', 'Always `direct`: there are no groups of groups', { canonicalValues: ['direct'] }),
      ],
    }),
  ],
}

/** Attributes of RFC 7643, section 4.1, that a client may send and that are not kept, in lower case. */
export const UNKEPT_USER_ATTRIBUTES: ReadonlySet<string> = new Set([
  'displayname',
  'nickname',
  'profileurl',
  'title',
  'usertype',
  'preferredlanguage',
  'locale',
  'timezone',
  'password',
  'phonenumbers',
  'ims',
  'photos',
  'addresses',
  'entitlements',
  'roles',
  'x509certificates',
])
