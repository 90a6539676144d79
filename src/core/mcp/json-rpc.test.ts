import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { NotMessages, readMessages, toBytes } from './json-rpc.ts'

const id = fc.oneof(fc.string({ maxLength: 20 }), fc.integer())
const params = fc
  .dictionary(fc.string({ minLength: 1, maxLength: 8 }).filter(isPlain), fc.jsonValue({ maxDepth: 2 }))
  // As it can be written: there is no -0.
  .map((value): typeof value => JSON.parse(JSON.stringify(value)))
const message = fc.oneof(
  fc.record({ jsonrpc: fc.constant('2.0'), id, method: fc.string(), params }),
  fc.record({ jsonrpc: fc.constant('2.0'), method: fc.string(), params }),
  fc.record({ jsonrpc: fc.constant('2.0'), id, result: params }),
)

/** Whether each request of a batch has an id of its own: others are refused. */
function hasOwnIds(messages: readonly object[]): boolean {
  const ids = messages.flatMap((each) => ('method' in each && 'id' in each ? [each.id] : []))
  return new Set(ids).size === ids.length
}

/** A name that a reader which ignores case could not take for one of ours. */
function isPlain(name: string): boolean {
  return /^[xyz]/.test(name) && name !== '__proto__'
}

describe('messages', () => {
  test('are read as they were written, alone or in a batch', () => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 8 }).filter(hasOwnIds), (messages) => {
        expect(readMessages(toBytes(messages)).map(({ fields }) => fields)).toEqual(messages)
        expect(readMessages(toBytes(messages[0]))[0]?.fields).toEqual(messages[0] as never)
      }),
    )
  })

  test('bytes that are none are told so, and break nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.json().map(toText)), (bytes) => {
        try {
          for (const { kind } of readMessages(bytes)) expect(['request', 'notification', 'answer']).toContain(kind)
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(NotMessages)
        }
      }),
    )
  })

  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"a","Method":"b"}', -32700],
    ['{"jsonrpc":"2.0","id":1,"method":"a","params":{"name":"a","Name":"b"}}', -32700],
    ['{"jsonrpc":"1.0","id":1,"method":"a"}', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"a"}', -32600],
    ['{"jsonrpc":"2.0","id":1}', -32600],
    [JSON.stringify(Array.from({ length: 51 }, () => ({ jsonrpc: '2.0', method: 'a' }))), -32600],
  ])('%s is refused', (text, code) => {
    const read = (): unknown => readMessages(toText(text))
    expect(read).toThrow(NotMessages)
    try {
      read()
    } catch (thrown) {
      expect((thrown as NotMessages).code).toBe(code)
    }
  })
})

function toText(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
