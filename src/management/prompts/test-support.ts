import { createWorld, type TestAnswer, type World } from '../../../test/conformance/management/world.ts'
import { defined } from '../../core/defined.ts'
import { integrationRows } from '../../store/objects/integrations.ts'
import { providerRows } from '../../store/objects/providers.ts'
import type { Store } from '../../store/types.ts'
import { auditLogsRoutes } from '../audit-logs/routes.ts'
import { collectionsRoutes } from '../collections/routes.ts'
import { labelsRoutes } from '../labels/routes.ts'
import type { Method } from '../route.ts'
import { promptsRoutes } from './routes.ts'

/** A template of one message. */
export const CHAT = JSON.stringify([{ role: 'user', content: 'Tell {{name}} about {{topic}}.' }])

export interface Receipt {
  readonly id: string
  readonly slug: string
  readonly version_id: string
}

export interface PromptsScene {
  readonly world: World
  /** A stored provider of the default workspace. */
  readonly provider: { readonly id: string; readonly slug: string }
  /** Calls as the key of the organisation, or with another token. */
  send(method: Method, path: string, body?: unknown, token?: string): Promise<TestAnswer>
  /** Has the organisation make a prompt. */
  create(changes?: Readonly<Record<string, unknown>>): Promise<Receipt>
}

/** The routes of prompts, labels, collections and the audit log over a store with two organisations. */
export const setPromptsScene = async (store: Store): Promise<PromptsScene> => {
  const randomId = (): string => crypto.randomUUID()
  const world = await createWorld(store, [
    ...promptsRoutes({ randomId }),
    ...labelsRoutes(),
    ...collectionsRoutes({ randomId }),
    ...auditLogsRoutes(),
  ])
  const { organisationId, first } = world.ours
  const owner = { organisationId, workspaceId: first.id, name: 'OpenAI' }
  const integration = await integrationRows.insert(store.db, {
    ...owner,
    slug: 'openai-of-ours',
    aiProviderId: 'openai',
  })
  const provider = await providerRows.insert(store.db, { ...owner, integrationId: integration.id, slug: 'team-openai' })
  const send: PromptsScene['send'] = (method, path, body, token = world.ours.admin) =>
    world.call(defined({ method, path, token, body }))
  return {
    world,
    provider,
    send,
    async create(changes = {}) {
      const answer = await send('POST', '/prompts', { name: 'A prompt', string: CHAT, parameters: {}, ...changes })
      if (answer.status !== 200) throw new Error(`POST /prompts answered ${answer.status}: ${answer.text}`)
      const { id, slug, version_id } = answer.body
      return { id: String(id), slug: String(slug), version_id: String(version_id) }
    },
  }
}
