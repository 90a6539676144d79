import { MCP_LOGIN_PATHS } from '../../mcp/place.ts'
import type { AddPath } from '../mount.ts'
import { serveSignIn, type Visit } from '../sign-in/serve.ts'
import { ANY_PAGE, oauthRefusal } from '../tokens/oauth-error.ts'
import { answerApp, askPerson } from './authorize.ts'
import type { AppsDeps } from './deps.ts'
import { finishMcpLogin, startMcpLogin } from './mcp-login.ts'
import { showResource, showServer } from './metadata.ts'
import { APP_PATHS, appPaths, RESOURCE_METADATA, SERVER_METADATA } from './paths.ts'
import { registerApp, revokeToken } from './register.ts'

type Answer = (deps: AppsDeps, visit: Visit) => Response | Promise<Response>

const ANSWERS: Readonly<Record<string, Answer>> = {
  [`GET ${SERVER_METADATA}`]: showServer,
  [`GET ${SERVER_METADATA}/*`]: showServer,
  [`GET ${RESOURCE_METADATA}/*`]: showResource,
  [`GET ${APP_PATHS.authorize}`]: askPerson,
  [`POST ${APP_PATHS.authorize}`]: answerApp,
  [`GET ${MCP_LOGIN_PATHS.start}`]: startMcpLogin,
  [`GET ${MCP_LOGIN_PATHS.callback}`]: finishMcpLogin,
  [`POST ${APP_PATHS.register}`]: inOwnWords(registerApp),
  [`POST ${APP_PATHS.revoke}`]: inOwnWords(revokeToken),
}

/** Adds the ways by which apps are let in to the application. */
export const mountApps = (add: AddPath, deps: AppsDeps): void => {
  for (const { method, path } of appPaths(deps.basePath)) {
    const bare = path.startsWith(`${deps.basePath}/`) ? path.slice(deps.basePath.length) : path
    const answer = ANSWERS[`${method} ${bare}`]
    if (answer === undefined) throw new Error(`nobody answers ${method} ${path}`)
    add(
      method,
      path,
      serveSignIn(deps, async (visit) => answer(deps, visit), 'The app was not let in'),
    )
  }
}

/** Refusals as clients of OAuth read them. */
function inOwnWords(answer: Answer): Answer {
  return async (deps, visit) => {
    try {
      return await answer(deps, visit)
    } catch (thrown) {
      return oauthRefusal(thrown, deps.log, ANY_PAGE)
    }
  }
}
