import type { McpServers } from '../../core/mcp/servers.ts'
import type { BegunLogin, UserLogins } from '../../mcp/logins/user-logins.ts'
import type { AppDocuments } from '../../people/apps/documents.ts'
import type { Registrations } from '../../people/apps/registrations.ts'
import type { PassingSeal } from '../../secrets/own-seal.ts'
import type { McpServerRecord } from '../../store/memory/mcp-snapshot.ts'
import type { PeopleSnapshot } from '../../store/memory/people-snapshot.ts'
import type { SessionActors } from '../actor.ts'
import type { SignInDeps } from '../sign-in/serve.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'

/** What an app asked, and of whom. */
export interface AskedOfPerson {
  /** The query of its request. */
  readonly search: string
  readonly userId: string
}

/** What letting apps in needs: that of signing in, and where apps and what they ask for are found. */
export interface AppsDeps extends SignInDeps {
  readonly sessions: SessionActors
  readonly registrations: Registrations
  readonly documents: AppDocuments
  /** Carries what an app asked for through the page on which a person answers. */
  readonly asked: PassingSeal<AskedOfPerson>
  readonly people: Pick<PeopleSnapshot, 'find' | 'lookUp'>
  readonly servers: Pick<McpServers, 'find'>
  readonly tokens: Pick<AccessTokens, 'verify'>
  readonly userLogins: Pick<UserLogins, 'begin' | 'finish' | 'readTicket'>
  /** Carries a begun login through the browser. */
  readonly begunLogins: PassingSeal<BegunLogin>
  readonly serverById: (id: string) => McpServerRecord | undefined
  /** Servers of that name or id: in the workspace of that name or id, or in any. */
  readonly serversAt: (workspace: string | undefined, server: string) => readonly McpServerRecord[]
}
