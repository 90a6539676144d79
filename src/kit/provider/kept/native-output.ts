import { BatchConflict, FileNotFound } from '../../../errors/gateway-error.ts'
import { performing } from '../exchange.ts'
import type { Adapter, Provider } from '../provider.ts'
import { bytes, HAS_ENDED } from './by.ts'
import { begunInTurn } from './streams.ts'

/**
 * The output of a batch at a provider with OpenAI's batches, which has no such route: the file of results, and behind it that of
 * failures.
 * @param place where a path of the reference is there
 */
export const nativeBatchOutput = (
  place: NonNullable<Provider['referencePath']> = (path) => path,
): { readonly 'batch-output': Adapter<'batch-output'> } => ({
  'batch-output': performing<'batch-output'>(async ({ context: { pathParams, settings } }, { send }) => {
    const at = (path: string): string => place(path, settings)
    const id = encodeURIComponent(pathParams?.batch_id ?? '')
    const batch = await (await send({ method: 'GET', url: at(`/batches/${id}`) })).json()
    if (!HAS_ENDED.has(String(batch.status))) {
      throw new BatchConflict(`The batch has no output yet: it is '${String(batch.status).slice(0, 100)}'.`)
    }
    const files = [batch.output_file_id, batch.error_file_id].filter((file) => typeof file === 'string' && file !== '')
    if (files.length === 0) throw new FileNotFound('The batch has no output: no request of it was answered.')
    const sources = files.map((file) => async () => {
      const url = at(`/files/${encodeURIComponent(String(file))}/content`)
      return (await send({ method: 'GET', url, passes: true })).body
    })
    return bytes(await begunInTurn(sources))
  }),
})
