import { type Static, Type as t } from '@sinclair/typebox'
import { Description, Flag, Name, nullable, Reference, Status, searchIn, WorkspaceReference } from '../fields.ts'
import { pageQuery } from '../list.ts'

/** Bodies and queries of prompts (interface contract, section 8). */

/** Characters of a template. */
const MAX_TEMPLATE = 512 * 1024
const MAX_TOOLS = 1024

export const Json = t.Object({}, { additionalProperties: true })
export const Tools = t.Array(Json, { maxItems: MAX_TOOLS })

export const VersionsQuery = t.Object({ ...pageQuery(50, 100), workspace_id: WorkspaceReference })

export const PromptsQuery = t.Object({
  ...pageQuery(100, 1000),
  workspace_id: WorkspaceReference,
  collection_id: t.Optional({ ...Reference, description: 'Id or slug: only prompts of this collection.' }),
  search: searchIn('name or slug'),
  label: t.Optional({
    ...Reference,
    description: 'Id or name of a label: only prompts of which a version carries it.',
  }),
})

const Template = t.String({
  minLength: 1,
  maxLength: MAX_TEMPLATE,
  description: 'The template: a JSON text of messages, or plain text.',
})
const Parameters = { ...Json, description: 'Parameters of the model. `stream` is not kept.' }

/** Fields of a version that may be left out. */
const optional = {
  virtual_key: t.Optional(nullable({ ...Reference, description: 'Slug of a provider of the workspace, or `@slug`.' })),
  model: t.Optional(nullable(t.String({ minLength: 1, maxLength: 255 }))),
  functions: t.Optional(nullable(Tools)),
  tools: t.Optional(nullable(Tools)),
  tool_choice: t.Optional(nullable(t.Union([t.String({ minLength: 1, maxLength: 255 }), Json]))),
  version_description: t.Optional(nullable(Description)),
  template_metadata: t.Optional(
    nullable({ ...Json, description: 'For the editor of the prompt; calls do not read it.' }),
  ),
  is_raw_template: t.Optional({ ...Flag, description: 'Sections of the template may build messages and parts.' }),
  variables_schema: t.Optional(
    nullable({ ...Json, description: 'JSON Schema that the variables of a call must fit. An extension of Weir.' }),
  ),
  strict: t.Optional(
    t.Boolean({ description: 'True: a call without a value for every variable is refused. An extension of Weir.' }),
  ),
}

const CollectionReference = { ...Reference, description: 'Id or slug of a collection.' }

export const NewPrompt = t.Object({
  name: Name,
  string: Template,
  parameters: Parameters,
  ...optional,
  collection_id: t.Optional({ ...CollectionReference, description: 'Id or slug. Absent: the default collection.' }),
  workspace_id: WorkspaceReference,
})
export type NewPromptBody = Static<typeof NewPrompt>

export const PromptChange = t.Object(
  {
    name: t.Optional(Name),
    collection_id: t.Optional(CollectionReference),
    status: t.Optional({ ...Status, description: 'An archived prompt serves no calls.' }),
    patch: t.Optional(
      t.Boolean({ description: 'True: fields of a version that are left out are those of the newest one.' }),
    ),
    string: t.Optional(Template),
    parameters: t.Optional(Parameters),
    ...optional,
    workspace_id: WorkspaceReference,
  },
  { minProperties: 1 },
)
export type PromptChangeBody = Static<typeof PromptChange>

/** Those fields of a body that make a version. */
export type VersionBody = Omit<PromptChangeBody, 'name' | 'collection_id' | 'status' | 'patch' | 'workspace_id'>

export const LabelChange = t.Object({
  label_id: nullable({
    ...Reference,
    description: 'Id or name of a label, which moves to this version. Null: the version loses its labels.',
  }),
})

export const Publication = t.Object({
  version: t.Integer({ minimum: 1, maximum: 999_999_999, description: 'Number of the version.' }),
})
