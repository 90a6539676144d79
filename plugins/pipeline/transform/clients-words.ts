import { InvalidRequest, isRecord } from '#kit'
import type { Bridge } from '#kit/provider'

type Params = Readonly<Record<string, unknown>>

/**
 * A refusal of what a bridge made, with the field that the client wrote in place of one of the other form. The turn at fault is the
 * last of the shortest history that is refused for the same reason, which is only looked for here: a call that goes well pays nothing.
 * @param params the client's
 * @param ask makes and adapts a request again
 * @returns without a field, where the client wrote none such
 */
export const inClientsWords = (
  refusal: InvalidRequest,
  bridge: Bridge,
  params: Params,
  ask: (params: Params) => void,
): InvalidRequest => {
  const { param, ...rest } = refusal.options
  if (param === undefined) return refusal
  const turns = bridge.words?.turns
  const [name = ''] = param.split(/[.[]/, 1)
  const place =
    turns?.became === name ? turnAt(turns, params, sameRefusal(refusal, param, ask)) : ownName(bridge, params, name)
  if (place === undefined) return new InvalidRequest(refusal.message, rest)
  return new InvalidRequest(
    refusal.message.replaceAll(param, () => place),
    { ...rest, param: place },
  )
}

const ownName = ({ words }: Bridge, params: Params, name: string): string | undefined => {
  const names = words?.names
  if (names !== undefined && Object.hasOwn(names, name)) return names[name]
  return Object.hasOwn(params, name) ? name : undefined
}

type IsRefused = (params: Params) => boolean

/** Whether fewer turns are refused in the same words; their numbers in the other form may differ. */
const sameRefusal = (refusal: InvalidRequest, param: string, ask: (params: Params) => void): IsRefused => {
  const said = refusal.message.replaceAll(param, '')
  return (params) => {
    try {
      ask(params)
    } catch (thrown) {
      if (!(thrown instanceof InvalidRequest)) return false
      const { param: again = '' } = thrown.options
      return again !== '' && thrown.message.replaceAll(again, '') === said
    }
    return false
  }
}

const turnAt = ({ list, parts }: { list: string; parts: string }, params: Params, isRefused: IsRefused): string => {
  const turns: unknown = params[list]
  if (!Array.isArray(turns)) return list
  const index = lastOfShortest(turns, (fewer) => isRefused({ ...params, [list]: fewer }))
  if (index === undefined) return list
  const turn: unknown = turns[index]
  const said: unknown = isRecord(turn) ? turn[parts] : undefined
  if (!isRecord(turn) || !Array.isArray(said)) return `${list}[${index}]`
  const before = turns.slice(0, index)
  const part = lastOfShortest(said, (fewer) =>
    isRefused({ ...params, [list]: [...before, { ...turn, [parts]: fewer }] }),
  )
  return part === undefined ? `${list}[${index}]` : `${list}[${index}].${parts}[${part}]`
}

/** Index of the last item of the shortest beginning that is refused, by halving. */
const lastOfShortest = (
  items: readonly unknown[],
  isRefused: (fewer: readonly unknown[]) => boolean,
): number | undefined => {
  let [least, most] = [1, items.length]
  while (least < most) {
    const middle = Math.floor((least + most) / 2)
    if (isRefused(items.slice(0, middle))) most = middle
    else least = middle + 1
  }
  return least === most && isRefused(items.slice(0, least)) ? least - 1 : undefined
}
