import { ManagementForbidden } from '../../errors/gateway-error.ts'
import { errorResponse } from '../../http/respond.ts'
import type { SessionActors } from '../actor.ts'
import { appPaths } from '../apps/paths.ts'
import type { AddPath } from '../mount.ts'
import { finishSignIn } from './callback.ts'
import { signInByKey } from './key.ts'
import { signOut } from './out.ts'
import { SIGN_IN_PATHS, signInPaths } from './paths.ts'
import { type SignInDeps, serveSignIn, type Visit } from './serve.ts'
import { listIssuers, showChoice, startSignIn } from './start.ts'

/** Adds the ways in and out to the application. */
export const mountSignIn = (add: AddPath, deps: SignInDeps, sessions: SessionActors): void => {
  const serve = (answer: (visit: Visit) => Response | Promise<Response>) =>
    serveSignIn(deps, async (visit) => answer(visit))
  const at = (path: keyof typeof SIGN_IN_PATHS): string => `${deps.basePath}${SIGN_IN_PATHS[path]}`
  add(
    'GET',
    at('page'),
    serve((visit) => showChoice(deps, visit)),
  )
  add(
    'GET',
    at('issuers'),
    serve((visit) => listIssuers(deps, visit)),
  )
  add(
    'GET',
    at('start'),
    serve((visit) => startSignIn(deps, visit)),
  )
  add(
    'GET',
    at('callback'),
    serve((visit) => finishSignIn(deps, visit)),
  )
  add(
    'POST',
    at('key'),
    serve((visit) => signInByKey(deps, visit)),
  )
  add(
    'POST',
    at('out'),
    serve((visit) => signOut(deps, sessions, visit)),
  )
}

/** What a data plane answers there: its people are those of the control plane. */
export const refuseSignIn =
  (basePath: string) =>
  (add: AddPath): void => {
    for (const { method, path } of [...signInPaths(basePath), ...appPaths(basePath)]) {
      add(method, path, () =>
        errorResponse(new ManagementForbidden('This is a data plane: sign in at its control plane.')),
      )
    }
  }
