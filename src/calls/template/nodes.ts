/** A name as it stands in a tag, trimmed, and the keys it walks; none for `.`, the item itself. */
export interface Name {
  readonly text: string
  readonly path: readonly string[]
}

export interface TextNode {
  readonly kind: 'text'
  readonly text: string
}

export interface ValueNode {
  readonly kind: 'value'
  readonly name: Name
}

export interface SectionNode<Node> {
  readonly kind: 'section'
  readonly name: Name
  /** `{{^name}}`: shown when there is nothing. */
  readonly isInverted: boolean
  readonly body: readonly Node[]
}

/** Either names its partial or has a variable that does. */
export interface PartialNode {
  readonly kind: 'partial'
  readonly reference: string | Name
  /** What stands before each line of the partial, when the tag has a line of its own. */
  readonly indent: string
}

export type TemplateNode = TextNode | ValueNode | SectionNode<TemplateNode> | PartialNode

/** What a template refers to, each name once and as written, in order of appearance. */
export interface References {
  /** `slug`, `slug@5`, `slug@latest`. */
  readonly partials: readonly string[]
  /** Variables whose value names a partial. */
  readonly variablePartials: readonly string[]
  /** Variables of values and sections; a name inside a section may as well be one of its items' own. */
  readonly variables: readonly string[]
}

/** A text, taken apart. The same object may be rendered any number of times, also at once. */
export interface Template extends References {
  readonly text: string
  readonly nodes: readonly TemplateNode[]
}
