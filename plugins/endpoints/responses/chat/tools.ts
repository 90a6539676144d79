import { defined, isRecord } from '#kit'
import type { ChatRequest, FunctionTool } from '#kit/provider'
import { type Lose, refused, textAt } from './parts.ts'

type Fields = Readonly<Record<string, unknown>>

/** What the client calls a function of the chat. */
export interface ClientTool {
  readonly name: string
  /** It takes one text, not JSON. */
  readonly isCustom: boolean
  readonly namespace?: string | undefined
}

/** The tools of a request by the name that the model knows them by. */
export type ToolNames = ReadonlyMap<string, ClientTool>

/** Separates the name of a namespace from that of its function: both may hold single underscores. */
const NAMESPACE_END = '__'

/** The name under which the model knows a tool. */
export const functionName = (name: string, namespace?: unknown): string =>
  typeof namespace === 'string' && namespace !== '' ? `${namespace}${NAMESPACE_END}${name}` : name

interface Tools {
  readonly tools: readonly FunctionTool[]
  readonly names: ToolNames
}

/**
 * Functions as they are, custom tools as functions of one text, those of a namespace under their whole name. Tools that a
 * provider of responses runs itself are lost, each by its type.
 */
export const toolsOf = (value: unknown, lose: Lose): Tools => {
  const tools: FunctionTool[] = []
  const names = new Map<string, ClientTool>()
  const add = (tool: Fields, path: string, namespace?: string): void => {
    if (tool.type !== 'function' && tool.type !== 'custom') {
      lose(`tools[].${String(tool.type)}`)
      return
    }
    const name = textAt(tool.name, `${path}.name`)
    const known = functionName(name, namespace)
    names.set(known, { name, isCustom: tool.type === 'custom', namespace })
    tools.push(tool.type === 'custom' ? customTool(known, tool, lose) : functionTool(known, tool))
  }
  for (const [index, tool] of listOf(value).entries()) {
    const path = `tools[${index}]`
    if (!isRecord(tool)) throw refused(path, 'must be an object')
    if (tool.type !== 'namespace') add(tool, path)
    else {
      const namespace = textAt(tool.name, `${path}.name`)
      for (const [place, inner] of listOf(tool.tools).entries()) {
        if (isRecord(inner)) add(inner, `${path}.tools[${place}]`, namespace)
      }
    }
  }
  return { tools, names }
}

const functionTool = (name: string, { description, parameters, strict }: Fields): FunctionTool => ({
  type: 'function',
  function: defined({
    name,
    description: typeof description === 'string' ? description : undefined,
    parameters: isRecord(parameters) ? parameters : undefined,
    strict: typeof strict === 'boolean' ? strict : undefined,
  }),
})

/** The grammar of its text is a request to the model, no promise. */
const customTool = (name: string, { description, format }: Fields, lose: Lose): FunctionTool => {
  const words = [typeof description === 'string' ? description : '']
  if (isRecord(format) && format.type === 'grammar') {
    lose('tools[].format')
    words.push(`The input must follow this ${String(format.syntax)} grammar:\n${String(format.definition)}`)
  }
  const text = words.filter((each) => each !== '').join('\n\n')
  return {
    type: 'function',
    function: {
      name,
      ...(text === '' ? {} : { description: text }),
      parameters: {
        type: 'object',
        properties: { input: { type: 'string', description: 'The input of the tool, as plain text.' } },
        required: ['input'],
        additionalProperties: false,
      },
    },
  }
}

/** Arguments of the function that stands for a custom tool. */
export const customArguments = (input: string): string => JSON.stringify({ input })

/** Which tool is to be called, where the chat knows that tool. */
export const toolChoiceOf = (choice: unknown, names: ToolNames, lose: Lose): ChatRequest['tool_choice'] => {
  if (choice === null || choice === undefined) return undefined
  if (choice === 'none' || choice === 'auto' || choice === 'required') return names.size === 0 ? undefined : choice
  if (!isRecord(choice)) throw refused('tool_choice', 'must be `none`, `auto`, `required` or an object')
  if (choice.type === 'allowed_tools') {
    const tools = listOf(choice.tools)
      .flatMap((tool) => (isRecord(tool) ? namedFunction(tool) : []))
      .filter((tool) => names.has(tool.function.name))
    if (tools.length > 0) {
      const mode = choice.mode === 'required' ? 'required' : 'auto'
      return { type: 'allowed_tools', allowed_tools: { mode, tools } }
    }
  } else {
    const [tool] = namedFunction(choice)
    // One that is not among the tools is for the provider to refuse.
    if (tool !== undefined) return tool
  }
  lose('tool_choice')
  return undefined
}

type NamedFunction = { readonly type: 'function'; readonly function: { readonly name: string } }

const namedFunction = ({ type, name, namespace }: Fields): readonly NamedFunction[] =>
  (type === 'function' || type === 'custom') && typeof name === 'string'
    ? [{ type: 'function', function: { name: functionName(name, namespace) } }]
    : []

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
