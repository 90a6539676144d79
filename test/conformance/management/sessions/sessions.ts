import type { Session } from '../recorder.ts'
import { addSession } from '../tenants.ts'

export const sessions: Session = async ({ get, delete: remove, as, world }) => {
  await get('/session')
  for (const caller of ['service', 'user', 'their admin'] as const) await as(caller).get('/session')
  const first = await addSession(world.db, world.ours)
  const second = await addSession(world.db, world.ours)
  const theirs = await addSession(world.db, world.theirs)
  await get('/sessions')
  await get('/sessions?page_size=1&current_page=1')
  await get(`/sessions?user_id=${world.ours.organisationId}`)
  await as('user').get('/sessions')
  await as('user').get(`/sessions?user_id=${world.ours.organisationId}`)

  await as('service').delete(`/sessions/${first}`)
  await remove(`/sessions/${theirs}`)
  await remove(`/sessions/${first}`)
  await remove(`/sessions/${first}`)
  await addSession(world.db, world.ours)
  await as('service').delete('/sessions')
  await remove('/sessions')
  await remove('/sessions')
  await remove(`/sessions/${second}`)
  await get('/sessions')
}
