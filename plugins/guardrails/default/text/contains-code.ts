import { defineCheck, type PreparedCheck, t } from '#kit'
import { excerpt, someText } from '../shared/excerpt.ts'
import { fencesOf } from '../shared/fences.ts'
import { NOT, oneOf, shown, turned } from '../shared/parameters.ts'

const FORMATS = [
  'SQL',
  'Python',
  'TypeScript',
  'JavaScript',
  'Java',
  'C#',
  'C++',
  'C',
  'Ruby',
  'PHP',
  'Swift',
  'Kotlin',
  'Go',
  'Rust',
  'Scala',
  'R',
  'Perl',
  'Shell',
  'HTML',
  'CSS',
  'XML',
  'JSON',
  'YAML',
  'Markdown',
  'Dockerfile',
] as const

/** Words behind a fence that mean a format, besides its own name in lower case. */
const ALIASES: Readonly<Record<string, (typeof FORMATS)[number]>> = {
  py: 'Python',
  py3: 'Python',
  python3: 'Python',
  gyp: 'Python',
  ts: 'TypeScript',
  tsx: 'TypeScript',
  mts: 'TypeScript',
  js: 'JavaScript',
  jsx: 'JavaScript',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  cs: 'C#',
  csharp: 'C#',
  cpp: 'C++',
  cc: 'C++',
  cxx: 'C++',
  h: 'C',
  rb: 'Ruby',
  kt: 'Kotlin',
  kts: 'Kotlin',
  golang: 'Go',
  rs: 'Rust',
  pl: 'Perl',
  sh: 'Shell',
  bash: 'Shell',
  zsh: 'Shell',
  console: 'Shell',
  htm: 'HTML',
  jsonc: 'JSON',
  yml: 'YAML',
  md: 'Markdown',
  docker: 'Dockerfile',
  postgresql: 'SQL',
  mysql: 'SQL',
}

const BY_WORD: ReadonlyMap<string, string> = new Map([
  ...FORMATS.map((format) => [format.toLowerCase(), format] as const),
  ...Object.entries(ALIASES),
])

export const containsCode = defineCheck({
  id: 'default.containsCode',
  summary: 'Passes when a code block of a format stands in a text; with `not`, when there is none.',
  parameters: t.Object({
    format: oneOf(FORMATS, {
      description: 'The language behind the fence of the block, under any of its usual names.',
    }),
    not: NOT,
  }),
  stages: ['input', 'output'],
  prepare({ format, not }): PreparedCheck {
    return {
      run({ texts, kinds }) {
        const text = someText({ texts, kinds })
        const languages = texts.flatMap(fencesOf).flatMap(({ language }) => (language === '' ? [] : [language]))
        const formats = [...new Set(languages.map((language) => BY_WORD.get(language) ?? language))]
        const isThere = formats.includes(format)
        const verdict = turned(isThere, not)
        return {
          verdict,
          data: {
            verdict,
            not,
            searchedFormat: format,
            foundFormats: shown(formats),
            explanation: isThere ? `There is a code block in ${format}.` : `There is no code block in ${format}.`,
            textExcerpt: excerpt(text),
          },
        }
      },
    }
  },
})
