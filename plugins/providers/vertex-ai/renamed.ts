import type { Adapter, AdapterContext, AnyAdapter } from '#kit/provider'
import { nameOf } from './model.ts'

type Function = (...given: never[]) => unknown

/** The parts of an adapter whose last parameter but one, or last, is what they know of the call. */
const withContext = (context: AdapterContext): AdapterContext => {
  const model = nameOf(context.model)
  return model === context.model ? context : { ...context, model }
}

/**
 * An adapter that knows models by the maker's own names, at a place where clients may put the maker in front
 * (`google/gemini-2.5-flash`). Made once.
 */
export const renamed = <E extends string>(adapter: Adapter<E>): AnyAdapter => {
  const { path, always, reply, stream, assistantPrefix } = adapter
  const rules = Object.entries(adapter.params as Readonly<Record<string, unknown>>).map(([name, rule]) => [
    name,
    typeof rule === 'function' ? withRenamed(rule as Function) : rule,
  ])
  return {
    ...adapter,
    params: Object.fromEntries(rules),
    ...(typeof path === 'string' ? {} : { path: (context: AdapterContext) => path(withContext(context)) }),
    ...(always === undefined
      ? {}
      : { always: (...[request, context]: Parameters<typeof always>) => always(request, withContext(context)) }),
    ...(reply === undefined
      ? {}
      : {
          reply: (...[body, context, request]: Parameters<typeof reply>) => reply(body, withContext(context), request),
        }),
    ...(stream === undefined ? {} : { stream: (context: AdapterContext) => stream(withContext(context)) }),
    ...(assistantPrefix === undefined
      ? {}
      : {
          assistantPrefix: (...[request, text, context]: Parameters<typeof assistantPrefix>) =>
            assistantPrefix(request, text, withContext(context)),
        }),
  }
}

/** Rules get a value, the request, what they know of the call, and a place to report losses. */
const withRenamed =
  (rule: Function): Function =>
  (value, request, context, report) =>
    rule(value, request, withContext(context) as never, report)
