import type { PartialContent } from '../../store/objects/prompt-partials.ts'
import type { PromptContent, PromptVersion } from '../../store/objects/prompts.ts'
import { canonicalTemplate } from './template-file.ts'

/** A version as it is kept in files: by what refers to it, not by its number, which belongs to one database. */
export interface VersionEntry<Content> {
  readonly content: Content
  /** Calls that name no version get it. */
  readonly isPublished: boolean
  /** Names, in alphabetical order. */
  readonly labels: readonly string[]
}

export interface Entry<Content> {
  readonly slug: string
  readonly name: string
  readonly newest: VersionEntry<Content>
  /** Older versions that are published or labelled. */
  readonly kept: readonly VersionEntry<Content>[]
}

export interface PromptEntry extends Entry<PromptContent> {
  /** Names of its collection and of those around it, the outermost first. Absent in a file: wherever it is now. */
  readonly collection?: readonly string[]
}

export type PartialEntry = Entry<PartialContent>

/** The prompts and partials of a workspace, each in the order of their slugs. */
export interface PromptSet {
  /** Absent: the folder says nothing about prompts. */
  readonly prompts?: readonly PromptEntry[]
  readonly partials?: readonly PartialEntry[]
}

/** All versions of an entry, the newest last. */
export const versionsOf = <Content>({ newest, kept }: Entry<Content>): readonly VersionEntry<Content>[] => [
  ...kept,
  newest,
]

/** Puts things in the order of their slugs, which is the same everywhere. */
export const bySlug = <Slugged extends { readonly slug: string }>(all: readonly Slugged[]): Slugged[] =>
  all.toSorted((left, right) => (left.slug < right.slug ? -1 : Number(left.slug > right.slug)))

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
