/** A method and a path that something is served at. */
export interface Place {
  /** `ALL`: any. */
  readonly method: string
  /** Whole: `:name` stands for a segment, `*` at the end for any rest. */
  readonly path: string
}

interface Node<P> {
  readonly named: Map<string, Node<P>>
  parameter: Node<P> | undefined
  readonly here: P[]
  readonly below: P[]
}

const createNode = <P>(): Node<P> => ({ named: new Map(), parameter: undefined, here: [], below: [] })

/** Places by the segments of their paths, so that looking one up takes as long as its path, however many there are. */
export class PathIndex<P extends Place> {
  readonly #root = createNode<P>()

  /** @returns the place that is there already under the same name: the new one is left out then */
  add(place: P): P | undefined {
    const segments = place.path.split('/')
    const isOpen = segments.at(-1) === '*'
    let node = this.#root
    for (const segment of isOpen ? segments.slice(0, -1) : segments) node = next(node, segment)
    const places = isOpen ? node.below : node.here
    const other = places.find(({ method }) => method === place.method)
    if (other === undefined) places.push(place)
    return other
  }

  /** All whose path fits, whatever their method. */
  at(path: string): readonly P[] {
    const found: P[] = []
    collect(this.#root, path.split('/'), 0, found)
    return found
  }
}

const next = <P>(node: Node<P>, segment: string): Node<P> => {
  if (segment.startsWith(':')) {
    node.parameter ??= createNode()
    return node.parameter
  }
  const known = node.named.get(segment) ?? createNode<P>()
  node.named.set(segment, known)
  return known
}

const collect = <P>(node: Node<P>, segments: readonly string[], index: number, found: P[]): void => {
  const segment = segments[index]
  if (segment === undefined) {
    found.push(...node.here)
    return
  }
  const named = node.named.get(segment)
  if (named !== undefined) collect(named, segments, index + 1, found)
  if (node.parameter !== undefined && segment !== '') collect(node.parameter, segments, index + 1, found)
  found.push(...node.below)
}
