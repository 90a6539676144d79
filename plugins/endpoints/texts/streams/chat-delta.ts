import { isRecord } from '#kit'
import { hasWords, type Kind, kindOf, type Path, wordsOf } from '../words.ts'
import type { ChoiceForm, OpenChoice } from './choice-stream.ts'
import type { EventPieces } from './event-pieces.ts'

/** Lists of a message that come piece by piece, each item under its `index`. */
const LISTS: ReadonlySet<string> = new Set(['content_blocks', 'reasoning_details', 'tool_calls'])

/** Fields besides texts that a chunk adds to; any other value comes whole. */
const GROWING: ReadonlySet<string> = new Set(['audio', 'content', 'function_call'])

/** Chunks of a chat. */
export const chatChunks: ChoiceForm = {
  object: 'chat.completion.chunk',
  field: 'delta',
  finish: { delta: {} },
  add: (found, delta, path, choice, tokens) => {
    if (!isRecord(delta)) return
    for (const name of Object.keys(delta)) {
      const value = delta[name]
      if (value === null || value === '' || !hasWords(name)) continue
      const kind = kindOf(name, 'text')
      const at = [...path, name]
      if (typeof value === 'string') {
        const track = `${choice.index}.${name}`
        const spelled = name === 'content' || name === 'refusal' ? tokens : undefined
        found.add({ role: 'assistant', kind, path: at, text: value, tokens: spelled, track })
        choice.tracks.take(found, track, kind)
      } else if (LISTS.has(name) && Array.isArray(value)) addItems(found, value, at, kind, name, choice)
      else if (GROWING.has(name)) addGrowing(found, value, at, kind, name, choice)
      else found.addWhole(wordsOf(value, at, kind))
    }
  },
}

/** Hosts that give the content as a list of parts give it as a text as well: it is one. */
const addGrowing = (
  found: EventPieces,
  value: unknown,
  path: Path,
  kind: Kind,
  name: string,
  { index, tracks }: OpenChoice,
): void => {
  for (const place of wordsOf(value, path, kind)) {
    const track = place.kind === kind ? `${index}.${name}` : `${index}.${name}.${place.kind}`
    found.add({ ...place, track })
    tracks.take(found, track, place.kind)
  }
}

const addItems = (
  found: EventPieces,
  items: readonly unknown[],
  path: Path,
  kind: Kind,
  list: string,
  { index, tracks }: OpenChoice,
): void => {
  for (let at = 0; at < items.length; at++) {
    const item = items[at]
    const number = isRecord(item) && typeof item.index === 'number' ? item.index : at
    for (const place of wordsOf(item, [...path, at], kind)) {
      // `text`, `delta.text`, `function.arguments` grow; what stands any deeper, or as an object, comes whole.
      if (place.isJson === true || place.path.length > path.length + 3) {
        found.addWhole([place])
        continue
      }
      const track = `${index}.${list}.${number}.${String(place.path.at(-1))}`
      found.add({ ...place, track })
      tracks.take(found, track, place.kind, list)
    }
  }
}
