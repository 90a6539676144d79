import { beforeEach, describe, expect, test } from 'bun:test'
import { UpstreamUnreachable } from '../errors/gateway-error.ts'
import { createResolver, type Looking, type Resolver } from './resolver.ts'

let nowMs = 0
let asked: string[] = []
/** What the name service says next. */
let answer: (hostname: string) => Promise<readonly string[]> = async () => ['8.8.8.8']
const resolver = (timeoutMs = 5_000): Resolver =>
  createResolver({
    now: () => nowMs,
    timeoutMs,
    lookup: (hostname) => {
      asked.push(hostname)
      return answer(hostname)
    },
  })

beforeEach(() => {
  nowMs = 1_000
  asked = []
  answer = async () => ['8.8.8.8']
})

const find = async (names: Resolver, hostname: string, owner?: string): Promise<readonly string[]> => {
  const addresses = names.resolve(hostname, owner)
  return 'found' in addresses ? addresses.found : addresses
}
const looking = (names: Resolver, hostname: string, owner?: string): Looking => {
  const addresses = names.resolve(hostname, owner)
  if (!('found' in addresses)) throw new Error(`'${hostname}' is known`)
  return addresses
}
/** A name service that answers when it is told to. */
const heldBack = () => {
  const held = new Map<string, PromiseWithResolvers<readonly string[]>>()
  answer = (hostname) => {
    const { promise, ...rest } = Promise.withResolvers<readonly string[]>()
    held.set(hostname, { promise, ...rest })
    return promise
  }
  return (hostname: string): void => held.get(hostname)?.resolve(['8.8.8.8'])
}

describe('the resolver', () => {
  test('asks once for many callers', async () => {
    const { promise, resolve } = Promise.withResolvers<readonly string[]>()
    answer = () => promise
    const names = resolver()
    const answers = Promise.all([find(names, 'a.test'), find(names, 'a.test'), find(names, 'a.test')])
    resolve(['1.1.1.1', '2.2.2.2'])
    expect(new Set((await answers).map(String))).toEqual(new Set(['1.1.1.1,2.2.2.2']))
    expect(asked).toEqual(['a.test'])
  })

  test('keeps an answer for 30 s, and each name apart', async () => {
    const names = resolver()
    await find(names, 'a.test')
    answer = async () => ['9.9.9.9']
    nowMs += 29_999
    expect(names.resolve('a.test')).toEqual(['8.8.8.8'])
    expect(await find(names, 'b.test')).toEqual(['9.9.9.9'])
    expect(asked).toEqual(['a.test', 'b.test'])
  })

  test('then uses it while it asks again, so that no call waits', async () => {
    const names = resolver()
    await find(names, 'a.test')
    const tell = heldBack()
    nowMs += 30_000
    for (let calls = 0; calls < 3; calls++) expect(names.resolve('a.test')).toEqual(['8.8.8.8'])
    expect(asked).toEqual(['a.test', 'a.test'])
    tell('a.test')
    await Promise.resolve()
    nowMs += 29_999
    expect(names.resolve('a.test')).toEqual(['8.8.8.8'])
    expect(asked).toHaveLength(2)
  })

  test('lives on an old answer for five minutes while the name service fails, and asks every five seconds', async () => {
    const names = resolver()
    await find(names, 'a.test')
    answer = () => Promise.reject(new Error('EAI_AGAIN'))
    nowMs += 100_000
    for (let calls = 0; calls < 20; calls++) {
      expect(await find(names, 'a.test')).toEqual(['8.8.8.8'])
      nowMs += 1_000
    }
    expect(asked).toHaveLength(1 + 4)
    nowMs = 1_000 + 299_999
    expect(await find(names, 'a.test')).toEqual(['8.8.8.8'])
    nowMs += 1
    await expect(find(names, 'a.test')).rejects.toThrow(UpstreamUnreachable)
  })

  test('remembers for five seconds that a name is unknown', async () => {
    answer = () => Promise.reject(new Error('ENOTFOUND'))
    const names = resolver()
    await expect(find(names, 'a.test')).rejects.toThrow("'a.test'")
    answer = async () => ['8.8.8.8']
    nowMs += 4_999
    await expect(find(names, 'a.test')).rejects.toThrow("'a.test'")
    expect(asked).toHaveLength(1)
    nowMs += 1
    expect(await find(names, 'a.test')).toEqual(['8.8.8.8'])
  })

  test('a name without an address is unknown, and so is one that is too long', async () => {
    answer = async () => []
    await expect(find(resolver(), 'a.test')).rejects.toThrow(UpstreamUnreachable)
    await expect(find(resolver(), `${'a'.repeat(260)}.test`)).rejects.toThrow(UpstreamUnreachable)
    expect(asked).toEqual(['a.test'])
  })

  test('a name service that says nothing has a deadline', async () => {
    answer = () => new Promise(() => undefined)
    await expect(find(resolver(20), 'a.test')).rejects.toThrow(UpstreamUnreachable)
  })

  test('keeps no more than a thousand names', async () => {
    const names = resolver()
    for (let index = 0; index <= 1_000; index++) await find(names, `${index}.test`)
    asked = []
    await find(names, '1000.test')
    await find(names, '1.test')
    expect(asked).toEqual([])
    await find(names, '0.test')
    expect(asked).toEqual(['0.test'])
  })
})

