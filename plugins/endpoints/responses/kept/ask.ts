import { type Call, InvalidRequest, isRecord } from '#kit'
import { type OwnResponseId, readOwnResponseId } from '#kit/provider'
import { principal } from '#kit/slots'
import type { KeptResponses } from './keeping.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The input of a call with all that it refers to and Weir keeps: the conversation before it, and single items.
 * @param responses undefined: none are kept
 * @returns the input as it is kept, and the whole of it; undefined where the call refers to nothing of ours
 * @throws InvalidRequest naming what is not kept; StoreUnavailable
 */
export const filledInput = async (
  call: Call,
  params: Fields,
  responses: KeptResponses | undefined,
): Promise<{ readonly own: unknown; readonly whole: readonly unknown[] } | undefined> => {
  const { previous_response_id: previous, input } = params
  const goesOn = readOwnResponseId(previous)?.item === undefined && readOwnResponseId(previous) !== undefined
  const hasReferences = Array.isArray(input) && input.some((item) => referenceOf(item) !== undefined)
  if (!goesOn && !hasReferences) return undefined
  const { workspaceId = '' } = call.get(principal)
  const own = hasReferences ? await resolved(input, workspaceId, responses) : input
  const items = typeof own === 'string' ? [{ role: 'user', content: own }] : Array.isArray(own) ? own : []
  if (!goesOn) return { own, whole: items }
  const before = (await responses?.conversation(workspaceId, String(previous))) ?? []
  if (before.length === 0) {
    throw new InvalidRequest(`Previous response with id '${String(previous)}' not found.`, {
      param: 'previous_response_id',
      wireCode: 'previous_response_not_found',
    })
  }
  const history = before.flatMap((kept) => [...kept.input, ...outputOf(kept.response)])
  return { own, whole: [...history, ...items] }
}

const outputOf = ({ output }: Fields): readonly unknown[] => (Array.isArray(output) ? output : [])

type Reference = OwnResponseId & { readonly item: NonNullable<OwnResponseId['item']> }

/** The item of ours that an item refers to. A reference may leave out its type. */
const referenceOf = (item: unknown): Reference | undefined => {
  if (!isRecord(item)) return undefined
  const { type, id } = item
  const isReference = type === 'item_reference' || ((type === undefined || type === null) && item.role === undefined)
  const own = isReference ? readOwnResponseId(id) : undefined
  return own?.item === undefined ? undefined : { ...own, item: own.item }
}

const resolved = async (
  input: readonly unknown[],
  workspaceId: string,
  responses: KeptResponses | undefined,
): Promise<readonly unknown[]> => {
  const found = new Map<string, Awaited<ReturnType<KeptResponses['find']>>>()
  for (const item of input) {
    const id = referenceOf(item)?.responseId
    if (id !== undefined && !found.has(id)) found.set(id, await responses?.find(workspaceId, id))
  }
  return input.map((item, place) => {
    const reference = referenceOf(item)
    if (reference === undefined) return item
    const kept = found.get(reference.responseId)
    const items = reference.item.isInput ? kept?.input : kept && outputOf(kept.response)
    const named = items?.[reference.item.index]
    if (named !== undefined) return named
    const id = isRecord(item) ? String(item.id) : ''
    throw new InvalidRequest(`Item with id '${id}' not found.`, { param: `input[${place}]` })
  })
}
