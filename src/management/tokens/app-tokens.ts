import type { Clock } from '../../core/ports.ts'
import { actorOfUser } from '../../people/actor-of-user.ts'
import { takeCode, takeRefreshToken, type UsedGrant } from '../../people/apps/grant.ts'
import type { PeopleSnapshot } from '../../store/memory/people-snapshot.ts'
import { removeAppGrant } from '../../store/objects/app-grants.ts'
import type { Db } from '../../store/types.ts'
import { ACCESS_TOKEN_SECONDS, type AccessTokens } from './access-tokens.ts'
import { OAuthError } from './oauth-error.ts'

type Parameters = ReadonlyMap<string, string>
type Answer = Readonly<Record<string, unknown>>

/** Tokens for apps that people let act for them. */
export interface AppTokens {
  /** For the code that the person's answer brought (RFC 6749, section 4.1.3). @throws OAuthError */
  takeCode(parameters: Parameters): Promise<Answer>
  /** For the refresh token that came last (section 6). @throws OAuthError */
  refresh(parameters: Parameters): Promise<Answer>
}

export interface AppTokensDeps {
  readonly db: Db
  readonly tokens: Pick<AccessTokens, 'issueFor'>
  readonly people: Pick<PeopleSnapshot, 'lookUp'>
  readonly clock: Pick<Clock, 'now'>
}

export const createAppTokens = ({ db, tokens, people, clock }: AppTokensDeps): AppTokens => {
  const answer = async (used: UsedGrant | undefined, parameters: Parameters): Promise<Answer> => {
    if (used === undefined) throw notGood('It was used before, has ended, or belongs to another client.')
    const { grant, refreshToken } = used
    const asked = parameters.get('resource')
    if (asked !== undefined && asked.replace(/\/$/, '') !== grant.resource) {
      throw new OAuthError('invalid_target', 'The resource is not the one that the person allowed.')
    }
    // By the database: somebody may have signed in for the first time just now.
    const person = await people.lookUp(grant.userId)
    if (person === undefined || actorOfUser(person, grant.workspaceId) === undefined) {
      await removeAppGrant(db, grant.id)
      throw notGood('The person who allowed it is not there any more.')
    }
    return {
      access_token: await tokens.issueFor(grant),
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      refresh_token: refreshToken,
      scope: grant.scopes.join(' '),
    }
  }
  return {
    async takeCode(parameters) {
      const shown = {
        code: required(parameters, 'code'),
        clientId: required(parameters, 'client_id'),
        redirectUri: required(parameters, 'redirect_uri'),
        verifier: required(parameters, 'code_verifier'),
      }
      return answer(await takeCode(db, shown, clock.now()), parameters)
    },
    async refresh(parameters) {
      const shown = {
        refreshToken: required(parameters, 'refresh_token'),
        clientId: required(parameters, 'client_id'),
      }
      return answer(await takeRefreshToken(db, shown, clock.now()), parameters)
    },
  }
}

const required = (parameters: Parameters, name: string): string => {
  const value = parameters.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `The request is not valid: ${name} is missing.`)
  return value
}

const notGood = (why: string): OAuthError => new OAuthError('invalid_grant', `The grant is not good. ${why}`)
