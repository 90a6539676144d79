import { StoreUnavailable } from '../../store/errors.ts'
import type { RecordReader } from '../store.ts'

/** Records of a data plane are at its control plane, and asked for there. */
export const openControlPlaneReader = (url: string): RecordReader => {
  const refuse = async (): Promise<never> => {
    throw new StoreUnavailable(`The records of this data plane are at its control plane, ${url}: ask there.`)
  }
  return {
    ask: refuse,
    find: refuse,
    page: refuse,
    bodies: refuse,
    arrivals: refuse,
    feedback: refuse,
    size: async () => undefined,
    close: async () => undefined,
  }
}
