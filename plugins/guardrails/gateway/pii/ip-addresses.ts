import type { Hit } from '../text/hits.ts'
import { type DigitGroups, isWord } from './digit-groups.ts'

/** Characters of the longest hit: eight groups with an IPv4 address at the end. */
export const IP_REACH = 45

type IpHit = Hit<'IP_ADDRESS'>

/** Finds addresses of machines. Those that are every machine's own (127.0.0.1, ::1) or none's (0.0.0.0, ::) tell nothing. */
export const findIpAddresses = (groups: DigitGroups): IpHit[] => [...findV4(groups), ...findV6(groups.text)]

const findV4 = (groups: DigitGroups): IpHit[] => {
  const { text } = groups
  const hits: IpHit[] = []
  for (let group = 0; group + 3 < groups.count; group++) {
    if (!isPoint(groups, group) || !isPoint(groups, group + 1) || !isPoint(groups, group + 2)) continue
    const [start, end] = [groups.start(group), groups.end(group + 3)]
    if (!isV4(text.slice(start, end)) || isVersion(text, start) || goesOn(text, start, end)) continue
    hits.push({ start, end, category: 'IP_ADDRESS' })
    group += 3
  }
  return hits
}

const isPoint = ({ text, start, end }: DigitGroups, group: number): boolean =>
  start(group + 1) === end(group) + 1 && text[end(group)] === '.'

const isV4 = (address: string): boolean =>
  address.length <= 15 &&
  address.split('.').every((part) => Number(part) <= 255 && (part.length === 1 || !part.startsWith('0'))) &&
  !/^(?:0|127|255)\./.test(address)

/** `v1.2.3.4`, and `Chrome/120.0.0.0` as browsers call themselves. */
const isVersion = (text: string, start: number): boolean =>
  /[\w.]$|[A-Za-z]\/$|\bversion[ :]{1,2}$/i.test(text.slice(Math.max(0, start - 10), start))

const goesOn = (text: string, start: number, end: number): boolean =>
  (start > 0 && isWord(text, start - 1)) || isWord(text, end) || (text[end] === '.' && isWord(text, end + 1))

const findV6 = (text: string): IpHit[] => {
  const hits: IpHit[] = []
  for (let colon = text.indexOf(':'); colon !== -1; ) {
    let start = colon
    while (start > 0 && colon - start < 5 && isHex(text, start - 1)) start--
    let end = colon
    while (end < text.length && (isHex(text, end) || text[end] === ':' || text[end] === '.')) end++
    if (end - start <= IP_REACH + 1 && !(start > 0 && isWord(text, start - 1)) && !isWord(text, end)) {
      // What ends a sentence is no part of the address.
      const address = text
        .slice(start, end)
        .replace(/[.:]$/, (last) => (text[end - 2] === ':' && last === ':' ? last : ''))
      if (isV6(address)) hits.push({ start, end: start + address.length, category: 'IP_ADDRESS' })
    }
    colon = text.indexOf(':', Math.max(end, colon + 1))
  }
  return hits
}

const isHex = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index)
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102)
}

/** RFC 4291, section 2.2. One without a digit is taken for a name of C++ or Rust: `fe::be`. */
const isV6 = (address: string): boolean => {
  if (!/\d/.test(address) || /^[:0.]+1?$/.test(address)) return false
  const halves = address.split('::')
  if (halves.length > 2) return false
  let count = 0
  for (const [half, text] of halves.entries()) {
    const parts = text === '' ? [] : text.split(':')
    for (const [index, part] of parts.entries()) {
      const isLast = half === halves.length - 1 && index === parts.length - 1
      if (isLast && part.includes('.')) {
        if (
          part.split('.').length !== 4 ||
          !part.split('.').every((byte) => /^\d{1,3}$/.test(byte) && Number(byte) <= 255)
        )
          return false
        count += 2
      } else {
        if (!/^[\dA-Fa-f]{1,4}$/.test(part)) return false
        count++
      }
    }
  }
  return halves.length === 2 ? count < 8 : count === 8
}
