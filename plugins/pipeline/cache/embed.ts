import { adaptRequest } from '#calls/adapt'
import { withoutLogin } from '#calls/config/settings'
import { vectorAdapterOf } from '#calls/vector-adapter'
import { trimSlashes } from '#core/trim-slashes'
import { type Call, collect, defined, type Host, isRecord, type Provider, UnknownProvider, UpstreamInvalid } from '#kit'
import { principal } from '#kit/slots'
import { parsed } from './entry.ts'

/** What making a vector takes of the host. */
export type EmbeddingsHost = Pick<Host, 'clock' | 'deadlines' | 'providers' | 'stored' | 'upstream'>

export interface EmbeddingsSettings {
  /** Id of a provider, or `@slug` of one that the workspace of the call has stored. */
  readonly provider: string
  readonly model: string
  readonly dimensions?: number
}

/** Makes the vector of a text. @throws a catalogue error */
export type Embed = (call: Call, text: string) => Promise<readonly number[]>

/** Milliseconds an embedding may take: the call waits for it. */
const TIMEOUT_MS = 2_000
const MAX_REPLY_BYTES = 1024 * 1024
/** The most that pgvector keeps in a column of its type, and far more than any model makes. */
const MAX_DIMENSIONS = 16_000

export const createEmbedder =
  ({ provider: name, model, dimensions }: EmbeddingsSettings, host: EmbeddingsHost): Embed =>
  async (call, text) => {
    const place = await placeOf(call, name, model, host)
    const { provider, settings, apiKey, isStored } = place
    const adapter = vectorAdapterOf(provider, model)
    if (adapter === undefined) throw new UnknownProvider(`The provider '${provider.id}' makes no embeddings.`)
    const context = {
      model,
      stream: false,
      strict: true,
      includeUsage: false,
      callId: call.id,
      created: Math.floor(host.clock.now() / 1000),
      settings,
    }
    const request = defined({ model, input: text, dimensions })
    const adapted = adaptRequest(adapter, request, context)
    const url = `${trimSlashes(place.baseURL)}${adapted.path}`
    const body = adapted.body === undefined ? undefined : JSON.stringify(adapted.body)
    const headers = new Headers({
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'weir',
    })
    for (const [header, value] of Object.entries(place.headers)) headers.set(header, value)
    const { method } = adapter
    await provider.authorize(headers, { apiKey, settings, isStored }, { method, url, body, isStreamed: false })
    const response = await host.upstream.send({
      method,
      url,
      hostOwner: name.startsWith('@') ? call.get(principal).workspaceId : undefined,
      headers,
      signal: AbortSignal.any([call.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      deadlines: host.deadlines,
      body,
    })
    const reply = parsed(await collect(response.body, MAX_REPLY_BYTES))
    if (response.status !== 200 || reply === undefined) {
      throw new UpstreamInvalid(`The provider of embeddings answered with status ${response.status}.`)
    }
    return vectorOf(adapter.reply?.(reply, context, request).reply ?? reply)
  }

interface EmbeddingsPlace {
  readonly provider: Provider
  readonly baseURL: string
  readonly apiKey: string
  readonly isStored?: true
  readonly settings: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

const placeOf = async (call: Call, name: string, model: string, host: EmbeddingsHost): Promise<EmbeddingsPlace> => {
  const { workspaceId } = call.get(principal)
  if (!name.startsWith('@')) return runningPlace(name, host)
  const stored = workspaceId === undefined ? undefined : await host.stored.find(workspaceId, name.slice(1))
  if (stored === undefined) throw new UnknownProvider(`There is no stored provider '${name}' in this workspace.`)
  const provider = running(stored.providerId, host)
  const { settings, headers, customHost, withoutKey } = stored.forModel(model)
  return {
    provider,
    settings: withoutKey === true ? withoutLogin(settings, provider) : settings,
    headers,
    apiKey: withoutKey === true ? '' : stored.apiKey,
    isStored: true,
    baseURL: customHost ?? baseURLOf(provider, settings),
  }
}

const runningPlace = (id: string, host: EmbeddingsHost): EmbeddingsPlace => {
  const provider = running(id, host)
  const settings = provider.defaultSettings ?? {}
  return { provider, settings, headers: {}, apiKey: provider.apiKey ?? '', baseURL: baseURLOf(provider, settings) }
}

const running = (id: string, { providers }: Pick<Host, 'providers'>): Provider => {
  const provider = providers.get(id)
  if (provider === undefined) throw new UnknownProvider(`The provider of embeddings, '${id}', does not run.`)
  return provider
}

const baseURLOf = ({ baseURL }: Provider, settings: Readonly<Record<string, string>>): string =>
  typeof baseURL === 'string' ? baseURL : baseURL(settings)

const vectorOf = (reply: unknown): readonly number[] => {
  const [first]: unknown[] = isRecord(reply) && Array.isArray(reply.data) ? reply.data : []
  const vector = isRecord(first) ? first.embedding : undefined
  const isVector = Array.isArray(vector) && vector.length > 0 && vector.length <= MAX_DIMENSIONS
  // As numbers of four bytes, which is how they are kept.
  if (isVector && vector.every((value) => typeof value === 'number' && Number.isFinite(Math.fround(value))))
    return vector
  throw new UpstreamInvalid('The provider of embeddings did not answer with a vector.')
}
