import type { PartialContent } from '../../store/prompt-partials.ts'
import type { PromptContent, PromptVersion } from '../../store/prompts.ts'
import { canonicalTemplate } from './template-file.ts'

/**
 * Two versions with the same key say the same. The order of keys inside objects counts: to a model, that of the properties of
 * a tool means something.
 */
export type ContentKey = string

export const promptKey = (content: PromptContent): ContentKey =>
  JSON.stringify([
    canonicalTemplate(content.template, content.isRawTemplate),
    content.isRawTemplate,
    content.parameters,
    content.virtualKey,
    content.model,
    content.functions,
    content.tools,
    content.toolChoice,
    content.templateMetadata,
    content.variablesSchema,
    content.strict,
    content.description,
  ])

export const partialKey = ({ template, description }: PartialContent): ContentKey =>
  JSON.stringify([template, description])

/** What a version says, without whose it is. */
export const contentOf = ({
  id: _,
  promptId: __,
  number: ___,
  ownerId: ____,
  createdAt: _____,
  ...content
}: PromptVersion): PromptContent => content
