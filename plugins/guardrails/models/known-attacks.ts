/** An attack that a text shows by itself. */
interface KnownSign {
  readonly name: string
  readonly pattern: RegExp
}

interface KnownPhrase {
  readonly name: string
  readonly beginnings: readonly string[]
  /** Sticky: what follows a beginning. Repeats nothing without a bound, so that looking takes time in proportion to the text. */
  readonly rest: RegExp
}

const OVERRIDES = 'overrides_instructions'
const REVEALS = 'reveals_instructions'
const LEAVES = 'leaves_role'

/** Looked for in plain words: small letters without accents, a space before and behind each word, no signs, nothing invisible. */
const PHRASES: readonly KnownPhrase[] = [
  {
    name: OVERRIDES,
    beginnings: ['ignore', 'ignoring', 'disregard', 'disregarding', 'forget', 'override', 'overrule', 'bypass'],
    rest: / (?:\w{1,30} ){0,3}(?:previous|prior|above|earlier|preceding|foregoing|initial|original|your|system|developer)(?: \w{1,30}){0,3} (?:instructions?|prompts?|rules?|directions?|guidelines?|directives?|programming|restrictions?|commands?|safeguards?) /y,
  },
  {
    name: OVERRIDES,
    beginnings: ['ignorier', 'ignoriere', 'ignorieren', 'vergiss', 'missachte', 'uebergehe', 'ubergehe'],
    rest: / (?:\w{1,30} ){0,3}(?:vorherigen|bisherigen|vorigen|obigen|fruheren|ursprunglichen|deine|deiner|alle)(?: \w{1,30}){0,3} (?:anweisungen|instruktionen|regeln|vorgaben|befehle) /y,
  },
  {
    name: OVERRIDES,
    beginnings: ['ignore', 'ignorez', 'oublie', 'oubliez', 'neglige', 'negligez'],
    rest: / (?:\w{1,30} ){0,3}(?:instructions|consignes|regles|directives)(?: \w{1,30}){0,2} (?:precedentes|anterieures|initiales|ci dessus) /y,
  },
  {
    name: OVERRIDES,
    beginnings: ['ignora', 'ignore', 'olvida', 'olvide', 'descarta', 'descarte'],
    rest: / (?:\w{1,30} ){0,3}(?:instrucciones|reglas|ordenes|indicaciones)(?: \w{1,30}){0,2} (?:anteriores|previas|originales|iniciales) /y,
  },
  {
    name: REVEALS,
    beginnings: [
      ...['reveal', 'show', 'print', 'repeat', 'output', 'display', 'leak', 'tell me', 'give me', 'write down'],
      ...['whats', 'what is', 'what are', 'what was', 'what were'],
    ],
    rest: / (?:\w{1,30} ){0,3}your (?:\w{1,30} ){0,2}(?:system|initial|hidden|original|developer|secret|internal|full) (?:system )?(?:prompts?|instructions?|messages?|rules?|guidelines?|directives?) /y,
  },
  {
    name: LEAVES,
    beginnings: ['you are now', 'you are no longer'],
    rest: / (?:\w{1,30} ){0,3}(?:dan|jailbroken|unrestricted|unfiltered|uncensored|bound by|limited by|restricted) /y,
  },
  {
    name: LEAVES,
    beginnings: ['enable', 'enter', 'activate', 'switch to', 'turn on'],
    rest: / (?:\w{1,30} ){0,3}(?:developer|god|dan|jailbreak|unrestricted|unfiltered) mode /y,
  },
  {
    name: LEAVES,
    beginnings: ['pretend', 'imagine', 'act as if', 'behave as if', 'respond as if', 'answer as if'],
    rest: / (?:\w{1,30} ){0,3}(?:have|has|had|without|are not bound by|are free of) (?:\w{1,30} ){0,2}(?:restrictions?|rules|guidelines|limitations|filters|safeguards|content policy|content policies) /y,
  },
  { name: LEAVES, beginnings: ['do anything'], rest: / now /y },
]

/** Looked for in the text as it is. */
const SIGNS: readonly KnownSign[] = [
  {
    name: 'imitates_template',
    pattern:
      /<\|(?:im_start|im_end|im_sep|system|user|assistant|start_header_id|end_header_id|eot_id|endoftext|endofprompt)\|>|\[\/?INST\]|<<\/?SYS>>|<(?:start|end)_of_turn>/,
  },
  { name: 'hidden_text', pattern: /[\u{E0000}-\u{E007F}]/u },
  { name: 'hidden_text', pattern: /[\u200B-\u200D\u2060-\u2064\uFEFF\p{VS}]{8}/u },
  { name: 'reversed_text', pattern: /[\u202D\u202E]/ },
]

/** Names of the attacks that stand in one of the texts, each once. */
export const knownAttacks = (texts: readonly string[]): readonly string[] => {
  const found = new Set<string>()
  for (const text of texts) {
    const shown = withoutFlags(text)
    const plain = toPlainWords(text)
    for (const { name, pattern } of SIGNS) if (pattern.test(shown)) found.add(name)
    for (const phrase of PHRASES) if (!found.has(phrase.name) && stands(phrase, plain)) found.add(phrase.name)
  }
  return [...found]
}

const stands = ({ beginnings, rest }: KnownPhrase, plain: string): boolean =>
  beginnings.some((beginning) => {
    const word = ` ${beginning} `
    for (let at = plain.indexOf(word); at !== -1; at = plain.indexOf(word, at + 1)) {
      rest.lastIndex = at + word.length - 1
      if (rest.test(plain)) return true
    }
    return false
  })

/** The flags of England, Scotland and Wales are written with characters that are invisible elsewhere (Unicode UTS #51, annex C). */
const withoutFlags = (text: string): string => text.replace(/\u{1F3F4}[\u{E0020}-\u{E007E}]{1,8}\u{E007F}/gu, '')

const INVISIBLE = /[\p{M}\p{Cf}]+/gu
const toPlainWords = (text: string): string => {
  if (Buffer.byteLength(text) === text.length) return asciiWords(text)
  const small = text.normalize('NFKD').replace(INVISIBLE, '').toLowerCase()
  return ` ${small.replace(/['’]/g, '').replace(/[^\p{L}\p{N}]+/gu, ' ')} `
}

const SPACE = 0x20
const APOSTROPHE = 0x27

/** The same for a text of ASCII, of which most are: a pattern takes thirty times as long. */
const asciiWords = (text: string): string => {
  const words = Buffer.allocUnsafe(text.length + 2)
  words[0] = SPACE
  let length = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const small = code >= 0x41 && code <= 0x5a ? code + 0x20 : code
    const isWord = (small >= 0x61 && small <= 0x7a) || (small >= 0x30 && small <= 0x39)
    if (isWord) words[length++] = small
    else if (small !== APOSTROPHE && words[length - 1] !== SPACE) words[length++] = SPACE
  }
  words[length++] = SPACE
  return words.toString('latin1', 0, length)
}
