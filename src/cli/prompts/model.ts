import { Type as t } from '@sinclair/typebox'
import { Description, Name } from '../../management/fields.ts'
import { NewPrompt } from '../../management/prompts/model.ts'

/** What the JSON files of a folder hold: fields of the management interface, by the same rules. */

const { name, parameters, string: _, collection_id: __, workspace_id: ___, ...optional } = NewPrompt.properties

const MAX_LABELS = 1000

const version = {
  published: t.Optional(t.Boolean({ description: 'Calls that name no version get this one.' })),
  labels: t.Optional(t.Array(Name, { maxItems: MAX_LABELS })),
  parameters: t.Optional(parameters),
  ...optional,
}

/** An older version of a prompt. */
export const PromptVersionFile = t.Object(version)

/** `prompt.json`: a prompt with its newest version. */
export const PromptFile = t.Object({
  name,
  collection: t.Optional(t.Array(Name, { minItems: 1, maxItems: 64 })),
  ...version,
})

const partialVersion = {
  published: t.Optional(t.Boolean()),
  version_description: t.Optional(t.Union([Description, t.Null()])),
}

export const PartialVersionFile = t.Object(partialVersion)
export const PartialFile = t.Object({ name: Name, ...partialVersion })

const RESERVED: ReadonlySet<string> = new Set(['latest', 'default'])

/** As the management interface takes names of labels (behaviours, section 3.2). */
export const isLabelName = (label: string): boolean =>
  /^[a-zA-Z0-9_-]{1,255}$/.test(label) && !/^[0-9]+$/.test(label) && !RESERVED.has(label.toLowerCase())
