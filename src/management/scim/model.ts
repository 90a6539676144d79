import { Type as t } from '@sinclair/typebox'

const open = { additionalProperties: true } as const

/** A body that SCIM reads for itself: names of fields in any case, fields that it does not know passed over. */
export const ScimBody = (description: string) => t.Object({}, { ...open, description })

export const ScimResource = (description: string) =>
  t.Object({ schemas: t.Array(t.String()) }, { ...open, description })

export const ScimList = t.Object(
  {
    schemas: t.Array(t.String()),
    totalResults: t.Integer({ minimum: 0 }),
    itemsPerPage: t.Integer({ minimum: 0 }),
    startIndex: t.Integer({ minimum: 1 }),
    Resources: t.Array(ScimResource('A resource')),
  },
  { description: 'RFC 7644, section 3.4.2' },
)

const Names = t.String({ description: 'Names of attributes, with commas between them.' })

const shown = {
  attributes: t.Optional({ ...Names, description: 'The only attributes to show. Names, with commas between them.' }),
  excludedAttributes: t.Optional({
    ...Names,
    description: 'Attributes to leave out. Names, with commas between them.',
  }),
}

/** Parameters of an answer with one resource; others are passed over. */
export const OneQuery = t.Object(shown, open)

export const ListQuery = t.Object(
  {
    filter: t.Optional(t.String({ description: 'RFC 7644, section 3.4.2.2; at most 4,096 characters.' })),
    sortBy: t.Optional(t.String({ description: 'Name of an attribute.' })),
    sortOrder: t.Optional(t.String({ description: '`ascending`, unless it is `descending`.' })),
    startIndex: t.Optional(t.Integer({ description: 'The first resource to show, from 1.' })),
    count: t.Optional(t.Integer({ description: 'Resources to show: 100 unless given, 200 at most.' })),
    ...shown,
  },
  open,
)

/** RFC 7644, section 3.4.3. */
export const SearchBody = t.Object(
  {
    schemas: t.Optional(t.Array(t.String())),
    ...ListQuery.properties,
    attributes: t.Optional(t.Array(t.String())),
    excludedAttributes: t.Optional(t.Array(t.String())),
  },
  open,
)
