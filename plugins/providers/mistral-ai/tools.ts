import { defined, isRecord } from '#kit'
import { type ChatRequest, mapChanged, type ParamRule } from '#kit/provider'

/** Fields of a function in the reference (mistralai 3.7.0, function.py, read 2026-11-22). */
const FUNCTION_FIELDS: ReadonlySet<string> = new Set(['name', 'description', 'parameters', 'strict'])

const NO_PARAMETERS = { type: 'object', properties: {} }

/** Functions as Mistral takes them: `parameters` is required there, and no field of its own making is allowed. */
export const adaptTools: ParamRule<ChatRequest, NonNullable<ChatRequest['tools']>> = (
  tools,
  _request,
  _context,
  report,
) =>
  Array.isArray(tools)
    ? { tools: mapChanged(tools as readonly unknown[], (tool) => adaptTool(tool, report)) }
    : { tools }

const adaptTool = (tool: unknown, report: (part: string) => void): unknown => {
  if (!isRecord(tool) || !isRecord(tool.function)) return tool
  const outside = Object.keys(tool).filter((name) => name !== 'type' && name !== 'function')
  const inside = Object.keys(tool.function).filter((name) => !FUNCTION_FIELDS.has(name))
  const isBare = tool.function.parameters === undefined || tool.function.parameters === null
  if (outside.length === 0 && inside.length === 0 && !isBare) return tool
  for (const name of outside) report(`tools[].${name}`)
  for (const name of inside) report(`tools[].function.${name}`)
  const { name, description, parameters, strict } = tool.function
  return {
    type: 'function',
    function: {
      name,
      ...defined({ description }),
      parameters: isBare ? NO_PARAMETERS : parameters,
      ...(strict === undefined || strict === null ? {} : { strict }),
    },
  }
}
