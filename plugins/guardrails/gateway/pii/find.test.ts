import { describe, expect, test } from 'bun:test'
import { FOUND_BY_FORM } from './categories.ts'
import { piiFinder } from './find.ts'

const finder = piiFinder(FOUND_BY_FORM, ['US'])

const found = (text: string): string[] =>
  finder.find(text).map(({ start, end, category }) => `${category} ${text.slice(start, end)}`)

describe('card numbers', () => {
  test.each([
    // Test numbers of Stripe's documentation ("Testing", read 2026) and of the networks.
    '4111111111111111',
    '4242 4242 4242 4242',
    '5555-5555-5555-4444',
    '2223 0031 2200 3222',
    '378282246310005',
    '3782 822463 10005',
    '6011 1111 1111 1117',
    '3056 9300 0902 0004',
    '36227206271667',
    '3566002020360505',
    '6205500000000000004',
    '4222222222222',
    '4222 222 222 222',
    '4.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1',
    '41 11 11 11 11 11 11 11',
    '4111 - 1111 - 1111 - 1111',
    '4111_1111_1111_1111',
    '4111-1111 1111.1111',
    '４１１１　１１１１　１１１１　１１１１',
    '٤١١١ ١١١١ ١١١١ ١١١١',
    '4111\u00a01111\u202f1111\u20111111',
    '41\u200b11 11\u200d11 1\u00ad111 111\ufeff1',
    '𝟒𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏',
  ])('%s', (card) => {
    expect(found(`My card is ${card}, thanks`)).toEqual([`CREDIT_CARD ${card}`])
    expect(found(card)).toEqual([`CREDIT_CARD ${card}`])
  })

  test('are found beside other numbers, in JSON and in the midst of lines', () => {
    expect(found('12 4111 1111 1111 1111 2025')).toEqual(['CREDIT_CARD 4111 1111 1111 1111'])
    expect(found('order 77 4111111111111111 12/27')).toEqual(['CREDIT_CARD 4111111111111111'])
    expect(found('{"note":"line\\n4111111111111111"}')).toEqual(['CREDIT_CARD 4111111111111111'])
    expect(found('4111111111111111 5555555555554444')).toHaveLength(2)
    expect(
      found('2025 4111 1111 1111 1111 and 4111 1111 1111 1111 5555 5555 5555 4444 4111 1111 1111 1111'),
    ).toHaveLength(4)
  })

  test.each([
    '4111111111111112', // wrong check digit
    '1234567812345670', // right check digit, nobody's range
    '41111111111111111111', // 20 digits
    '0.4111111111111111', // a fraction
    'e4111111111111111f', // a hash
    '1700000000000 1700000000001',
    '4 8 15 16 23 42 108',
    '2019 2020 2021 2022 2023 2024',
    '6.2055000000000004', // a number with a point, which has 17 digits
    '4.1111111 1.1111111', // two of them
    '1000 2000 3000 4111 1111 1111 1111 4000 5000 6000', // a list of numbers
  ])('%s is none', (text) => {
    expect(found(`a ${text} b`).filter((hit) => hit.startsWith('CREDIT_CARD'))).toEqual([])
  })
})

describe('social security numbers', () => {
  test.each(['123-45-6789', '536 90 4399', '219.09.9999', '５３６－９０－４３９９'])('%s', (number) => {
    expect(found(`SSN: ${number}.`)).toEqual([`SSN ${number}`])
  })

  test('without dashes where the text calls them so', () => {
    expect(found('my SSN is 536904399')).toEqual(['SSN 536904399'])
    expect(found('social security number: 536904399')).toEqual(['SSN 536904399'])
    expect(found('invoice 536904399')).toEqual([])
  })

  test.each([
    '000-12-3456',
    '666-12-3456',
    '900-12-3456',
    '123-00-4567',
    '123-45-0000',
    '123-45-67890',
    '1-123-45-6789',
    'A123-45-6789',
    '123-45-6789-1',
    '123-45 6789',
  ])('%s is none', (text) => {
    expect(found(text)).toEqual([])
  })
})

describe('e-mail addresses', () => {
  test.each([
    'jane.doe@example.com',
    'jane+tag@mail.example.co.uk',
    'o_neil-99@sub-domain.example.museum',
    'müller@bücher.example',
    'почта@пример.рф',
    'a@xn--bcher-kva.example',
    'ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ',
    'ja\u200bne@exa\u00admple.com',
  ])('%s', (address) => {
    expect(found(`Write to ${address}.`)).toEqual([`EMAIL_ADDRESS ${address}`])
    expect(found(`<${address}>, "${address}"`)).toEqual([`EMAIL_ADDRESS ${address}`, `EMAIL_ADDRESS ${address}`])
  })

  test('stand apart from what is beside them', () => {
    expect(found('请联系user@example.com谢谢')).toEqual(['EMAIL_ADDRESS user@example.com'])
    expect(found('mailto:user@example.com?subject=x')).toEqual(['EMAIL_ADDRESS user@example.com'])
    expect(found("'user@example.com'...")).toEqual(['EMAIL_ADDRESS user@example.com'])
    expect(found('...user@example.com--')).toEqual(['EMAIL_ADDRESS user@example.com'])
  })

  test.each([
    '@user',
    'user@',
    'user@localhost',
    'pkg@1.2.3',
    'logo@2x.png',
    'a @ b.c',
    '@Component.name',
    'a@b..com',
    'a@-b.com',
    'x@y.z',
  ])('%s is none', (text) => {
    expect(found(text)).toEqual([])
  })
})

