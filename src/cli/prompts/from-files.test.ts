import { describe, expect, test } from 'bun:test'
import { FilesRefused, type Problem } from './folder.ts'
import { fromFiles } from './from-files.ts'

const CHAT = '[\n  { "role": "user", "content": "Hi {{name}}" }\n]\n'

/** A prompt that is right, with changes. Undefined takes a file away. */
const problemsOf = (changes: Readonly<Record<string, string | undefined>>): readonly Problem[] => {
  const files = new Map<string, string>()
  const base = {
    'prompts/pp-a/prompt.json': '{"name":"A"}',
    'prompts/pp-a/template.json': CHAT,
    'partials/pl-a.json': '{"name":"A"}',
    'partials/pl-a.txt': 'x\n',
  }
  for (const [path, text] of Object.entries({ ...base, ...changes })) if (text !== undefined) files.set(path, text)
  try {
    fromFiles({ files, folders: new Set(['prompts', 'partials']) })
    return []
  } catch (thrown) {
    if (!(thrown instanceof FilesRefused)) throw thrown
    return thrown.problems
  }
}

test('a name and a template are enough', () => {
  const files = new Map([
    ['prompts/pp-a/prompt.json', '{"name":"A","virtual_key":"@main","parameters":{"stream":true,"top_p":1}}'],
    ['prompts/pp-a/template.txt', 'Hi {{name}}\n'],
  ])
  expect(fromFiles({ files, folders: new Set(['prompts']) })).toEqual({
    prompts: [
      {
        slug: 'pp-a',
        name: 'A',
        newest: {
          isPublished: true,
          labels: [],
          content: {
            template: 'Hi {{name}}',
            parameters: { top_p: 1 },
            virtualKey: 'main',
            model: null,
            functions: null,
            tools: null,
            toolChoice: null,
            templateMetadata: null,
            isRawTemplate: false,
            variablesSchema: null,
            strict: false,
            description: null,
          },
        },
        kept: [],
      },
    ],
  })
})

test('an older version may be the published one', () => {
  const older = { 'prompts/pp-a/published.json': '{"published":true}', 'prompts/pp-a/published.template.txt': 'Old\n' }
  expect(problemsOf(older)).toEqual([])
  expect(
    problemsOf({ 'partials/pl-a.published.json': '{"published":true}', 'partials/pl-a.published.txt': 'y' }),
  ).toEqual([])
})

const SETTINGS = 'prompts/pp-a/prompt.json'
const OLDER = 'prompts/pp-a/label-x.json'
const OLDER_TEMPLATE = { 'prompts/pp-a/label-x.template.txt': 'Old' }

