import type { Session } from '../recorder.ts'

export const oneLog: Session = async ({ get, as }) => {
  const { post: give, get: read } = as('service')
  const call = {
    request: { url: 'https://api.example/v1/chat/completions', method: 'POST', headers: {}, body: { model: 'm' } },
    response: { status: 200, headers: {}, body: { id: 'an answer' }, response_time: 12.5 },
    metadata: { trace_id: 'a trace', team: 'blue' },
    createdAt: new Date().toISOString(),
  }
  await give('/logs', call)
  await give('/logs', [call, { ...call, request: { ...call.request, url: 1 } }])
  await give('/logs', [])
  await give('/logs', { ...call, output: { tokens: -1 } })
  const { data } = await read('/logs?trace_id=a%20trace')
  const [row] = data as readonly { readonly id: string }[]
  await read(`/logs/${row?.id}`)
  await get(`/logs/${row?.id}?path_format=v2&type=hooks`)
  await get(`/logs/${row?.id}?path_format=v3`)
  await as('second service').get(`/logs/${row?.id}`)
  await as('their admin').get(`/logs/${row?.id}`)
  await get('/logs/nonsense')
  await as('user').get(`/logs/${row?.id}`)
}
