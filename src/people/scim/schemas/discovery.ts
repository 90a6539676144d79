import { type AttributeDefinition, type SchemaDefinition, shown } from './attribute.ts'

const complex = (name: string, description: string, subAttributes: readonly AttributeDefinition[]) =>
  shown(name, description, { type: 'complex', required: true, subAttributes })

const flag = (name: string, description: string) => shown(name, description, { type: 'boolean', required: true })
const count = (name: string, description: string) => shown(name, description, { type: 'integer', required: true })
const text = (name: string, description: string) => shown(name, description, { required: true })
const reference = (name: string, description: string, referenceTypes: readonly string[], required = false) =>
  shown(name, description, { type: 'reference', caseExact: true, referenceTypes, required })
const supported = [flag('supported', 'Whether it is offered')]

const SERVICE_PROVIDER_CONFIG: SchemaDefinition = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  name: 'ServiceProviderConfig',
  description: 'What this service offers',
  attributes: [
    reference('documentationUri', 'Where it is documented', ['external']),
    complex('patch', 'PATCH', supported),
    complex('bulk', 'Many changes in one request', [
      ...supported,
      count('maxOperations', 'Most changes of a request'),
      count('maxPayloadSize', 'Most bytes of a request'),
    ]),
    complex('filter', 'Filters', [...supported, count('maxResults', 'Most resources of an answer')]),
    complex('changePassword', 'Changing passwords', supported),
    complex('sort', 'Sorting', supported),
    complex('etag', 'Versions of resources', supported),
    shown('authenticationSchemes', 'How clients say who they are', {
      type: 'complex',
      multiValued: true,
      required: true,
      subAttributes: [
        text('type', 'Kind'),
        text('name', 'Name'),
        text('description', 'Description'),
        reference('specUri', 'Its specification', ['external']),
        reference('documentationUri', 'Where it is documented', ['external']),
        shown('primary', 'Whether it is the preferred one', { type: 'boolean' }),
      ],
    }),
  ],
}

const RESOURCE_TYPE: SchemaDefinition = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  name: 'ResourceType',
  description: 'A kind of resource',
  attributes: [
    text('name', 'Its name'),
    shown('description', 'What it is'),
    reference('endpoint', 'Where its resources are, below the base address', ['uri'], true),
    reference('schema', 'Its schema', ['uri'], true),
    shown('schemaExtensions', 'What it has besides', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        reference('schema', 'The schema', ['uri'], true),
        flag('required', 'Whether every resource has it'),
      ],
    }),
  ],
}

/** What is told of an attribute; of its parts too, but for parts of their own. */
const told = [
  text('name', 'Its name'),
  text('type', 'Type of its values'),
  flag('multiValued', 'Whether it has several values'),
  shown('description', 'What it is'),
  flag('required', 'Whether it must have a value'),
  shown('canonicalValues', 'Usual values', { multiValued: true, caseExact: true }),
  flag('caseExact', 'Whether upper and lower case differ'),
  text('mutability', 'Who writes it'),
  text('returned', 'When it is in an answer'),
  shown('uniqueness', 'Among which resources its value is unique'),
  shown('referenceTypes', 'What it may refer to', { multiValued: true, caseExact: true }),
]
const several = (name: string, description: string, subAttributes: readonly AttributeDefinition[]) =>
  shown(name, description, { type: 'complex', multiValued: true, subAttributes })

const SCHEMA: SchemaDefinition = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
  name: 'Schema',
  description: 'The attributes of a kind of resource',
  attributes: [
    text('name', 'Its name'),
    shown('description', 'What it describes'),
    several('attributes', 'Its attributes', [...told, several('subAttributes', 'Parts of the attribute', told)]),
  ],
}

export const DISCOVERY_SCHEMAS: readonly SchemaDefinition[] = [SERVICE_PROVIDER_CONFIG, RESOURCE_TYPE, SCHEMA]
