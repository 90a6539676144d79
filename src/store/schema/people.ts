import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { apiKeys } from './api-keys.ts'
import { organisations, rowTimes, workspaces } from './tenancy.ts'

/** What people are in an organisation, the mightiest first (contract 1.3). */
export const ORGANISATION_ROLES = ['owner', 'admin', 'member'] as const
export type OrganisationRole = (typeof ORGANISATION_ROLES)[number]

/** What people are in a workspace, the mightiest first (contract 1.3). Owners and admins of the organisation need none. */
export const WORKSPACE_ROLES = ['admin', 'manager', 'member'] as const
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number]

/** An inactive one keeps its place, and can neither sign in nor use a key: what a directory calls `active: false`. */
export const USER_STATUSES = ['active', 'inactive'] as const

/** How somebody came to be known. */
export const USER_SOURCES = ['invite', 'sign-in', 'scim'] as const

export const INVITE_STATUSES = ['pending', 'cancelled', 'accepted', 'expired'] as const

/** Who put somebody into a workspace: a person or a key, the groups of a directory, or the claims of a sign-in. */
export const MEMBER_SOURCES = ['direct', 'scim', 'sign-in'] as const

const organisationId = () =>
  uuid()
    .notNull()
    .references(() => organisations.id)

export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey(),
    organisationId: organisationId(),
    /** In lower case; unique within the organisation. */
    email: text().notNull(),
    /** What a directory says of the address (SCIM `emails.type` and `emails.primary`). */
    emailType: text().notNull().default('work'),
    isEmailPrimary: boolean().notNull().default(true),
    /** What a directory calls them by (SCIM `userName`); the address, where there is none. In lower case. */
    userName: text().notNull(),
    firstName: text(),
    lastName: text(),
    role: text({ enum: ORGANISATION_ROLES }).notNull(),
    status: text({ enum: USER_STATUSES }).notNull().default('active'),
    source: text({ enum: USER_SOURCES }).notNull(),
    /** Id in the directory that provisions them (SCIM `externalId`). */
    externalId: text(),
    lastSignInAt: timestamp({ withTimezone: true }),
    ...rowTimes(),
  },
  (table) => [
    unique('users_organisation_email').on(table.organisationId, table.email),
    unique('users_organisation_user_name').on(table.organisationId, table.userName),
    index('users_organisation_list').on(table.organisationId, table.createdAt, table.id),
  ],
)

/** Who somebody is at an issuer: found again by it, whatever becomes of their address. */
export const userIdentities = pgTable(
  'user_identities',
  {
    id: uuid().primaryKey(),
    organisationId: organisationId(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    issuer: text().notNull(),
    /** The claim `sub`: unique and never given to somebody else, at that issuer. */
    subject: text().notNull(),
    ...rowTimes(),
  },
  (table) => [
    unique('user_identities_subject').on(table.organisationId, table.issuer, table.subject),
    index('user_identities_user').on(table.userId),
  ],
)

export const workspaceMembers = pgTable(
  'workspace_members',
  {
    id: uuid().primaryKey(),
    organisationId: organisationId(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text({ enum: WORKSPACE_ROLES }).notNull(),
    source: text({ enum: MEMBER_SOURCES }).notNull().default('direct'),
    ...rowTimes(),
  },
  (table) => [
    unique('workspace_members_workspace_user').on(table.workspaceId, table.userId),
    index('workspace_members_user').on(table.userId),
  ],
)

/** A workspace that an invite leads into. */
export interface InvitedWorkspace {
  readonly id: string
  readonly role: WorkspaceRole
}

/** The key that somebody gets with an invite, in each of its workspaces. */
export interface InvitedKey {
  readonly scopes: readonly string[]
  readonly name?: string
  /** ISO 8601. */
  readonly expiresAt?: string
  readonly metadata?: Readonly<Record<string, string>>
}

export const invites = pgTable(
  'invites',
  {
    id: uuid().primaryKey(),
    organisationId: organisationId(),
    /** In lower case. One invite of an address waits at a time. */
    email: text().notNull(),
    role: text({ enum: ORGANISATION_ROLES }).notNull(),
    workspaces: jsonb().$type<readonly InvitedWorkspace[]>().notNull(),
    /** Null: what each workspace gives to every member. */
    apiKey: jsonb().$type<InvitedKey>(),
    status: text({ enum: INVITE_STATUSES }).notNull().default('pending'),
    /** SHA-256 of the secret of its link, hex: the link itself is shown once. */
    tokenHash: text().notNull().unique('invites_token_hash'),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
    /** Id of the user or key that invites. */
    invitedBy: text().notNull(),
    acceptedBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    ...rowTimes(),
  },
  (table) => [
    index('invites_organisation_list').on(table.organisationId, table.createdAt, table.id),
    uniqueIndex('invites_pending_email').on(table.organisationId, table.email).where(sql`${table.status} = 'pending'`),
  ],
)

/** A group of a directory, as it provisions it. */
export const scimGroups = pgTable(
  'scim_groups',
  {
    id: uuid().primaryKey(),
    organisationId: organisationId(),
    displayName: text().notNull(),
    externalId: text(),
    ...rowTimes(),
  },
  (table) => [unique('scim_groups_organisation_name').on(table.organisationId, table.displayName)],
)

export const scimGroupMembers = pgTable(
  'scim_group_members',
  {
    groupId: uuid()
      .notNull()
      .references(() => scimGroups.id, { onDelete: 'cascade' }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.groupId, table.userId] }),
    index('scim_group_members_user').on(table.userId),
  ],
)

/** The role that members of a group have in a workspace (contract 8, `SCIM mappings`). */
export const scimWorkspaces = pgTable(
  'scim_workspaces',
  {
    id: uuid().primaryKey(),
    organisationId: organisationId(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    role: text({ enum: WORKSPACE_ROLES }).notNull(),
    /** One of the two: a group that is there, or the name of one that may come. */
    scimGroupId: uuid().references(() => scimGroups.id, { onDelete: 'cascade' }),
    scimGroupName: text(),
    ...rowTimes(),
  },
  (table) => [
    check('scim_workspaces_one_group', sql`num_nonnulls(${table.scimGroupId}, ${table.scimGroupName}) = 1`),
    index('scim_workspaces_organisation_list').on(table.organisationId, table.createdAt, table.id),
    index('scim_workspaces_workspace').on(table.workspaceId),
  ],
)

/** Somebody at a screen: a person who signed in, or whoever has a key of the organisation. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey(),
    organisationId: organisationId(),
    userId: uuid().references(() => users.id, { onDelete: 'cascade' }),
    apiKeyId: uuid().references(() => apiKeys.id, { onDelete: 'cascade' }),
    /** SHA-256 of what the cookie holds, hex. */
    tokenHash: text().notNull().unique('sessions_token_hash'),
    /** Issuer that told who it is; null for a key. */
    issuer: text(),
    userAgent: text(),
    /** Network address of the sign-in. */
    address: text(),
    /** Moves while it is used, at most once a minute; it ends when that is too long ago. */
    lastSeenAt: timestamp({ withTimezone: true }).notNull().default(sql`now()`),
    /** When it ends however much it is used. */
    endsAt: timestamp({ withTimezone: true }).notNull(),
    ...rowTimes(),
  },
  (table) => [
    check('sessions_one_holder', sql`num_nonnulls(${table.userId}, ${table.apiKeyId}) = 1`),
    index('sessions_user').on(table.userId),
    index('sessions_api_key').on(table.apiKeyId),
    index('sessions_organisation_list').on(table.organisationId, table.createdAt, table.id),
  ],
)
