import { afterAll, beforeAll, beforeEach } from 'bun:test'
import { type Arrived, usualAnswer } from './provider.ts'
import { type Reply, type Scene, startScene } from './scene.ts'

export const MESSAGES = [{ role: 'user', content: 'Hello' }]
export const CHAT = { model: 'model-1', messages: MESSAGES }

/** A gateway of this file's tests, which is sent chats with a config in their body. */
export interface Chatting {
  readonly scene: Scene
  chat(config: unknown, params?: unknown, more?: Parameters<Scene['send']>[1]): Promise<Reply>
  /** Fails these providers with a status, and lets the others answer. */
  failing(statuses: Readonly<Record<string, number>>): void
  /** Providers in the order in which they were asked. */
  asked(): readonly string[]
}

/** Starts one for the tests of a file; every test begins with providers that answer and were not asked yet. */
export const startChatting = (): Chatting => {
  let scene: Scene | undefined
  beforeAll(async () => {
    scene = await startScene()
  })
  afterAll(() => scene?.close())
  beforeEach(() => {
    const { providers } = chatting.scene
    providers.answer = usualAnswer
    providers.arrived.length = 0
  })
  const chatting: Chatting = {
    get scene() {
      if (scene === undefined) throw new Error('the scene has not been started')
      return scene
    },
    chat: (config, params = CHAT, more = {}) =>
      chatting.scene.send('/v1/chatComplete', { ...more, body: { config, params } }),
    failing(statuses) {
      chatting.scene.providers.answer = (arrived) => {
        const status = statuses[arrived.provider]
        if (status === undefined) return usualAnswer(arrived)
        return Response.json({ error: { message: `${arrived.provider} says no`, type: 'server_error' } }, { status })
      }
    },
    asked: () => chatting.scene.providers.arrived.map(({ provider }) => provider),
  }
  return chatting
}

export const keyOf = ({ headers }: Arrived): string | null => headers.get('authorization')
