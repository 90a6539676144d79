import { createWorld, type TestAnswer, type World } from '../../../test/conformance/management/world.ts'
import { defined } from '../../core/defined.ts'
import type { Store } from '../../store/types.ts'
import type { AnyRoute, Method } from '../route.ts'
import { promptPartialsRoutes } from './routes.ts'

export interface PartialsScene {
  readonly world: World
  /** Calls as the key of the organisation, or with another token. */
  send(method: Method, path: string, body?: unknown, token?: string): Promise<TestAnswer>
  /** Has the organisation make a partial, whose template is `Be brief.` unless said otherwise. */
  create(changes?: Readonly<Record<string, unknown>>): Promise<PartialReceipt>
}

export interface PartialReceipt {
  readonly id: string
  readonly slug: string
  readonly version_id: string
}

/** The routes of partials over a store with two organisations, and whatever routes are given besides. */
export const setPartialsScene = async (store: Store, more: readonly AnyRoute[] = []): Promise<PartialsScene> => {
  const randomId = (): string => crypto.randomUUID()
  const world = await createWorld(store, [...more, ...promptPartialsRoutes({ randomId })])
  const send: PartialsScene['send'] = (method, path, body, token = world.ours.admin) =>
    world.call(defined({ method, path, token, body }))
  return {
    world,
    send,
    async create(changes = {}) {
      const answer = await send('POST', '/prompts/partials', { name: 'A partial', string: 'Be brief.', ...changes })
      if (answer.status !== 200) throw new Error(`POST /prompts/partials answered ${answer.status}: ${answer.text}`)
      const { id, slug, version_id } = answer.body
      return { id: String(id), slug: String(slug), version_id: String(version_id) }
    },
  }
}
