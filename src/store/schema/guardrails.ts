import { index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { CheckDefinition, CheckStage, GuardrailDefinition, StoredGuardrail } from '../../core/guardrails.ts'
import { organisations, rowTimes, workspaces } from './tenancy.ts'
import { versionColumns, versionedColumns } from './workspace-objects.ts'

/** What a guardrail looks at: calls to models, or those of tools. */
export const GUARDRAIL_TARGETS = ['llm', 'mcp_tools'] as const satisfies readonly StoredGuardrail['target'][]

const STAGES = ['input', 'output'] as const satisfies readonly CheckStage[]

/** What becomes of the verdicts of its checks. */
export type GuardrailActions = Omit<GuardrailDefinition, 'type' | 'checks'>

/** Checks on calls, by name: of one workspace, or of the organisation for all of its workspaces (contract 3.2). */
export const guardrails = pgTable(
  'guardrails',
  {
    ...versionedColumns(),
    /** Absent: of the organisation. */
    workspaceId: uuid().references(() => workspaces.id, { onDelete: 'cascade' }),
    target: text({ enum: GUARDRAIL_TARGETS }).notNull().default('llm'),
  },
  (table) => [
    // Calls of a workspace find its own and those of the organisation: one name must not mean two of them.
    unique('guardrails_organisation_slug').on(table.organisationId, table.slug),
    index('guardrails_workspace').on(table.workspaceId),
  ],
)

/** What a guardrail said at a time. Never changed: a change of the guardrail adds one. */
export const guardrailVersions = pgTable(
  'guardrail_versions',
  {
    ...versionColumns(),
    guardrailId: uuid()
      .notNull()
      .references(() => guardrails.id, { onDelete: 'cascade' }),
    checks: jsonb().$type<readonly CheckDefinition[]>().notNull(),
    actions: jsonb().$type<GuardrailActions>().notNull(),
  },
  (table) => [unique('guardrail_versions_number').on(table.guardrailId, table.number)],
)

/** Which MCP servers a guardrail looks at the tools of. */
export const guardrailMcpServers = pgTable(
  'guardrail_mcp_servers',
  {
    id: uuid().primaryKey(),
    guardrailId: uuid()
      .notNull()
      .references(() => guardrails.id, { onDelete: 'cascade' }),
    mcpServerId: uuid().notNull(),
    runOn: jsonb().$type<readonly CheckStage[]>().notNull(),
    /** Tools, prompts and resources of the server; none stands for all. */
    capabilityIds: jsonb().$type<readonly string[]>().notNull().default([]),
    ...rowTimes(),
  },
  (table) => [unique('guardrail_mcp_servers_server').on(table.guardrailId, table.mcpServerId)],
)

/** Guardrails of every call of an organisation, or of a workspace. One that is there cannot be deleted. */
export const guardrailDefaults = pgTable(
  'guardrail_defaults',
  {
    id: uuid().primaryKey(),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    /** Absent: of the organisation. */
    workspaceId: uuid().references(() => workspaces.id, { onDelete: 'cascade' }),
    stage: text({ enum: STAGES }).notNull(),
    /** From 0: the order in which they run. */
    position: integer().notNull(),
    guardrailId: uuid()
      .notNull()
      .references(() => guardrails.id),
  },
  (table) => [
    index('guardrail_defaults_owner').on(table.organisationId, table.workspaceId),
    index('guardrail_defaults_guardrail').on(table.guardrailId),
  ],
)

/** Workspaces whose calls the default guardrails of the organisation leave alone. */
export const guardrailExclusions = pgTable(
  'guardrail_exclusions',
  {
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    stage: text({ enum: STAGES }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.stage] })],
)
