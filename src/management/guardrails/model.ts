import { type Static, Type as t } from '@sinclair/typebox'
import { DEFAULT_STREAM_WINDOW } from '../../core/guardrails.ts'
import { Name, nullable, OrganisationReference, Reference, Status, Uuid, WorkspaceReference } from '../fields.ts'
import { pageQuery } from '../list.ts'

/** Bodies and queries of guardrails (interface contract, section 3.2). */

/** A list of a megabyte of words is a check like any other. */
export const MAX_GUARDRAIL_BYTES = 2 * 1024 * 1024
const MAX_CHECKS = 100
/** Of one guardrail, and guardrails of one set. */
export const MAX_GUARDRAILS = 100
const MAX_STREAM_WINDOW = 100_000
const MAX_SERVERS = 1000
const MAX_CAPABILITIES = 1000

export const Target = t.Union([t.Literal('llm'), t.Literal('mcp_tools')])

export const Check = t.Object({
  id: t.String({
    minLength: 1,
    maxLength: 255,
    description: 'Id of a check that runs here, such as `default.contains`.',
  }),
  parameters: t.Object({}, { additionalProperties: true, default: {}, description: 'Those of the check.' }),
  name: t.Optional(Name),
  is_enabled: t.Boolean({ default: true }),
})

const Checks = t.Array(Check, { minItems: 1, maxItems: MAX_CHECKS })

const FeedbackMetadata = t.Union(
  [
    t.String({ maxLength: 4096 }),
    t.Record(t.String({ minLength: 1, maxLength: 128 }), t.String({ maxLength: 1024 }), {
      maxProperties: 64,
      additionalProperties: false,
    }),
  ],
  { description: 'A note, or labels.' },
)

/** Feedback where a body does not say. */
export const DEFAULT_FEEDBACK = {
  on_success: { value: 5, weight: 1, metadata: '' },
  on_fail: { value: -5, weight: 1, metadata: '' },
} as const

const feedbackAction = (value: number, when: string) =>
  t.Optional(
    t.Union(
      [
        t.Object({
          feedback: t.Object({
            value: t.Optional(t.Integer({ minimum: -10, maximum: 10, description: `Without it ${value}.` })),
            weight: t.Optional(t.Number({ minimum: 0, maximum: 1, description: 'Without it 1.' })),
            metadata: t.Optional(FeedbackMetadata),
          }),
        }),
        t.Null(),
      ],
      { description: `Feedback that is given to the call when ${when}; without it ${value}. Null: none.` },
    ),
  )

const flag = (description: string) => t.Boolean({ default: false, description })

export const Actions = t.Object(
  {
    deny: flag('True: a call that does not pass is refused with 446.'),
    async: flag('True: the checks run beside the call and only report.'),
    sequential: flag('True: one check after the other, each on the texts that the one before left.'),
    soft_deny_200: flag('True: what is denied is answered with 200 and a message instead.'),
    stream_mode: t.Union([t.Literal('after'), t.Literal('window'), t.Literal('buffer')], {
      default: 'after',
      description:
        'What happens to a stream: it is looked at when it has passed, or held back by a window of text, or held back as a whole.',
    }),
    stream_window: t.Integer({
      minimum: 1,
      maximum: MAX_STREAM_WINDOW,
      default: DEFAULT_STREAM_WINDOW,
      description: 'Characters of that window.',
    }),
    on_success: feedbackAction(DEFAULT_FEEDBACK.on_success.value, 'all checks pass'),
    on_fail: feedbackAction(DEFAULT_FEEDBACK.on_fail.value, 'a check does not pass'),
  },
  { default: {}, description: 'What becomes of the verdicts of the checks.' },
)
export type ActionsBody = Static<typeof Actions>

export const GuardrailsQuery = t.Object({ workspace_id: WorkspaceReference, ...pageQuery(100, 1000) })

export const place = { workspace_id: WorkspaceReference, organisation_id: OrganisationReference }

export const NewGuardrail = t.Object({
  name: Name,
  target: t.Union(Target.anyOf, {
    default: 'llm',
    description: 'What it looks at: calls to models, or tools of MCP servers.',
  }),
  checks: t.Optional({ ...Checks, description: 'Needed unless `target` is `mcp_tools`.' }),
  actions: Actions,
  ...place,
})
export type NewGuardrailBody = Static<typeof NewGuardrail>

export const GuardrailChange = t.Object(
  {
    name: t.Optional(Name),
    checks: t.Optional({ ...Checks, description: 'All of them.' }),
    actions: t.Optional(
      t.Object(Actions.properties, { description: 'All of them: what is left out gets its default.' }),
    ),
    status: t.Optional({ ...Status, description: 'An archived guardrail runs on no calls.' }),
    ...place,
  },
  { minProperties: 1 },
)
export type GuardrailChangeBody = Static<typeof GuardrailChange>

const mapping = {
  run_on: t.Array(t.Union([t.Literal('input'), t.Literal('output')]), {
    minItems: 1,
    maxItems: 2,
    uniqueItems: true,
    default: ['input', 'output'],
    description: 'What is looked at: arguments of tools, or their results.',
  }),
  mcp_integration_capability_ids: t.Array(Uuid, {
    maxItems: MAX_CAPABILITIES,
    default: [],
    description: 'Which tools, prompts and resources; none stands for all.',
  }),
}

/** The default is for each value of a map: without one the defaults of its fields are not filled in. */
export const McpServer = t.Object(mapping, { default: {} })
export type McpServerBody = Static<typeof McpServer>

export const McpServers = t.Object({
  mcp_servers: t.Record(Uuid, McpServer, {
    maxProperties: MAX_SERVERS,
    additionalProperties: false,
    description: 'By id of the server. Servers that are not listed are taken away.',
  }),
})

const References = (what: string) =>
  t.Array(Reference, { maxItems: MAX_GUARDRAILS, description: `Ids or slugs, in the order in which they run ${what}.` })

export const defaultSets = {
  input_guardrails: t.Optional(nullable(References('on what is asked'))),
  output_guardrails: t.Optional(nullable(References('on what is answered'))),
}

export const Exclusions = t.Object({
  workspaces: t.Array(t.Object({ workspace_id: Reference, excluded: t.Boolean() }), { maxItems: MAX_SERVERS }),
  override_existing: t.Boolean({
    default: false,
    description: 'True: workspaces that are not listed are no longer excluded.',
  }),
  organisation_id: OrganisationReference,
})
export type ExclusionsBody = Static<typeof Exclusions>

export const OrganisationDefaults = t.Object(
  { ...defaultSets, organisation_id: OrganisationReference },
  { minProperties: 1 },
)