const refused: readonly (readonly [string, Readonly<Record<string, string | undefined>>, string, string])[] = [
  ['no settings', { [SETTINGS]: undefined }, SETTINGS, 'is missing'],
  ['settings that are no JSON', { [SETTINGS]: '{"name": }' }, SETTINGS, 'is not JSON'],
  [
    'a schema of variables that cannot be used',
    { [SETTINGS]: '{"name":"A","variables_schema":{"properties":{"x":{"pattern":"(?=a)"}}}}' },
    SETTINGS,
    '`variables_schema.properties.x.pattern` cannot be used: look-around cannot be searched for',
  ],
  [
    'settings behind a byte order mark',
    { [SETTINGS]: '\ufeff{"name":"A"}' },
    SETTINGS,
    'begins with a byte order mark',
  ],
  ['settings that are no object', { [SETTINGS]: '[]' }, SETTINGS, 'expected object'],
  [
    'a key with a typo',
    { [SETTINGS]: '{"name":"A","paramters":{}}' },
    SETTINGS,
    "`paramters` unknown key; did you mean 'parameters'?",
  ],
  ['a field of the wrong type', { [SETTINGS]: '{"name":"A","strict":"yes"}' }, SETTINGS, '`strict` expected boolean'],
  ['no name', { [SETTINGS]: '{}' }, SETTINGS, '`name` '],
  [
    'a planted prototype',
    { [SETTINGS]: '{"name":"A","parameters":{"__proto__":{}}}' },
    SETTINGS,
    '`parameters.__proto__` ',
  ],
  ['a character that no database keeps', { [SETTINGS]: '{"name":"\\u0000"}' }, SETTINGS, '`name` holds a character'],
  [
    'a collection that is no list',
    { [SETTINGS]: '{"name":"A","collection":"B"}' },
    SETTINGS,
    '`collection` expected array',
  ],
  [
    'a label that cannot be',
    { [SETTINGS]: '{"name":"A","labels":["latest"]}' },
    SETTINGS,
    "`labels`: 'latest' cannot be",
  ],
  [
    'a label that is there twice',
    { [SETTINGS]: '{"name":"A","labels":["a","a"]}' },
    SETTINGS,
    "`labels`: 'a' is there twice",
  ],
  ['nothing that is published', { [SETTINGS]: '{"name":"A","published":false}' }, SETTINGS, '`published` is false'],
  [
    'no template',
    { 'prompts/pp-a/template.json': undefined },
    SETTINGS,
    'needs a template beside it: template.json or template.txt, not neither',
  ],
  [
    'two templates',
    { 'prompts/pp-a/template.txt': 'x' },
    SETTINGS,
    'needs a template beside it: template.json or template.txt, not both',
  ],
  [
    'a text in a file for messages',
    { 'prompts/pp-a/template.json': 'Hi' },
    'prompts/pp-a/template.json',
    'holds no JSON with messages',
  ],
  [
    'an empty template',
    { 'prompts/pp-a/template.json': undefined, 'prompts/pp-a/template.txt': '\n' },
    'prompts/pp-a/template.txt',
    'must have at least',
  ],
  [
    'a tag that is not closed',
    { 'prompts/pp-a/template.json': CHAT.replace('}}', '') },
    'prompts/pp-a/template.json:2:36',
    '',
  ],
  [
    'a broken text',
    { 'prompts/pp-a/template.json': undefined, 'prompts/pp-a/template.txt': 'a\n b {{#c}}' },
    'prompts/pp-a/template.txt:2:4',
    '',
  ],
  ['an older version that nothing refers to', { ...OLDER_TEMPLATE, [OLDER]: '{}' }, OLDER, 'is neither published'],
  ['an older version without settings', OLDER_TEMPLATE, OLDER, 'is missing'],
  [
    'a name in an older version',
    { ...OLDER_TEMPLATE, [OLDER]: '{"name":"A","labels":["x"]}' },
    OLDER,
    '`name` unknown key',
  ],
  [
    'two published versions',
    { ...OLDER_TEMPLATE, [OLDER]: '{"published":true}', [SETTINGS]: '{"name":"A","published":true}' },
    OLDER,
    '`published` is true in another',
  ],
  [
    'a label of two versions',
    { ...OLDER_TEMPLATE, [OLDER]: '{"labels":["a"]}', [SETTINGS]: '{"name":"A","labels":["a"]}' },
    OLDER,
    "`labels`: 'a' is there twice",
  ],
  [
    'a folder that is no slug',
    { 'prompts/PP A/prompt.json': '{}' },
    'prompts/PP A/prompt.json',
    'is a name that no file',
  ],
  ['a folder that leads away', { 'prompts/../prompt.json': '{}' }, 'prompts/../prompt.json', 'is a name that no file'],
  [
    'a file of another name',
    { 'prompts/pp-a/templete.json': '' },
    'prompts/pp-a/templete.json',
    'is a name that no file',
  ],
  ['a partial without text', { 'partials/pl-a.txt': undefined }, 'partials/pl-a.txt', 'is missing'],
  ['a partial without settings', { 'partials/pl-a.json': undefined }, 'partials/pl-a.json', 'is missing'],
  [
    'a partial with labels',
    { 'partials/pl-a.json': '{"name":"A","labels":[]}' },
    'partials/pl-a.json',
    '`labels` unknown key',
  ],
  ['a broken partial', { 'partials/pl-a.txt': '{{/a}}' }, 'partials/pl-a.txt:1:1', ''],
  ['a partial of another name', { 'partials/.x.txt': '' }, 'partials/.x.txt', 'is a name that no file'],
]

describe('refuses, naming file and field', () => {
  test.each(refused)('%s', (_, changes, file, message) => {
    const problems = problemsOf(changes)
    expect(problems).toHaveLength(1)
    expect(problems[0]?.file).toBe(file)
    expect(problems[0]?.message).toStartWith(message)
  })

  test('all that is wrong at once', () => {
    const problems = problemsOf({ [SETTINGS]: '{}', 'partials/pl-a.txt': '{{/a}}', 'prompts/x/y': '' })
    expect(problems.map(({ file }) => file).toSorted()).toEqual(['partials/pl-a.txt:1:1', SETTINGS, 'prompts/x/y'])
  })
})
