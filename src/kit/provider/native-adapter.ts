import type { Adapter, AnyAdapter } from './provider.ts'

/** An endpoint of a provider whose requests and answers are in the form of the adapter itself: bytes pass. */
export const nativeAdapter = (
  path: Adapter<string>['path'],
  method: Adapter<string>['method'] = 'POST',
): AnyAdapter => ({ method, path, wire: 'native', params: {} })
