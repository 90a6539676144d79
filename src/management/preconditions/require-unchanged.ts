import { ManagementNotFound, PreconditionFailed } from '../../errors/gateway-error.ts'
import type { AnyRoute, ManagementCall, View } from '../route.ts'
import { type Conditions, matches, matchesWeakly } from './conditions.ts'
import { tagOf } from './entity-tag.ts'

type AnyCall = ManagementCall<unknown, unknown>

/**
 * Compares what is there with what the caller knows. Nobody else may change it until the change of the caller is done.
 * @param call that is about to change something
 * @param toQuery fills in the query of the route that shows it
 * @throws PreconditionFailed; whatever showing it throws, such as ManagementNotFound
 */
export const requireUnchanged = async (
  shown: AnyRoute,
  call: AnyCall,
  conditions: Conditions,
  toQuery: (given: Readonly<Record<string, unknown>>) => unknown,
): Promise<void> => {
  const views: readonly View[] = [{}, ...(shown.views?.(call.params) ?? [])]
  const tags: string[] = []
  const missing: ManagementNotFound[] = []
  for (const { params, query } of views) {
    try {
      const asked = { ...call, params: { ...call.params, ...params }, query: toQuery(query ?? {}), body: undefined }
      tags.push(tagOf(shown.response, await shown.handle(asked)))
    } catch (thrown) {
      if (!(thrown instanceof ManagementNotFound)) throw thrown
      missing.push(thrown)
    }
  }
  const [first] = missing
  if (tags.length === 0 && first !== undefined) throw first
  requireConditions(conditions, tags)
}

/** @param tags of what is there, in each way in which it is shown @throws PreconditionFailed */
export const requireConditions = ({ ifMatch, ifNoneMatch }: Conditions, tags: readonly string[]): void => {
  if (ifMatch !== undefined && !tags.some((tag) => matches(ifMatch, tag))) {
    throw new PreconditionFailed('It was changed since you read it: read it again. Nothing was stored.', {
      param: 'If-Match',
    })
  }
  if (ifNoneMatch !== undefined && tags.some((tag) => matchesWeakly(ifNoneMatch, tag))) {
    throw new PreconditionFailed('It is there, as you said that it must not be. Nothing was stored.', {
      param: 'If-None-Match',
    })
  }
}
