import type { Weir } from '../compose/weir.ts'

/** The numbers of a gateway that may not stand yet. */
export const metricsOf = async (weir: Weir | undefined): Promise<Response> => {
  if (weir === undefined) return new Response('The gateway is starting.\n', { status: 503 })
  const { type, text } = await weir.metrics()
  return new Response(text, { headers: { 'content-type': type } })
}
