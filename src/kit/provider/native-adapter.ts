import type { Adapter, AnyAdapter } from './provider.ts'

type Path = Adapter<string>['path']

/** An endpoint of a provider whose requests and answers are in the form of the adapter itself: bytes pass. */
export const nativeAdapter = (path: Path, method: Adapter<string>['method'] = 'POST'): AnyAdapter => ({
  method,
  path,
  wire: 'native',
  params: {},
})

/** Where hosts of OpenAI's format have the endpoints that only some of them have, and that are the same at all of them. */
const PATHS: Readonly<Record<string, string>> = {
  moderations: '/moderations',
  rerank: '/rerank',
  ocr: '/ocr',
  images: '/images/generations',
  'image-edits': '/images/edits',
  'image-variations': '/images/variations',
  speech: '/audio/speech',
  transcriptions: '/audio/transcriptions',
  translations: '/audio/translations',
}

/**
 * Those of the endpoints that pass as they are.
 * @param paths those that differ
 */
export const nativeAdapters = (
  endpoints: readonly string[],
  paths: Readonly<Record<string, Path | undefined>> = {},
): Readonly<Record<string, AnyAdapter>> =>
  Object.fromEntries(
    Object.entries(PATHS).flatMap(([name, path]) =>
      endpoints.includes(name) ? [[name, nativeAdapter(paths[name] ?? path)]] : [],
    ),
  )
