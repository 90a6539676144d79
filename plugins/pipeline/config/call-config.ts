import { type Call, completePlan, type Host, type Leaf, type Plan } from '#kit'
import { type CallConfig, gatewayHeaders, type Target } from '#kit/slots'
import { bindTarget } from './bind-target.ts'
import { readCache, readRetries } from './call-headers.ts'
import type { Compiled } from './compiled-configs.ts'
import type { ConfigSource } from './config-source.ts'
import { requestModel } from './named-provider.ts'

type Resolved = Omit<CallConfig, 'metadata'>

/** A compiled config, made the call's own. What can only go to one place is bound at once, so that a fault shows here. */
export const toCallConfig = async (
  call: Call,
  host: Host,
  source: ConfigSource,
  compiled: Compiled,
): Promise<Resolved> => {
  const plan = completed(call, compiled.plan)
  const [first, ...others] = plan.leaves
  const isOnly = others.length === 0
  const binding = { call, host, isSaved: source.kind === 'saved', isOnly }
  const bound = new Map<Leaf, Target | Promise<Target>>()
  const bind = (leaf: Leaf): Target | Promise<Target> => {
    const known = bound.get(leaf)
    if (known !== undefined) return known
    const target = bindTarget(leaf, binding)
    bound.set(leaf, target)
    return target
  }
  const only = isOnly && first !== undefined ? await bind(first) : undefined
  const model = only === undefined ? requestModel(call) : only.model
  return {
    plan,
    bind,
    ...(only === undefined ? {} : { only }),
    ...(model === undefined ? {} : { model }),
    ...(source.kind === 'saved' ? { slug: source.stored.slug, versionId: source.stored.versionId } : {}),
  }
}

/** The older headers ask for retries and the cache where the config does not. */
const completed = (call: Call, plan: Plan): Plan => {
  const headers = call.get(gatewayHeaders)
  const retry = readRetries(headers)
  const cache = readCache(headers, call.request.headers.get('cache-control'))
  if (retry === undefined && cache === undefined) return plan
  return completePlan(plan, {
    ...(retry === undefined ? {} : { retry }),
    ...(cache === undefined ? {} : { cache }),
  })
}
