/** In the executable all of the main thread is one file, and workers lie beside it by their place in `src`. */
const isExecutable = Bun.isStandaloneExecutable

/** Starts one of the threads that `src/build.ts` names. @param path of its file, from this folder */
export const startWorker = (path: 'worker.ts' | 'sqlite/reader-worker.ts'): Worker =>
  new Worker(isExecutable ? `./records/${path}` : new URL(`./${path}`, import.meta.url).href)
