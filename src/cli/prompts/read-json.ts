import type { Static, TSchema } from '@sinclair/typebox'
import { check } from '../../core/check.ts'
import { findUnstorable } from '../../management/unstorable-text.ts'
import type { Problem } from './problems.ts'

/** The checked content of a JSON file; undefined when it has problems, which are added to the list. */
export const readJson = <Schema extends TSchema>(
  file: string,
  text: string,
  schema: Schema,
  problems: Problem[],
): Static<Schema> | undefined => {
  const parsed = parse(text)
  if (parsed === undefined) {
    problems.push({ file, message: text.startsWith('\ufeff') ? 'begins with a byte order mark' : 'is not JSON' })
    return undefined
  }
  const checked = check(schema, parsed.value)
  const unstorable = findUnstorable(parsed.value)
  const violations = [...(checked.ok ? [] : checked.violations), ...(unstorable === undefined ? [] : [unstorable])]
  if (checked.ok && unstorable === undefined) return checked.value
  const told = new Set<string>()
  for (const { path, message } of violations) {
    // What is missing is of the wrong type too.
    if (told.has(path)) continue
    told.add(path)
    problems.push({ file, message: path === '' ? message : `\`${path}\` ${message}` })
  }
  return undefined
}

const parse = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
