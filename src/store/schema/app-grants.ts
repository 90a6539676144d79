import { index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from './people.ts'
import { rowTimes } from './tenancy.ts'
import { objectColumns } from './workspace-objects.ts'

/** What a person let an app do for them: to use one MCP server, or all of a workspace, until they take it back. */
export const appGrants = pgTable(
  'app_grants',
  {
    ...objectColumns(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As the app names itself: sealed by the gateway at its registration, or the address of a document about it. */
    clientId: text().notNull(),
    clientName: text().notNull(),
    redirectUri: text().notNull(),
    /** Whole address of what the app may call. */
    resource: text().notNull(),
    /** The same, as it stands behind the address of the gateway. */
    resourcePath: text().notNull(),
    scopes: jsonb().$type<readonly string[]>().notNull(),
    /** SHA-256 of the code, hex; it stays when the code was used, so that a second use shows. */
    codeHash: text().notNull().unique('app_grants_code_hash'),
    codeChallenge: text().notNull(),
    codeEndsAt: timestamp({ withTimezone: true }).notNull(),
    codeUsedAt: timestamp({ withTimezone: true }),
    /** SHA-256 of the refresh token, hex. Null: the code was not used yet. */
    refreshHash: text().unique('app_grants_refresh_hash'),
    /** That of the token before: who comes with it has what was stolen from, or by, somebody. */
    formerRefreshHash: text(),
    /** Ends there unless it is used before. */
    endsAt: timestamp({ withTimezone: true }).notNull(),
    ...rowTimes(),
  },
  (table) => [
    index('app_grants_user').on(table.userId),
    index('app_grants_workspace').on(table.workspaceId),
    index('app_grants_former_refresh_hash').on(table.formerRefreshHash),
    index('app_grants_ends').on(table.endsAt),
  ],
)
