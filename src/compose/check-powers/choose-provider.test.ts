import { expect, test } from 'bun:test'
import { openaiCompatible } from '../../kit/index.ts'
import { chooseProvider } from './choose-provider.ts'

const provider = (id: string, endpoints: readonly ('chat' | 'moderations')[], apiKey?: string) =>
  openaiCompatible({
    id,
    baseURL: 'https://api.example.com/v1',
    endpoints: [...endpoints],
    ...(apiKey === undefined ? {} : { apiKey }),
  })

const world = (stored: Readonly<Record<string, string>>, running: readonly ReturnType<typeof provider>[]) => ({
  stored: {
    find: () => undefined,
    models: () => Object.entries(stored).map(([slug, providerId]) => ({ slug, providerId, models: [] })),
  },
  providers: { get: (id: string) => running.find((each) => each.id === id), list: () => running },
})
const acme = provider('acme', ['chat', 'moderations'])
const other = provider('other', ['chat'])

test('is the stored one, then the one of the operator with a key', () => {
  const keyed = provider('keyed', ['chat', 'moderations'], 'k')
  expect(
    chooseProvider(world({ mine: 'acme', chats: 'other', guard: 'aporia' }, [acme, other, keyed]), 'w', 'moderations'),
  ).toBe('@mine')
  expect(chooseProvider(world({ chats: 'other' }, [acme, other, keyed]), 'w', 'moderations')).toBe('keyed')
  expect(chooseProvider(world({ mine: 'acme' }, [acme, keyed]), undefined, 'moderations')).toBe('keyed')
})

test('none, and several, are said', () => {
  expect(() => chooseProvider(world({}, [acme, other]), 'w', 'moderations')).toThrow(
    'the workspace has no provider with moderations: store one, or name one in `provider`',
  )
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`p${index}`, 'acme']))
  expect(() => chooseProvider(world(many, [acme]), 'w', 'moderations')).toThrow("name one in `provider`: '@p0', ")
  expect(() => chooseProvider(world(many, [acme]), 'w', 'moderations')).toThrow(/'@p9', …$/)
})
