import type { MessageParts, Part, Variables } from './arbitraries.ts'

/** The slow and plain way to say what a template becomes: the tree it was written from is walked with copies of all names. */
interface Scope {
  readonly names: ReadonlyMap<string, unknown>
  readonly item: unknown
}

export const rootScope = (variables: Variables): Scope => ({
  names: new Map(Object.entries(variables)),
  item: variables,
})

const find = (name: string, { names, item }: Scope): unknown => {
  if (name === '.') return item
  const [first = '', second] = name.split('.')
  const found = names.get(first)
  if (second === undefined) return found
  return new Map(Object.entries(typeof found === 'object' && found !== null ? found : {})).get(second)
}

const scopeOf = (value: unknown, scope: Scope): Scope => {
  if (typeof value === 'boolean') return scope
  const own = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return { names: new Map([...scope.names, ...own]), item: value }
}

const itemScope = (value: unknown, scope: Scope): Scope =>
  typeof value === 'boolean' ? { names: scope.names, item: value } : scopeOf(value, scope)

/** The scopes in which a section is shown. */
const scopesOf = (name: string, scope: Scope): readonly Scope[] => {
  const value = find(name, scope)
  if (Array.isArray(value)) return value.map((item: unknown) => itemScope(item, scope))
  return value ? [scopeOf(value, scope)] : []
}

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const expectedText = (parts: readonly Part[], scope: Scope): string =>
  parts.map((part) => expectedPart(part, scope)).join('')

const expectedPart = (part: Part, scope: Scope): string => {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'value':
      return textOf(find(part.name, scope))
    case 'comment':
      return ''
    case 'section': {
      const scopes = scopesOf(part.name, scope)
      if (part.inverted) return scopes.length === 0 ? expectedText(part.parts, scope) : ''
      return scopes.map((inner) => expectedText(part.parts, inner)).join('')
    }
  }
}

const expectedMessage = ({ role, texts }: MessageParts, scope: Scope): object => ({
  role,
  content: texts.map((parts) => ({ type: 'text', text: expectedText(parts, scope) })),
})

/** `sections`: whether those around messages count. */
export const expectedMessages = (
  messages: readonly MessageParts[],
  variables: Variables,
  sections: boolean,
): object[] => {
  const root = rootScope(variables)
  return messages.flatMap((message) =>
    (sections && message.under !== undefined ? scopesOf(message.under, root) : [root]).map((scope) =>
      expectedMessage(message, scope),
    ),
  )
}
