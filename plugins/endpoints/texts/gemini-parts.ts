import type { TextPlace } from '#core/guardrails'
import { isRecord } from '#kit'
import { addObject, addWords, type Path, type Role } from './words.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Adds the texts of the parts of a content: what is said and thought, calls of functions and what they gave, code and what came
 * of it. Field names come in either case ("ProtoJSON Format" of protobuf.dev, part "Field names", read 2026-11-22).
 * @param tokens where what is said is spelled once more
 */
export const addParts = (places: TextPlace[], parts: unknown, path: Path, role: Role, tokens?: Path): void => {
  if (!Array.isArray(parts)) return
  for (let index = 0; index < parts.length; index++) {
    const part: unknown = parts[index]
    if (isRecord(part)) addPart(places, part, [...path, index], role, tokens)
  }
}

const addPart = (places: TextPlace[], part: Fields, path: Path, role: Role, tokens: Path | undefined): void => {
  const kind = part.thought === true ? 'reasoning' : 'text'
  for (const name of Object.keys(part)) {
    const value = part[name]
    const at = [...path, name]
    switch (name) {
      case 'text':
        if (typeof value === 'string' && value !== '') places.push({ role, kind, path: at, text: value, tokens })
        break
      case 'thought':
      case 'inlineData':
      case 'inline_data':
      case 'fileData':
      case 'file_data':
      case 'videoMetadata':
      case 'video_metadata':
      case 'mediaResolution':
      case 'media_resolution':
        break
      case 'functionCall':
      case 'function_call':
        if (isRecord(value)) addObject(places, value.args, [...at, 'args'], { role, kind: 'tool-arguments' })
        break
      case 'functionResponse':
      case 'function_response':
        if (!isRecord(value)) break
        addObject(places, value.response, [...at, 'response'], { role: 'tool', kind: 'tool-result' })
        addParts(places, value.parts, [...at, 'parts'], 'tool')
        break
      case 'executableCode':
      case 'executable_code':
        if (isRecord(value)) addWords(places, value.code, [...at, 'code'], { role, kind: 'tool-arguments' })
        break
      case 'codeExecutionResult':
      case 'code_execution_result':
        if (isRecord(value)) addWords(places, value.output, [...at, 'output'], { role, kind: 'tool-result' })
        break
      default:
        addWords(places, { [name]: value }, path, { role, kind })
    }
  }
}

/** Whether a part says what a function gave. */
export const isResponsePart = (part: unknown): boolean =>
  isRecord(part) && (isRecord(part.functionResponse) || isRecord(part.function_response))

/** A page of Google's that shows what was searched for, and how it is to be shown. */
const PAGE = 'searchEntryPoint'

/** Adds what stands beside the content of a candidate: words of the answer that are quoted, what was searched for and found. */
export const addGrounding = (places: TextPlace[], candidate: Fields, path: Path): void => {
  const { groundingMetadata: grounding } = candidate
  if (!isRecord(grounding)) return
  const at = [...path, 'groundingMetadata']
  for (const name of Object.keys(grounding)) {
    if (name !== PAGE) addWords(places, { [name]: grounding[name] }, at, { role: 'assistant', kind: 'text' })
  }
}