describe('addresses of machines', () => {
  test.each([
    '8.8.8.8',
    '192.168.1.20',
    '2001:db8::1',
    'fe80::1ff:fe23:4567:890a',
    '2001:0DB8:0:0:8:800:200C:417A',
    '::ffff:192.0.2.128',
    '2001:db8::',
  ])('%s', (address) => {
    expect(found(`from ${address}, at last`)).toEqual([`IP_ADDRESS ${address}`])
    expect(found(`http://[${address}]/`)).toEqual([`IP_ADDRESS ${address}`])
    expect(found(`It was ${address}.`)).toEqual([`IP_ADDRESS ${address}`])
  })

  test.each([
    '127.0.0.1',
    '0.0.0.0',
    '255.255.255.0',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    'v1.2.3.4',
    'Chrome/120.0.0.0',
    'version 1.2.3.4',
  ])('%s tells nothing', (text) => expect(found(`a ${text} b`)).toEqual([]))

  test.each([
    '::1',
    '::',
    'std::string',
    'fe::be',
    '12:30:45',
    '00:1A:2B:3C:4D:5E',
    '1:2:3:4:5:6:7:8:9',
    'a:b:c',
    '2001:db8::1::2',
    '12345::1',
  ])('%s is none of the new ones', (text) => expect(found(`a ${text} b`)).toEqual([]))
})

describe('bank accounts', () => {
  test.each([
    // Examples of the IBAN registry of SWIFT.
    'DE89370400440532013000',
    'DE89 3704 0044 0532 0130 00',
    'GB29 NWBK 6016 1331 9268 19',
    'FR14 2004 1010 0505 0001 3M02 606',
    'NO93 8601 1117 947',
    'MT84MALT011000012345MTLCAST001S',
    'gb29nwbk60161331926819',
    'NL91-ABNA-0417-1643-00',
  ])('%s', (iban) => {
    expect(found(`Pay to ${iban}, please`)).toEqual([`IBAN ${iban}`])
  })

  test.each([
    'DE89370400440532013001',
    'DE8937040044053201300',
    'DE893704004405320130001',
    'XX89370400440532013000',
    'is 12 apples were eaten today by them all',
  ])('%s is none', (text) => {
    expect(found(text)).toEqual([])
  })
})

describe('phone numbers', () => {
  test.each([
    '+1 415 555 2671',
    '+14155552671',
    '+49 30 901820',
    '+44 (0)20 7946 0958',
    '(212) 736-5000',
    '212-736-5000',
    '212.736.5000',
    '1-212-736-5000',
    '+4930901820',
    '＋４９ ３０ ９０１８２０',
  ])('%s', (number) => {
    expect(found(`reach me at ${number} or later`)).toEqual([`PHONE_NUMBER ${number}`])
  })

  test('digits alone where the text calls them so', () => {
    expect(found('call 2127365000 now')).toEqual(['PHONE_NUMBER 2127365000'])
    expect(found('order 2127365000 now')).toEqual([])
  })

  test('as people of a region write them', () => {
    const german = piiFinder(['PHONE_NUMBER'], ['DE'])
    expect(german.find('Ruf an: 030 901820!')).toEqual([{ start: 8, end: 18, category: 'PHONE_NUMBER' }])
    expect(found('Ruf an: 030 901820!')).toEqual([])
    expect(german.find('am 01.02.2024 um 10')).toEqual([])
  })

  test.each([
    '2024-01-15 10:20',
    '2024-01-15 10',
    '+1 2',
    '1,234,567',
    '555-1234',
    '3.14159265358979',
    'ISBN 978-3-16-148410-0',
    '12+34 5678901',
    'x$212-736-5000',
    '20 24 01 15 10',
    '212-736-5000-123-4567',
    '212.736.5000.12',
  ])('%s is none', (text) => {
    expect(found(`a ${text} b`)).toEqual([])
  })
})

test('only what is asked for is found', () => {
  const text = 'jane@example.com 4111111111111111 8.8.8.8'
  expect(piiFinder(['IP_ADDRESS'], ['US']).find(text)).toEqual([{ start: 34, end: 41, category: 'IP_ADDRESS' }])
  expect(piiFinder(['NAME'], ['US']).find(text)).toEqual([])
})

test('ordinary text holds nothing', () => {
  const prose = `In 1984, about 12,500 people (3.7%) moved from 221B Baker Street to 10 Downing Street; it cost £1,250.00.
    const x = items.filter((item) => item.id === 42).map(({ a: b }) => b ?? 0xdeadbeef) // see RFC 9110 §15.5.1
    sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709, uuid 123e4567-e89b-42d3-a456-426614174000, 2026-11-23T07:46:32.123Z
    [0.4532129833219908, -0.5167283940501928, 4.5e-10, 1e21], rgb(12, 34, 56), std::vector<int>, a::b, 10:30-11:45, 16:9`
  expect(found(prose)).toEqual([])
})