describe('names that callers chose', () => {
  test('are asked for four at a time for a workspace, in turn, and hold up nobody else’s', async () => {
    const names = resolver()
    const tell = heldBack()
    const found = Array.from({ length: 10 }, (_, index) => find(names, `${index}.evil.test`, 'a'))
    const others = [find(names, 'known.test', 'b'), find(names, 'provider.test')]
    expect(asked).toEqual(['0.evil.test', '1.evil.test', '2.evil.test', '3.evil.test', 'known.test', 'provider.test'])
    tell('known.test')
    tell('provider.test')
    expect(await Promise.all(others)).toEqual([['8.8.8.8'], ['8.8.8.8']])
    for (let index = 0; index < 10; index++) {
      tell(`${index}.evil.test`)
      await found[index]
    }
    expect(asked).toHaveLength(12)
  })

  test('are asked for 64 at a time in all; the operator’s do not wait for them', async () => {
    const names = resolver()
    const tell = heldBack()
    const owners = Array.from({ length: 20 }, (_, owner) => owner)
    const found = owners.flatMap((owner) =>
      [0, 1, 2, 3].map((name) => find(names, `${name}.${owner}.test`, `${owner}`)),
    )
    expect(asked).toHaveLength(64)
    const ours = find(names, 'provider.test')
    tell('provider.test')
    await ours
    for (const owner of owners)
      for (const name of [0, 1, 2, 3]) {
        tell(`${name}.${owner}.test`)
        await found[owner * 4 + name]
      }
    expect(asked).toHaveLength(81)
  })

  test('are not asked for when the last call that waits has left', async () => {
    const names = resolver()
    const tell = heldBack()
    const running = Array.from({ length: 4 }, (_, index) => find(names, `${index}.test`, 'a'))
    const [first, second] = [looking(names, 'queued.test', 'a'), looking(names, 'queued.test', 'a')]
    const left = Promise.allSettled([first.found, second.found])
    first.leave()
    second.leave()
    expect((await left).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    for (let index = 0; index < 4; index++) tell(`${index}.test`)
    await Promise.all(running)
    expect(asked).not.toContain('queued.test')
    // It says nothing about the name.
    const again = find(names, 'queued.test', 'a')
    tell('queued.test')
    expect(await again).toEqual(['8.8.8.8'])
  })

  test('one call that leaves takes nothing from another that waits for the same name', async () => {
    const names = resolver()
    const tell = heldBack()
    const [first, second] = [looking(names, 'a.test', 'a'), looking(names, 'a.test', 'a')]
    const left = first.found.catch((thrown: unknown) => thrown)
    first.leave()
    expect(await left).toBeInstanceOf(Error)
    tell('a.test')
    expect(await second.found).toEqual(['8.8.8.8'])
  })

  test('wait no longer than the limit, also for their turn, and so many at most', async () => {
    const names = resolver(30)
    answer = () => new Promise(() => undefined)
    const found = Array.from({ length: 256 }, (_, index) => find(names, `${index}.test`, 'a'))
    await expect(find(names, 'more.test', 'a')).rejects.toThrow('Too many names')
    const outcomes = await Promise.allSettled(found)
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
    answer = async () => ['8.8.8.8']
    expect(await find(names, '255.test', 'a')).toEqual(['8.8.8.8'])
  })

  test('neither push the operator’s out of memory nor make them unknown', async () => {
    const names = resolver()
    await find(names, 'provider.test')
    for (let index = 0; index < 2_000; index++) await find(names, `${index}.test`, 'a')
    answer = () => Promise.reject(new Error('ENOTFOUND'))
    await expect(find(names, 'later.test', 'a')).rejects.toThrow()
    answer = async () => ['8.8.8.8']
    asked = []
    expect([await find(names, 'provider.test'), await find(names, 'later.test')]).toEqual([['8.8.8.8'], ['8.8.8.8']])
    expect(asked).toEqual(['later.test'])
  })
})
