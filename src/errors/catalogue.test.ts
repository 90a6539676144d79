import { expect, test } from 'bun:test'
import { CATALOGUE } from './catalogue.ts'

const page = await Bun.file(new URL('../../docs/errors.md', import.meta.url)).text()

/** The rows of the page's table, each as its cells without white space and back quotes around them. */
const documented = page
  .split('\n')
  .filter((line) => /^\| `/.test(line))
  .map((line) =>
    line
      .slice(1, line.lastIndexOf('|'))
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  )

test('docs/errors.md is the catalogue: every row, in its order, word for word', () => {
  const rows = Object.entries(CATALOGUE).map(([code, { status, type, wireCode, retryable, when }]) => [
    `\`${code}\``,
    String(status),
    `\`${type}\``,
    wireCode === null ? 'null' : `\`${wireCode}\``,
    retryable ? 'yes' : 'no',
    when,
  ])
  expect(documented).toEqual(rows)
})

test('the page names every code once', () => {
  const codes = documented.map(([code]) => code)
  expect(new Set(codes).size).toBe(codes.length)
})
