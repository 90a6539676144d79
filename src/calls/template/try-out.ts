import { BrokenMessages } from './errors.ts'
import { buildMessages } from './messages.ts'
import { Run } from './run.ts'
import type { StructureNode } from './structure.ts'

type Path = readonly string[]

/** All ways to answer this many sections are tried. Of a template with more, what is broken is found when it is rendered. */
const MAX_NAMES = 6

/**
 * Refuses a raw template that makes no list of messages whichever of its sections are shown. Nothing is said of one that
 * takes parts of its structure from partials: those change without it.
 * @throws BrokenMessages: what is wrong when all sections are shown
 */
export const tryOut = (text: string, nodes: readonly StructureNode[]): void => {
  if (hasPartial(nodes)) return
  const paths = [...new Map(namesOf(nodes)).values()]
  if (paths.length > MAX_NAMES) return
  const failures: BrokenMessages[] = []
  for (let choice = 2 ** paths.length - 1; choice >= 0; choice--) {
    const failure = failureOf(
      text,
      nodes,
      paths.filter((_, index) => (choice & (1 << index)) !== 0),
    )
    if (failure === undefined) return
    failures.push(failure)
  }
  const [first] = failures
  if (first !== undefined) throw first
}

const failureOf = (
  text: string,
  nodes: readonly StructureNode[],
  shown: readonly Path[],
): BrokenMessages | undefined => {
  const variables: Record<string, unknown> = {}
  for (const path of shown) plant(variables, path)
  try {
    // Partials inside strings are empty here: they do not change what is around them.
    buildMessages(text, nodes, new Run({ variables, partial: () => undefined }))
    return undefined
  } catch (thrown) {
    if (thrown instanceof BrokenMessages) return thrown
    throw thrown
  }
}

/** Makes something of it that a section shows once. */
const plant = (variables: Record<string, unknown>, [first, ...rest]: Path): void => {
  if (first === undefined) return
  const known = Object.hasOwn(variables, first) ? variables[first] : undefined
  const inner: Record<string, unknown> | undefined =
    typeof known === 'object' && known !== null ? { ...known } : undefined
  if (rest.length === 0) {
    define(variables, first, inner ?? true)
    return
  }
  const deeper = inner ?? {}
  plant(deeper, rest)
  define(variables, first, deeper)
}

/** Also a name such as `__proto__`, which an assignment would not take for one of the object's own. */
const define = (variables: Record<string, unknown>, key: string, value: unknown): void => {
  Object.defineProperty(variables, key, { value, enumerable: true, configurable: true })
}

const namesOf = (nodes: readonly StructureNode[]): (readonly [text: string, path: Path])[] =>
  nodes.flatMap((node) =>
    node.kind === 'section' ? [[node.name.text, node.name.path] as const, ...namesOf(node.body)] : [],
  )

const hasPartial = (nodes: readonly StructureNode[]): boolean =>
  nodes.some((node) => node.kind === 'partial' || (node.kind === 'section' && hasPartial(node.body)))
