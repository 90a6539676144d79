import type { PartialContent } from '../../store/prompt-partials.ts'
import type { PromptContent } from '../../store/prompts.ts'

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
