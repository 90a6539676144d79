import { describe, expect, test } from 'bun:test'
import { createTrustedHosts } from './trusted-hosts.ts'

describe('trusted hosts', () => {
  test.each<[string, string, number, string[], boolean]>([
    ['llm.internal', 'llm.internal', 80, ['10.0.0.1'], true],
    ['LLM.internal ', 'llm.internal', 8080, ['10.0.0.1'], true],
    ['llm.internal', 'not-llm.internal', 80, ['10.0.0.1'], false],
    ['llm.internal', 'llm.internal.attacker.test', 80, ['10.0.0.1'], false],
    ['llm.internal:8080', 'llm.internal', 8080, ['10.0.0.1'], true],
    ['llm.internal:8080', 'llm.internal', 80, ['10.0.0.1'], false],
    ['10.0.0.1', '10.0.0.1', 80, ['10.0.0.1'], true],
    ['10.0.0.1', 'name.test', 80, ['10.0.0.1'], true],
    ['10.0.0.1:8080', '10.0.0.1', 8080, ['10.0.0.1'], true],
    ['10.0.0.1:8080', '10.0.0.1', 8081, ['10.0.0.1'], false],
    // A name that resolves there is not what was trusted: the entry is for one host and port.
    ['10.0.0.1:8080', 'name.test', 8080, ['10.0.0.1'], false],
    ['10.0.0.0/8', 'name.test', 80, ['10.1.1.1', '10.2.2.2'], true],
    ['10.0.0.0/8', 'name.test', 80, ['10.1.1.1', '11.2.2.2'], false],
    ['10.0.0.0/8', 'name.test', 80, [], false],
    ['10.0.0.0/8', 'name.test', 80, ['nonsense'], false],
    ['fd00::/8', 'name.test', 80, ['fd12::1'], true],
    ['::1', '::1', 80, ['::1'], true],
    ['[::1]', '[::1]', 80, ['::1'], true],
    ['[::1]:8080', '::1', 8080, ['::1'], true],
    ['[::1]:8080', '[::1]', 8080, ['::1'], true],
    ['[::1]:8080', '::1', 80, ['::1'], false],
  ])('%p for %s:%d at %j: %p', (entry, hostname, port, addresses, trusted) => {
    expect(createTrustedHosts([entry]).trusts(hostname, port, addresses)).toBe(trusted)
  })

  test('trust nothing unasked, and ignore empty entries', () => {
    const trusted = createTrustedHosts(['', '  '])
    expect(trusted.trusts('localhost', 80, ['127.0.0.1'])).toBe(false)
    expect(trusted.trusts('', 80, [])).toBe(false)
  })

  test('an address with a port does not also trust the address that it looks like', () => {
    // `::1:8080` without brackets is an IPv6 address of its own.
    const trusted = createTrustedHosts(['::1:8080'])
    expect(trusted.trusts('::1', 8080, ['::1'])).toBe(false)
    expect(trusted.trusts('::1:8080', 80, ['::1:8080'])).toBe(true)
  })

  test('take a further host later', () => {
    const trusted = createTrustedHosts([])
    trusted.add('127.0.0.1:4000')
    expect(trusted.trusts('127.0.0.1', 4000, ['127.0.0.1'])).toBe(true)
    expect(trusted.trusts('127.0.0.1', 4001, ['127.0.0.1'])).toBe(false)
  })

  test.each([
    'http://host',
    'host/path',
    'host:99999',
    'host:',
    'a b',
    'host:80:80',
    '10.0.0.0/40',
    '[::1',
    'user@host',
    '*',
  ])('%p is refused by name', (entry) => expect(() => createTrustedHosts([entry])).toThrow(entry))
})
