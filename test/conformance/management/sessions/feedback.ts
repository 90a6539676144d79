import type { Session } from '../recorder.ts'

export const feedback: Session = async ({ post, as }) => {
  const { post: give, put: change } = as('service')
  const { feedback_ids: ids } = await give('/feedback', {
    trace_id: 'a trace',
    value: -10,
    weight: 0.25,
    metadata: { by: 'somebody', stars: 4, long: 'a'.repeat(200) },
  })
  const [id] = ids as readonly string[]
  await change(`/feedback/${id}`, { value: 10, weight: 1, metadata: { by: 'somebody else' } })
  await change(`/feedback/${id}`, { value: 10, feedback_id: id, trace_id: 'a trace' })
  await change(`/feedback/${id}`, { value: 10, feedback_id: '0198c5d2-0000-7000-8000-0000000000ff' })
  await change(`/feedback/${id}`, { value: 10, trace_id: 'another trace' })
  await as('user').put(`/feedback/${id}`, { value: 1 })
  await as('second service').put(`/feedback/${id}`, { value: 1 })
  await give('/feedback', [
    { trace_id: 'one', value: 1, weight: 5 },
    { trace_id: 'two', value: 2, weight: -1 },
  ])
  await give('/feedback', [])
  await give('/feedback', [
    { trace_id: 'one', value: 1 },
    { trace_id: 'two', value: 11 },
  ])
  await give('/feedback', [{ trace_id: 'one', value: 1 }, { value: 1 }])
  await give('/feedback', { trace_id: '\u{1f600}', value: 1 })
  await give('/feedback', { trace_id: 'one', value: 1.5 })
  await give(
    '/feedback',
    Array.from({ length: 1_001 }, () => ({ trace_id: 'one', value: 1 })),
  )
  await post('/feedback', { trace_id: 'one', value: 1 })
}
