import { readPattern } from '../pattern/pattern.ts'
import { PatternRefused } from '../pattern/translate.ts'

/** Tells whether a text has a format. Each takes time in proportion to the text. */
type Format = (text: string) => boolean

/** A text of a format whose pattern is short when it is right. */
const short =
  (pattern: RegExp, most: number): Format =>
  (text) =>
    text.length <= most && pattern.test(text)

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** RFC 3339, section 5.6. */
const isDate: Format = (text) => {
  const [, year, month, day] = (text.length === 10 && /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)) || []
  if (year === undefined) return false
  const isLeap = (Number(year) % 4 === 0 && Number(year) % 100 !== 0) || Number(year) % 400 === 0
  const days = month === '02' && isLeap ? 29 : (DAYS[Number(month) - 1] ?? 0)
  return Number(day) >= 1 && Number(day) <= days
}

/** A leap second is one at 23:59:60 UTC alone. */
const isTime: Format = (text) => {
  const [, hour, minute, second, sign, offsetHour = 0, offsetMinute = 0] =
    (text.length <= 100 && /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[zZ]|([+-])(\d{2}):(\d{2}))$/.exec(text)) || []
  if (hour === undefined) return false
  if (Number(hour) > 23 || Number(minute) > 59 || Number(offsetHour) > 23 || Number(offsetMinute) > 59) return false
  if (Number(second) < 60) return true
  const offset = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute))
  const minuteOfDay = Number(hour) * 60 + Number(minute) - offset
  return second === '60' && (minuteOfDay + 2 * 1_440) % 1_440 === 1_439
}

const isDateTime: Format = (text) =>
  /^[tT ]$/.test(text[10] ?? '') && isDate(text.slice(0, 10)) && isTime(text.slice(11))

const isDuration = short(
  /^P(?:\d+W|(?=[\dT])(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/,
  100,
)

const isHostname: Format = (text) =>
  text.length <= 253 &&
  text.split('.').every((label) => label.length <= 63 && /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/i.test(label))

const isIpv4 = short(/^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/, 15)

/** RFC 4291, section 2.2: eight groups, of which `::` stands for one or more; the last two may be an IPv4 address. */
const isIpv6: Format = (text) => {
  if (text.length > 45) return false
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1)
  const endsInIpv4 = last?.includes('.') === true && text.endsWith(last)
  if (endsInIpv4 && !isIpv4(last)) return false
  const plain = endsInIpv4 ? groups.slice(0, -1) : groups
  if (!plain.every((group) => /^[\da-f]{1,4}$/i.test(group))) return false
  const count = plain.length + (endsInIpv4 ? 2 : 0)
  return halves.length === 2 ? count < 8 : count === 8
}

/** RFC 5321, section 4.1.2. */
const isEmail: Format = (text) => {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || local.length > 64 || domain.length > 255) return false
  const isQuoted = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/.test(local)
  if (!isQuoted && !/^[\w.!#$%&'*+/=?^`{|}~-]+$/.test(local)) return false
  if (!isQuoted && (local.startsWith('.') || local.endsWith('.') || local.includes('..'))) return false
  const [, address] = /^\[(.*)\]$/.exec(domain) ?? []
  if (address === undefined) return isHostname(domain)
  return /^ipv6:/i.test(address) ? isIpv6(address.slice(5)) : isIpv4(address)
}

/** RFC 3986, of any length: addresses may hold a whole picture. Nothing here looks at a character more than once. */
const isReference: Format = (text) => {
  if (/[^\w.~:/?#[\]@!$&'()*+,;=%-]/.test(text) || /%(?![\da-fA-F]{2})/.test(text)) return false
  const [, scheme = '', rest = ''] = /^([^:/?#]*:)?([\s\S]*)$/.exec(text) ?? []
  if (scheme !== '' && !/^[a-z][a-z\d+.-]*:$/i.test(scheme)) return false
  const hash = rest.indexOf('#')
  const fragment = hash < 0 ? '' : rest.slice(hash + 1)
  const [, authority, path = ''] = /^(?:\/\/([^/?#]*))?([^#]*)/.exec(rest) ?? []
  return !/[#[\]]/.test(fragment) && !/[[\]]/.test(path) && (authority === undefined || isAuthority(authority))
}

const isAuthority: Format = (text) => {
  const at = text.lastIndexOf('@')
  const [user, place] = [at < 0 ? '' : text.slice(0, at), text.slice(at + 1)]
  const [, literal, plain = '', port = ''] = /^(?:\[([^[\]]*)\]|([^[\]:]*))(?::(.*))?$/.exec(place) ?? ['', '', '[']
  if (/[[\]@]/.test(user) || /\D/.test(port) || /[@[\]]/.test(plain)) return false
  return literal === undefined || isIpv6(literal) || /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(literal)
}

const isUri: Format = (text) => /^[a-z][a-z\d+.-]{0,99}:/i.test(text) && isReference(text)

/** RFC 6570, section 2. `\p{Cc}` are the control characters. */
const isTemplate = short(
  /^(?:[^\p{Cc} "'<>%\\^`{|}]|%[\da-f]{2}|\{[+#./;?&=,!@|]?(?:\w|%[\da-f]{2})+(?:\.(?:\w|%[\da-f]{2})+)*(?::[1-9]\d{0,3}|\*)?(?:,(?:\w|%[\da-f]{2})+(?:\.(?:\w|%[\da-f]{2})+)*(?::[1-9]\d{0,3}|\*)?)*\})*$/iu,
  2_000,
)

/** RFC 6901: each key begins with a slash. */
const isPointer: Format = (text) => (text === '' || text.startsWith('/')) && !/~(?![01])/.test(text)

const isRelativePointer: Format = (text) => {
  const [start = '', hash = ''] = /^(?:0|[1-9]\d{0,15})(#$)?/.exec(text) ?? []
  return start !== '' && (hash !== '' || isPointer(text.slice(start.length)))
}

/** One that is not searched for here, such as one with look-around, may be right elsewhere. */
const isPattern: Format = (text) => {
  try {
    return readPattern(text).fault() === undefined
  } catch (thrown) {
    if (!(thrown instanceof PatternRefused)) throw thrown
    return true
  }
}

/** Formats of draft 2020-12 that are checked; `url` and `json-pointer-uri-fragment` are of older drafts. */
export const FORMATS: Readonly<Record<string, Format>> = {
  date: isDate,
  time: isTime,
  'date-time': isDateTime,
  duration: isDuration,
  hostname: isHostname,
  email: isEmail,
  ipv4: isIpv4,
  ipv6: isIpv6,
  uri: isUri,
  url: (text) => /^(?:https?|ftp):\/\/[^/?#]/i.test(text) && isUri(text),
  'uri-reference': isReference,
  'uri-template': isTemplate,
  regex: isPattern,
  uuid: short(/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i, 36),
  'json-pointer': isPointer,
  'json-pointer-uri-fragment': (text) =>
    text.startsWith('#') && !/%(?![\da-fA-F]{2})/.test(text) && isPointer(text.slice(1)),
  'relative-json-pointer': isRelativePointer,
}
