import { ManagementInvalid, ManagementUnavailable } from '../../errors/gateway-error.ts'
import { TooManyGroups } from '../../records/query/merge.ts'
import type { RecordReader } from '../../records/store.ts'
import { StoreUnavailable } from '../../store/errors.ts'

/** The records as analytics ask them: what cannot be answered is refused in words that help whoever asked. */
export const readable = (records: RecordReader): Pick<RecordReader, 'ask'> => ({
  async ask(question) {
    try {
      return await records.ask(question)
    } catch (thrown) {
      throw toRefusal(thrown)
    }
  },
})

const toRefusal = (thrown: unknown): unknown => {
  if (thrown instanceof TooManyGroups) return new ManagementInvalid(`${thrown.message}.`, { cause: thrown })
  if (!(thrown instanceof StoreUnavailable)) return thrown
  const message = 'The records cannot be read now, or not in time: ask again, about less time or with more filters.'
  return new ManagementUnavailable(message, { cause: thrown, retryAfterMs: 1000 })
}
