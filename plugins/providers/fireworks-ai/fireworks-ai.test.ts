import { expect, test } from 'bun:test'
import { adaptRequest } from '#calls/adapt'
import { conform, conformExchanges, setUp } from '#kit/testing'
import fireworksAi from './index.ts'

conform(fireworksAi, new URL('./fixtures/', import.meta.url))
conformExchanges(fireworksAi, new URL('./exchanges/', import.meta.url))

const sent = async (model: string, account: string) => {
  const { providers } = await setUp(fireworksAi)
  const chat = providers[0]?.endpoints.chat
  if (chat === undefined) throw new Error('no chat')
  const context = {
    model,
    stream: false,
    strict: true,
    includeUsage: false,
    callId: 'call-1',
    created: 1,
    settings: { fireworks_account_id: account },
  }
  return adaptRequest(chat, { model, messages: [{ role: 'user', content: 'Hi' }] }, context).body?.model
}

test('a full name of a model stays, and no account can be another place', async () => {
  expect(await sent('accounts/fireworks/models/glm-4p7', 'acme')).toBe('accounts/fireworks/models/glm-4p7')
  expect(await sent('glm-4p7', '')).toBe('glm-4p7')
  expect(sent('glm-4p7', 'a/../b')).rejects.toThrow('letters, digits and hyphens')
})
