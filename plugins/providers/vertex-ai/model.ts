import { InvalidRequest } from '#kit'

/** Who made a model: that decides in which form it is asked. `endpoint`: one that the project deployed itself. */
export type Maker = 'google' | 'anthropic' | 'open' | 'endpoint'

export interface VertexModel {
  readonly maker: Maker
  /** Without its maker, but for open models, which go by both: `meta/llama-3.3-70b-instruct-maas`. */
  readonly name: string
}

/** `publishers/anthropic/models/claude-…`, `anthropic/claude-…` and `anthropic.claude-…` are the same. */
const WITH_MAKER = /^(?:publishers\/)?([a-z0-9-]+)(?:\/models\/|\/|\.)(.+)$/

/** Names that have a dot of their own: `gemini-2.5-flash`. */
const OF_GOOGLE = /^(?:gemini|gemma|imagen|veo|text-|textembedding|multimodalembedding)/

/** Reads the name of a model as clients write it. */
export const readModel = (model: string): VertexModel => {
  const bare = model.startsWith('models/') ? model.slice('models/'.length) : model
  if (bare.startsWith('claude')) return { maker: 'anthropic', name: bare }
  if (OF_GOOGLE.test(bare)) return { maker: 'google', name: bare }
  const [, maker = '', name = ''] = WITH_MAKER.exec(bare) ?? []
  if (name === '') return { maker: 'google', name: bare }
  if (maker === 'google' || maker === 'anthropic') return { maker, name }
  return maker === 'endpoints' ? { maker: 'endpoint', name } : { maker: 'open', name: `${maker}/${name}` }
}

export const nameOf = (model: string): string => readModel(model).name

/** A name as one segment of a path. @throws InvalidRequest for one that no model can have */
export const segmentOf = (name: string): string => {
  if (/^[A-Za-z0-9][A-Za-z0-9@._-]{0,127}$/.test(name)) return name
  throw new InvalidRequest('The model is no name of one at Vertex AI, such as `gemini-3.8-flash`.', { param: 'model' })
}
