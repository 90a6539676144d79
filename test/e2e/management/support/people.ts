import type { RunningGateway } from '../../../support/command.ts'
import { send, textOf } from './http.ts'
import { done } from './scene.ts'

/** Somebody who accepted an invite to the default workspace. */
export interface Invited {
  readonly id: string
  /** The key that came with it. */
  readonly key: string
}

/** Invites somebody with the admin key, and accepts in their place. */
export const inviteMember = async (
  gateway: Pick<RunningGateway, 'url'>,
  email: string,
  role: 'admin' | 'manager' | 'member' = 'member',
): Promise<Invited> => {
  const invite = await done(gateway, 'POST', '/v2/users/invites', {
    email,
    role: 'member',
    workspaces: [{ id: 'ws-default', role }],
    workspace_api_key_details: { scopes: ['completions.write'] },
  })
  const token = new URL(textOf(invite, 'invite_link')).searchParams.get('invite')
  const accepted = await send(`${gateway.url}/v2/invites/accept`, { method: 'POST', body: { token } })
  if (accepted.status !== 200) throw new Error(`the invite was answered ${accepted.status}: ${accepted.text}`)
  const [made] = accepted.body.api_keys as readonly { readonly key: string }[]
  return { id: textOf(accepted, 'user_id'), key: made?.key ?? '' }
}
