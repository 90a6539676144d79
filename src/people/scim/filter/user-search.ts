import { sql } from 'drizzle-orm'
import { scimGroupMembers, scimGroups, users } from '../../../store/schema/people.ts'
import { USER_SCHEMA } from '../schemas/user.ts'
import type { Searched } from './searched.ts'

const display = sql`coalesce(nullif(concat_ws(' ', ${users.firstName}, ${users.lastName}), ''), ${users.userName})`

export const USER_SEARCH = {
  schema: USER_SCHEMA.id,
  attributes: {
    id: { kind: 'id', sql: users.id },
    externalid: { kind: 'exact', sql: users.externalId },
    username: { kind: 'text', sql: users.userName, isLower: true },
    displayname: { kind: 'text', sql: display },
    active: { kind: 'flag', sql: sql`(${users.status} = 'active')` },
    name: {
      parts: { givenname: { kind: 'text', sql: users.firstName }, familyname: { kind: 'text', sql: users.lastName } },
    },
    emails: {
      some: (condition) => condition,
      parts: {
        value: { kind: 'text', sql: users.email, isLower: true },
        type: { kind: 'text', sql: users.emailType },
        primary: { kind: 'flag', sql: users.isEmailPrimary },
      },
    },
    groups: {
      some: (condition) =>
        sql`exists (select from ${scimGroupMembers} join ${scimGroups} on ${scimGroups.id} = ${scimGroupMembers.groupId}
          where ${scimGroupMembers.userId} = ${users.id} and ${condition})`,
      parts: {
        value: { kind: 'id', sql: scimGroups.id },
        display: { kind: 'text', sql: scimGroups.displayName },
        type: { kind: 'text', sql: sql`'direct'`, isLower: true },
      },
    },
    meta: {
      parts: {
        resourcetype: { kind: 'exact', sql: sql`'User'` },
        created: { kind: 'time', sql: users.createdAt },
        lastmodified: { kind: 'time', sql: users.lastUpdatedAt },
      },
    },
  },
} as const satisfies Searched
