import type { Session } from '../recorder.ts'

export const organisationSettings: Session = async ({ get, put, as }) => {
  await get('/organisation/settings')
  await put('/organisation/settings', { logs: { bodies: 'failed', retention_days: 20, redact: ['[0-9]{16}'] } })
  await put('/organisation/settings', { logs: { redact: ['(a'] } })
  await put('/organisation/settings', { logs: { retention_days: 5, body_retention_days: 6 } })
  await put('/organisation/settings', { logs: null })
  await as('user').get('/organisation/settings')
}
