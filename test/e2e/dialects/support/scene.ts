import { startTestGateway, type TestGateway } from '../../../support/gateway.ts'
import { type DialectUpstream, startDialectUpstream } from './upstream.ts'

/** A provider of one form, as the tests ask it. */
export interface Maker {
  readonly id: string
  readonly model: string
  /** What it thinks can be read by its clients. */
  readonly shows: boolean
}

export const MAKERS: readonly Maker[] = [
  { id: 'openai', model: 'gpt-5.2', shows: false },
  { id: 'deepseek', model: 'deepseek-chat', shows: true },
  { id: 'anthropic', model: 'claude-sonnet-4-5', shows: true },
  { id: 'google', model: 'gemini-2.5-flash', shows: true },
  { id: 'bedrock', model: 'us.amazon.nova-2-lite-v1:0', shows: true },
]

/** Makers' models at clouds, for the official clients. */
export const AT_CLOUDS: readonly Maker[] = [
  { id: 'vertex-ai', model: 'gemini-2.5-flash', shows: true },
  { id: 'vertex-ai', model: 'claude-sonnet-4-5', shows: true },
  { id: 'azure-ai', model: 'claude-sonnet-4-5', shows: true },
]

export interface DialectScene {
  readonly upstream: DialectUpstream
  readonly gateway: TestGateway
  close(): Promise<void>
}

const KEY = 'sk-provider-key-0123456789abcdef'

/** A gateway whose providers say what the scene of a request says. */
export const openDialectScene = async (): Promise<DialectScene> => {
  const upstream = startDialectUpstream()
  const at = (id: string) => ({ [id]: { baseURL: `${upstream.url}/${id}`, apiKey: KEY } })
  const vertex = { ...at('vertex-ai')['vertex-ai'], projectId: 'project-1', region: 'us-central1' }
  const plugins = ['defaults', 'mock', ...MAKERS.map(({ id }) => at(id)), { 'vertex-ai': vertex }, at('azure-ai')]
  const gateway = await startTestGateway({ config: { plugins } })
  return {
    upstream,
    gateway,
    async close() {
      await gateway.close()
      await upstream.close()
    },
  }
}
