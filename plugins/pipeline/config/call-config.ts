import { completePlan } from '#calls/config/complete'
import type { Call } from '#kit'
import { defined } from '#kit'
import type { Leaf, Plan } from '#kit/plan'
import { type CallConfig, gatewayHeaders, type Target } from '#kit/slots'
import { type Binding, bindTarget } from './bind-target.ts'
import { readCache, readRetries } from './call-headers.ts'
import type { Compiled } from './compiled-configs.ts'
import type { ConfigSource } from './config-source.ts'
import { requestModel } from './named-provider.ts'

/**
 * A compiled config, made the call's own. What can only go to one place is bound at once, so that a fault shows here.
 * @throws a catalogue error when that one cannot be called
 */
export const toCallConfig = (
  call: Call,
  host: Binding['host'],
  source: ConfigSource,
  compiled: Compiled,
  metadata: CallConfig['metadata'],
): CallConfig | Promise<CallConfig> => {
  const plan = completed(call, compiled.plan)
  const isSaved = source.kind === 'saved'
  const { id, slug, versionId } = isSaved ? source.stored : UNSAVED
  const [only] = plan.leaves
  const isOnly = plan.leaves.length === 1
  const binding = { call, host, isSaved, isOnly }
  if (!isOnly || only === undefined) {
    const bind = bindOnce(binding)
    return { plan, bind, only: undefined, metadata, model: requestModel(call), id, slug, versionId }
  }
  const target = bindTarget(only, binding)
  const ofTarget = (bound: Target): CallConfig => ({
    plan,
    bind: () => bound,
    only: bound,
    metadata,
    model: bound.model,
    id,
    slug,
    versionId,
  })
  return target instanceof Promise ? target.then(ofTarget) : ofTarget(target)
}

const UNSAVED = { id: undefined, slug: undefined, versionId: undefined }

const bindOnce = (binding: Binding): CallConfig['bind'] => {
  const bound = new Map<Leaf, Target | Promise<Target>>()
  return (leaf) => {
    const known = bound.get(leaf)
    if (known !== undefined) return known
    const target = bindTarget(leaf, binding)
    bound.set(leaf, target)
    return target
  }
}

/** The older headers ask for retries and the cache where the config does not. */
const completed = (call: Call, plan: Plan): Plan => {
  const headers = call.get(gatewayHeaders)
  const retry = readRetries(headers)
  const cache = readCache(headers, call.request.headers)
  if (retry === undefined && cache === undefined) return plan
  return completePlan(plan, {
    ...defined({ retry, cache }),
  })
}
