import { definePlugin, t } from '#kit'
import { contains } from './text/contains.ts'
import { containsCode } from './text/contains-code.ts'
import { characterCount, sentenceCount, wordCount } from './text/counts.ts'
import { endsWith } from './text/ends-with.ts'
import { allLowerCase, allUpperCase, isAllLowerCase } from './text/letter-case.ts'
import { notNull } from './text/not-null.ts'
import { regexMatch } from './text/regex-match.ts'
import { regexReplace } from './text/regex-replace.ts'

/** Checks that need no other service than the ones their parameters name. */
export default definePlugin({
  name: 'default-checks',
  config: t.Object({}),
  setup: () => ({
    checks: [
      regexMatch,
      regexReplace,
      contains,
      sentenceCount,
      wordCount,
      characterCount,
      endsWith,
      allUpperCase,
      isAllLowerCase,
      allLowerCase,
      containsCode,
      notNull,
    ],
  }),
})
