/**
 * What clients and their guides send as a key where they must send some, without regard to case, to `sk-` in front and to
 * how the words are joined. docs/requests.md has the same list. Sources, read 2026-11-22: the examples of vLLM (`EMPTY`),
 * llama.cpp's server (`sk-no-key-required`), LM Studio (`lm-studio`), Ollama's OpenAI page (`ollama`), Cherry Studio's pull
 * request 13552 (`no-key-required`), Flocks' pull request 187 (`not-needed`), OptiLLM (`no_key`), and uses of the official
 * SDKs in public repositories for the rest.
 */
export const PLACEHOLDER_WORDS: readonly string[] = [
  'anything',
  'changeme',
  'dummy',
  'dummy-key',
  'empty',
  'fake',
  'fake-key',
  'ignored',
  'lm-studio',
  'local',
  'n/a',
  'na',
  'no-key',
  'no-key-needed',
  'no-key-required',
  'none',
  'not-needed',
  'not-required',
  'not-used',
  'null',
  'ollama',
  'placeholder',
  'undefined',
  'unused',
]

const WORDS: ReadonlySet<string> = new Set(PLACEHOLDER_WORDS.map((word) => word.replace(/[-/]/g, '')))

/** `OPENAI_API_KEY`, `your-api-key-here`, `YOUR_KEY`: the name of what should stand there. */
const NAME_OF_A_KEY =
  /^(?:(?:[a-z0-9]+[-_ ]){0,4}api[-_ ]?key|(?:your|my)[-_ ](?:[a-z0-9]+[-_ ]){0,3}(?:key|token))(?:[-_ ]here)?$/

/** `sk-xxxx`, `sk-...`, `****`: one character for a key. */
const ONE_CHARACTER = /^(?:x+|\.+|\*+|-+|0+|…)$/

/** No placeholder is longer. */
const MAX_CHARACTERS = 64

/** Whether a key is what a client sends that has none: nobody's account has such a key. */
export const isPlaceholder = (key: string): boolean => {
  if (key.length > MAX_CHARACTERS) return false
  const bare = key
    .trim()
    .toLowerCase()
    .replace(/^[<{[$"']+|[>}\]"']+$/g, '')
    .replace(/^sk-/, '')
  return bare === '' || WORDS.has(bare.replace(/[-_/ ]/g, '')) || NAME_OF_A_KEY.test(bare) || ONE_CHARACTER.test(bare)
}
