import { bearer, definePlugin, t } from '#kit'
import { type Adapter, openaiFailure } from '#kit/provider'

/** Speaks the form of summaries itself. */
const summaries: Adapter<'example/summaries'> = { method: 'POST', path: '/summaries', wire: 'native', params: {} }

export default definePlugin({
  name: 'example-provider',
  config: t.Object({
    baseURL: t.String({ default: 'https://summaries.example/v1', description: 'Where it answers.' }),
  }),
  setup: ({ baseURL }) => ({
    providers: [
      {
        id: 'example',
        baseURL,
        needsKey: false,
        endpoints: { 'example/summaries': summaries },
        authorize: bearer(),
        failure: openaiFailure,
      },
    ],
  }),
})
