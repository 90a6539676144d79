import type { App } from '../../people/apps/app.ts'
import { placeOf } from '../../people/apps/app.ts'
import { escapeHtml } from '../openapi/html.ts'
import { page } from '../sign-in/page.ts'
import type { Place } from './places.ts'

export interface Consent {
  readonly app: App
  readonly redirectUri: string
  readonly places: readonly Place[]
  /** E-mail address of who is asked. */
  readonly email: string
  /** Where the answer goes. */
  readonly action: string
  /** What was asked, sealed. */
  readonly asked: string
  readonly csrfToken: string
}

/** Asks a person whether an app may act for them. No script, no style, in no frame; the answer goes here and then to the app. */
export const consentPage = ({ app, redirectUri, places, email, action, asked, csrfToken }: Consent): Response => {
  const [first] = places
  const what =
    first?.serverName === undefined ? 'all MCP servers that you may use' : `the MCP server “${first.serverName}”`
  const known =
    app.host === undefined
      ? 'It gave its name itself, and nobody has checked it.'
      : `It is described by a document at ${app.host}.`
  const body = [
    `<p><strong>${escapeHtml(app.name)}</strong> wants to use ${escapeHtml(what)} as <strong>${escapeHtml(email)}</strong>.</p>`,
    `<p>${escapeHtml(known)} The answer goes to <strong>${escapeHtml(placeOf(redirectUri))}</strong>.</p>`,
    `<form method="post" action="${escapeHtml(action)}">`,
    hidden('asked', asked),
    hidden('csrf_token', csrfToken),
    choiceOf(places),
    '<p><button name="answer" value="allow">Allow</button> <button name="answer" value="deny">Deny</button></p>',
    '</form>',
    '<p>Allow it only if you have just started this yourself. You can take it back at any time.</p>',
  ].join('\n')
  // Browsers ask also about where a form is sent on to.
  return page('Let an app in?', body, {
    formAction: `'self' ${sourceOf(redirectUri)}`,
    // With none at all, browsers would not say either that the form comes from here.
    headers: { 'referrer-policy': 'same-origin' },
  })
}

const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`

const choiceOf = (places: readonly Place[]): string => {
  const [only, ...others] = places
  if (only !== undefined && others.length === 0) {
    return `${hidden('workspace', only.workspaceId)}<p>In the workspace <strong>${escapeHtml(only.workspaceName)}</strong>.</p>`
  }
  const options = places.map(
    ({ workspaceId, workspaceName }) =>
      `<option value="${escapeHtml(workspaceId)}">${escapeHtml(workspaceName)}</option>`,
  )
  return `<p><label for="workspace">Workspace</label> <select id="workspace" name="workspace">${options.join('')}</select></p>`
}

/** An address as a content security policy names its source. */
const sourceOf = (uri: string): string => {
  const { protocol, origin } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol
}
