import type { Deadlines, Upstream } from '../../core/ports.ts'
import type { CheckCaller, CheckPower, CheckPowers, CheckPowersSource } from '../../kit/check.ts'
import type { Resolver } from '../../upstream/resolver.ts'
import type { TrustedHosts } from '../../upstream/trusted-hosts.ts'
import { askModel, type ModelAsker } from './ask-model.ts'
import { askServer } from './ask-server.ts'
import { findAccount } from './find-account.ts'
import { isKnownName } from './is-known-name.ts'

export interface CheckPowersOptions extends ModelAsker {
  readonly upstream: Upstream
  readonly resolver: Resolver
  readonly trusted: TrustedHosts
  readonly deadlines: Deadlines
}

/** Gives checks what they declare in `needs`, on behalf of the workspace whose call they look at. */
export const createCheckPowers = (options: CheckPowersOptions): CheckPowersSource => ({
  grant(needs, caller, signal) {
    const powers: { -readonly [Name in keyof CheckPowers]: CheckPowers[Name] } = { signal, ...REFUSED }
    for (const need of needs) MAKERS[need](powers, options, caller)
    return powers
  },
})

type Powers = { -readonly [Name in keyof CheckPowers]: CheckPowers[Name] }

const MAKERS: Readonly<Record<CheckPower, (powers: Powers, options: CheckPowersOptions, caller: CheckCaller) => void>> =
  {
    fetch(powers, options, caller) {
      const asking = { owner: ownerOf(caller), signal: powers.signal }
      powers.fetch = (url, request) => askServer(options, asking, url, request)
    },
    resolves(powers, options, caller) {
      const asking = { owner: ownerOf(caller), signal: powers.signal }
      powers.resolves = (hostname) => isKnownName(options, asking, hostname)
    },
    credentials(powers, { stored }, { principal }) {
      powers.credentials = (providerIds, slug) => findAccount(stored, principal.workspaceId, providerIds, slug)
    },
    ask(powers, options, caller) {
      const { signal } = powers
      powers.ask = (path, provider, body) => askModel(options, caller, signal, { path, provider, body })
    },
  }

/** Names of what a check can ask for. */
export const CHECK_POWERS: readonly string[] = Object.keys(MAKERS)

/** Calls without a workspace share what is their organisation's. */
const ownerOf = ({ principal }: CheckCaller): string => principal.workspaceId ?? principal.organisationId

const refuse = (power: CheckPower) => (): never => {
  throw new Error(`it uses \`${power}\`, which it has to ask for: needs: ['${power}']`)
}

const REFUSED = {
  fetch: refuse('fetch'),
  resolves: refuse('resolves'),
  credentials: refuse('credentials'),
  ask: refuse('ask'),
}
