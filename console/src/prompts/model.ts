import { given, jsonOf, orNull, toJsonText } from '../resource/draft.ts'
import type { Draft } from '../resource/fields-dialog.tsx'

/** A version of a prompt: what the page needs of it. */
export interface PromptVersion {
  readonly slug: string
  readonly name: string
  readonly string: string
  readonly model: string | null
  readonly virtual_key: string | null
  readonly parameters: Readonly<Record<string, unknown>>
  readonly published_version: number
  readonly prompt_version_id: string
  readonly prompt_version: number
  readonly prompt_version_description: string | null
  readonly prompt_version_created_at: string
  readonly prompt_version_labels: readonly { readonly id: string; readonly name: string }[]
}

const HELLO = JSON.stringify([{ role: 'user', content: 'Greet {{name}} in one sentence.' }], null, 2)

export const NEW_PROMPT: Draft = {
  name: '',
  string: HELLO,
  model: 'mock',
  virtual_key: '',
  parameters: '',
  description: '',
}

/** Messages are spread over lines; a template that is no JSON stays as it is. */
const spread = (template: string): string => {
  try {
    return JSON.stringify(JSON.parse(template), null, 2)
  } catch {
    return template
  }
}

export const toDraft = (version: PromptVersion): Draft => ({
  name: version.name,
  string: spread(version.string),
  model: version.model ?? '',
  virtual_key: version.virtual_key ?? '',
  parameters: toJsonText(version.parameters),
  description: '',
})

/** @throws Failure for parameters that are no JSON */
export const toCreation = (draft: Draft) => ({
  ...{ name: draft.name ?? '', string: draft.string ?? '', parameters: jsonOf(draft, 'parameters') ?? {} },
  ...given(draft, 'model', 'virtual_key'),
  ...(draft.description ? { version_description: draft.description } : {}),
})

/** A new version; what the page does not show stays as it was. @throws Failure */
export const toVersion = (draft: Draft) => ({
  ...{ patch: true, name: draft.name ?? '', string: draft.string ?? '' },
  parameters: jsonOf(draft, 'parameters') ?? {},
  ...{ model: orNull(draft, 'model'), virtual_key: orNull(draft, 'virtual_key') },
  version_description: orNull(draft, 'description'),
})

/** Names of variables that a template has in braces. */
export const variablesOf = (template: string): readonly string[] => [
  ...new Set([...template.matchAll(/\{\{\s*([A-Za-z_][\w.]*)\s*\}\}/g)].map(([, name = '']) => name)),
]
