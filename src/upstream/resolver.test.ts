import { beforeEach, describe, expect, test } from 'bun:test'
import { UpstreamUnreachable } from '../errors/gateway-error.ts'
import { createResolver } from './resolver.ts'

let nowMs = 0
let asked: string[] = []
/** What the name service says next. */
let answer: () => Promise<readonly string[]> = async () => ['8.8.8.8']
const resolver = (timeoutMs = 5_000) =>
  createResolver({
    now: () => nowMs,
    timeoutMs,
    lookup: (hostname) => {
      asked.push(hostname)
      return answer()
    },
  })

beforeEach(() => {
  nowMs = 1_000
  asked = []
  answer = async () => ['8.8.8.8']
})

describe('the resolver', () => {
  test('asks once for many callers', async () => {
    const { promise, resolve } = Promise.withResolvers<readonly string[]>()
    answer = () => promise
    const names = resolver()
    const answers = Promise.all([names.resolve('a.test'), names.resolve('a.test'), names.resolve('a.test')])
    resolve(['1.1.1.1', '2.2.2.2'])
    expect(new Set((await answers).map(String))).toEqual(new Set(['1.1.1.1,2.2.2.2']))
    expect(asked).toEqual(['a.test'])
  })

  test('keeps an answer for 30 s, and each name apart', async () => {
    const names = resolver()
    await names.resolve('a.test')
    answer = async () => ['9.9.9.9']
    nowMs += 29_999
    expect(await names.resolve('a.test')).toEqual(['8.8.8.8'])
    expect(await names.resolve('b.test')).toEqual(['9.9.9.9'])
    nowMs += 1
    expect(await names.resolve('a.test')).toEqual(['9.9.9.9'])
    expect(asked).toEqual(['a.test', 'b.test', 'a.test'])
  })

  test('lives on an old answer for five minutes while the name service fails', async () => {
    const names = resolver()
    await names.resolve('a.test')
    answer = () => Promise.reject(new Error('EAI_AGAIN'))
    nowMs += 299_999
    expect(await names.resolve('a.test')).toEqual(['8.8.8.8'])
    nowMs += 1
    await expect(names.resolve('a.test')).rejects.toThrow(UpstreamUnreachable)
  })

  test('a failure is not remembered', async () => {
    answer = () => Promise.reject(new Error('ENOTFOUND'))
    const names = resolver()
    await expect(names.resolve('a.test')).rejects.toThrow("'a.test'")
    answer = async () => ['8.8.8.8']
    expect(await names.resolve('a.test')).toEqual(['8.8.8.8'])
  })

  test('a name without an address is unknown', async () => {
    answer = async () => []
    await expect(resolver().resolve('a.test')).rejects.toThrow(UpstreamUnreachable)
  })

  test('a name service that says nothing has a deadline', async () => {
    answer = () => new Promise(() => undefined)
    await expect(resolver(20).resolve('a.test')).rejects.toThrow(UpstreamUnreachable)
  })

  test('keeps no more than a thousand names', async () => {
    const names = resolver()
    for (let index = 0; index <= 1_000; index++) await names.resolve(`${index}.test`)
    asked = []
    await names.resolve('1000.test')
    await names.resolve('1.test')
    expect(asked).toEqual([])
    await names.resolve('0.test')
    expect(asked).toEqual(['0.test'])
  })
})
