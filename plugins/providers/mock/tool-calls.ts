import { isRecord } from '#kit'
import type { FaultName } from './faults.ts'
import { minimalInstance } from './schema.ts'

export interface MockCall {
  readonly id: string
  readonly name: string
  /** Pieces, as they are streamed. */
  readonly arguments: readonly string[]
}

interface Tool {
  readonly name: string
  readonly parameters: unknown
}

const MAX_CALLS = 16
const ARGUMENT_PIECE_CHARACTERS = 12
const HUGE_PIECE = 'x'.repeat(64 * 1024)

/** Tools for a fault that needs calls in a request that brings none. */
const OWN_TOOLS: readonly Tool[] = ['mock_first', 'mock_second', 'mock_third'].map((name) => ({
  name,
  parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
}))

/**
 * One call for each tool of the request, with arguments made from its schema. Honours `tool_choice` and
 * `parallel_tool_calls`. Under a fault that needs calls there are always some.
 */
export const mockCalls = (body: Record<string, unknown>, fault?: FaultName, hugeBytes = 0): readonly MockCall[] => {
  const offered = chosenTools(body)
  const tools = fault !== undefined && offered.length === 0 ? OWN_TOOLS : offered
  if (fault === 'huge-tool-arguments') {
    return tools.slice(0, 1).map(({ name }) => ({ id: callId(0), name, arguments: hugeArguments(hugeBytes) }))
  }
  return tools.slice(0, MAX_CALLS).map(({ name, parameters }, index) => {
    const text = JSON.stringify(minimalInstance(parameters ?? { type: 'object' }))
    return {
      id: callId(fault === 'tool-duplicate-ids' ? 0 : index),
      name,
      arguments: pieces(fault === 'tool-bad-arguments' ? `${text.slice(0, -1)}, oops` : text),
    }
  })
}

const callId = (index: number): string => `call_mock_${index}`

const chosenTools = (body: Record<string, unknown>): readonly Tool[] => {
  const tools = (Array.isArray(body.tools) ? body.tools : []).flatMap((tool: unknown) => {
    const definition = isRecord(tool) ? tool.function : undefined
    if (!isRecord(definition) || typeof definition.name !== 'string') return []
    return [{ name: definition.name, parameters: definition.parameters }]
  })
  const choice = body.tool_choice
  if (choice === 'none') return []
  const named = isRecord(choice) && isRecord(choice.function) ? choice.function.name : undefined
  if (named !== undefined) return tools.filter(({ name }) => name === named)
  return body.parallel_tool_calls === false ? tools.slice(0, 1) : tools
}

const pieces = (text: string): string[] => {
  const result: string[] = []
  for (let start = 0; start < text.length; start += ARGUMENT_PIECE_CHARACTERS) {
    result.push(text.slice(start, start + ARGUMENT_PIECE_CHARACTERS))
  }
  return result
}

/** JSON of about so many bytes in large pieces that share their memory. */
const hugeArguments = (bytes: number): string[] => [
  '{"text":"',
  ...Array.from({ length: Math.ceil(bytes / HUGE_PIECE.length) }, (_, index) =>
    HUGE_PIECE.slice(0, Math.min(HUGE_PIECE.length, bytes - index * HUGE_PIECE.length)),
  ),
  '"}',
]
