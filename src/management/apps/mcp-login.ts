import { McpUnreachable } from '../../core/mcp/unreachable.ts'
import { ManagementForbidden, ManagementInvalid, ManagementUnavailable } from '../../errors/gateway-error.ts'
import type { LoginOf } from '../../mcp/logins/user-logins.ts'
import { MCP_LOGIN_COOKIE } from '../../people/sessions/cookie.ts'
import { FLOW_SECONDS } from '../../people/sign-in/flow.ts'
import { escapeHtml } from '../openapi/html.ts'
import { page } from '../sign-in/page.ts'
import { takeAttempt, type Visit } from '../sign-in/serve.ts'
import { redirect, signInFirst } from '../sign-in/start.ts'
import { personOf } from './authorize.ts'
import type { AppsDeps } from './deps.ts'

/**
 * `GET /oauth/mcp/start`: the address that a client showed its user, who is sent on to agree at the server behind. Whoever opens
 * it must be that user, where people sign in: else somebody could have others agree for them.
 */
export const startMcpLogin = async (deps: AppsDeps, visit: Visit): Promise<Response> => {
  takeAttempt(deps, visit)
  const { request, prefix, cookies } = visit
  const { pathname, search, searchParams } = new URL(request.url)
  const ticket = deps.userLogins.readTicket(searchParams.get('ticket') ?? '')
  if (ticket === undefined) throw notBegun()
  const login = loginOf(deps, ticket.serverId, ticket.userId)
  const person = deps.people.find(ticket.userId) ?? (await deps.people.lookUp(ticket.userId))
  if (person === undefined) throw notBegun()
  if (deps.issuers.list.length > 0) {
    const visitor = await personOf(deps, request)
    if (visitor === undefined) {
      const back = `${prefix}${pathname.slice(deps.basePath.length)}${search}`
      return signInFirst(visit, back)
    }
    if (visitor.id !== person.id) throw notYours()
  } else if (searchParams.get('confirmed') !== 'yes') {
    return confirmPage(login, person.email, `${search}&confirmed=yes`)
  }
  const { url, begun } = await deps.userLogins.begin(login, ticket.scope).catch(inWords)
  cookies.push(MCP_LOGIN_COOKIE.write(deps.begunLogins.seal(begun), FLOW_SECONDS))
  deps.attempts.giveBack(visit.address)
  return redirect(url)
}

/** `GET /oauth/mcp/callback`: the server behind sends the browser back. */
export const finishMcpLogin = async (deps: AppsDeps, visit: Visit): Promise<Response> => {
  takeAttempt(deps, visit)
  const { request, cookies } = visit
  // Once, however it ends.
  cookies.push(MCP_LOGIN_COOKIE.clear())
  const begun = deps.begunLogins.open(MCP_LOGIN_COOKIE.read(request) ?? '')
  if (begun === undefined) throw notBegun()
  const login = loginOf(deps, begun.serverId, begun.userId)
  await deps.userLogins.finish(login, begun, new URL(request.url)).catch(inWords)
  deps.attempts.giveBack(visit.address)
  const { name } = login.record.server
  return page('Connected', `<p>“${escapeHtml(name)}” may be used now. Go back to your app and try again.</p>`)
}

const loginOf = ({ serverById }: AppsDeps, serverId: string, userId: string): LoginOf => {
  const record = serverById(serverId)
  if (record === undefined) throw new ManagementInvalid('The MCP server is not there any more.')
  return { record, userId }
}

/** Where nobody signs in, whoever sits there is asked whether they are meant. */
const confirmPage = ({ record }: LoginOf, email: string, query: string): Response => {
  const { name } = record.server
  const body = [
    `<p>An app of <strong>${escapeHtml(email)}</strong> wants to use the MCP server “${escapeHtml(name)}”. What you agree to there is used for that person.</p>`,
    `<p><a href="${escapeHtml(query)}">This is me: go on to ${escapeHtml(new URL(record.integration.url).host)}</a></p>`,
    '<p>If somebody else sent you this address, close the page.</p>',
  ]
  return page('Connect an MCP server?', body.join('\n'))
}

/** @throws ManagementUnavailable in place of what cannot be reached */
const inWords = (thrown: unknown): never => {
  throw thrown instanceof McpUnreachable ? new ManagementUnavailable(thrown.message, { cause: thrown }) : thrown
}

const notBegun = (): ManagementInvalid =>
  new ManagementInvalid(
    'This address is not good any more, or was not opened in this browser. Begin again in your app.',
  )

const notYours = (): ManagementForbidden =>
  new ManagementForbidden('Somebody else is meant: sign out, and sign in as the person whose app showed this address.')
