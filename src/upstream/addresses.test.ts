import { describe, expect, test } from 'bun:test'
import { AddressBlocks, isAddress, isPublicAddress } from './addresses.ts'

describe('isPublicAddress', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '93.184.215.14',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '168.63.129.15',
    '2606:4700::1111',
    '2001:4860:4860::8888',
    '2003::1',
    '2a00:1450:4001::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('%s is', (address) => expect(isPublicAddress(address)).toBe(true))

  test.each([
    '0.0.0.0',
    '0.255.255.255',
    '10.0.0.0',
    '10.255.255.255',
    '100.64.0.0',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.0.0',
    '169.254.169.254',
    '172.16.0.0',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.255.255',
    '198.18.0.0',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '2001::1',
    '2001:1ff::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '4000::1',
    '100::1',
  ])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false))

  test.each([
    '',
    'localhost',
    '127.1',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.4 ',
    '1.2.3.-4',
    '0x1.2.3.4',
    ':',
    ':::',
    '1::2::3',
    '12345::',
    'g::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '::1%lo',
    '[::1]',
    '::1.2.3',
    '::1.2.3.4.5',
  ])('%p is not an address at all', (text) => {
    expect(isAddress(text)).toBe(false)
    expect(isPublicAddress(text)).toBe(false)
  })
})

describe('blocks of addresses', () => {
  const holds = (block: string, address: string): boolean => {
    const blocks = new AddressBlocks()
    if (!blocks.add(block)) throw new Error('not readable')
    return blocks.has(address)
  }

  test('know one address however it is shortened', () => {
    for (const same of ['2001:db8::1', '2001:0db8:0:0:0:0:0:1', '2001:DB8:0::0:1', '2001:db8::0.0.0.1']) {
      expect(isAddress(same)).toBe(true)
      expect(holds(same, '2001:db8::1')).toBe(true)
      expect(holds('2001:db8::1', same)).toBe(true)
    }
  })

  test.each([
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.1.2.3/8', '10.9.9.9', true],
    ['10.0.0.1', '10.0.0.1', true],
    ['10.0.0.1', '10.0.0.2', false],
    ['10.0.0.0/31', '10.0.0.1', true],
    ['10.0.0.0/31', '10.0.0.2', false],
    ['0.0.0.0/0', '255.255.255.255', true],
    ['0.0.0.0/0', '::1', false],
    ['::/0', '10.0.0.1', false],
    ['fd00::/8', 'fdff::1', true],
    ['fd00::/8', 'fe00::1', false],
    ['::1/128', '::1', true],
    ['::1', '::2', false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', false],
    ['::ffff:10.0.0.0/104', '10.0.0.1', false],
    ['0.0.0.0/0', '10.1', false],
    ['::/0', '::1%lo', false],
  ])('%s holds %s: %p', (block, address, held) => expect(holds(block, address)).toBe(held))

  test.each([
    '',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/x',
    'host/8',
    '10.0.0/8',
    '::1%lo/128',
    '10.0.0.0/8\n',
  ])('%p is refused', (text) => expect(new AddressBlocks().add(text)).toBe(false))
})
