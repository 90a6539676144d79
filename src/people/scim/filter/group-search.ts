import { sql } from 'drizzle-orm'
import { scimGroupMembers, scimGroups } from '../../../store/schema/people.ts'
import { GROUP_SCHEMA } from '../schemas/group.ts'
import type { Searched } from './searched.ts'

export const GROUP_SEARCH = {
  schema: GROUP_SCHEMA.id,
  attributes: {
    id: { kind: 'id', sql: scimGroups.id },
    externalid: { kind: 'exact', sql: scimGroups.externalId },
    displayname: { kind: 'exact', sql: scimGroups.displayName },
    members: {
      some: (condition) =>
        sql`exists (select from ${scimGroupMembers} where ${scimGroupMembers.groupId} = ${scimGroups.id} and ${condition})`,
      parts: {
        value: { kind: 'id', sql: scimGroupMembers.userId },
        type: { kind: 'text', sql: sql`'user'`, isLower: true },
      },
    },
    meta: {
      parts: {
        resourcetype: { kind: 'exact', sql: sql`'Group'` },
        created: { kind: 'time', sql: scimGroups.createdAt },
        lastmodified: { kind: 'time', sql: scimGroups.lastUpdatedAt },
      },
    },
  },
} as const satisfies Searched
