import { Page } from '../ui/page.tsx'
import { Invites } from './invites.tsx'
import { Users } from './users.tsx'

/** Who may sign in, and who is asked to. */
export const PeoplePage = () => (
  <Page title="People" about="Users of the organisation. What a member may do, their workspaces say.">
    <h2 className="font-semibold">Users</h2>
    <Users />
    <h2 className="font-semibold">Invites</h2>
    <Invites />
  </Page>
)
