/** An attribute as `/Schemas` tells of it (RFC 7643, section 7). */
export interface AttributeDefinition {
  readonly name: string
  readonly type: 'string' | 'boolean' | 'dateTime' | 'integer' | 'reference' | 'complex'
  readonly multiValued: boolean
  readonly description: string
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable'
  readonly returned: 'always' | 'default'
  readonly uniqueness: 'none' | 'server' | 'global'
  readonly canonicalValues?: readonly string[]
  readonly referenceTypes?: readonly string[]
  readonly subAttributes?: readonly AttributeDefinition[]
}

export interface SchemaDefinition {
  /** URN. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly attributes: readonly AttributeDefinition[]
}

type Details = Partial<Omit<AttributeDefinition, 'name' | 'description'>>

/** An attribute that is a single text, in either case, and may be written, unless the details say otherwise. */
export const attribute = (name: string, description: string, details: Details = {}): AttributeDefinition => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...details,
})

/** The same, for attributes that only Weir writes. */
export const shown = (name: string, description: string, details: Details = {}): AttributeDefinition =>
  attribute(name, description, { mutability: 'readOnly', ...details })
